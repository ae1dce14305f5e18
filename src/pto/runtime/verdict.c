/* See verdict.h. */
#include "pto/runtime/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/runtime/explain.h"
#include "pto/runtime/explore.h"

#define BIT(kind) (1u << (kind))
#define RING (BIT(PTO_FIND_OVERWRITE) | BIT(PTO_FIND_STALE) | BIT(PTO_FIND_USE_AFTER_FREE))
#define STUCK (BIT(PTO_FIND_DEADLOCK) | BIT(PTO_FIND_LEAK) | BIT(PTO_FIND_LIMIT))

static uint32_t rule_kinds(unsigned rule) {
  static const uint32_t kinds[PTO_RULES] = {
      [PTO_RULE_COUNTER] = BIT(PTO_FIND_OVERFLOW),
      [PTO_RULE_ODD_SLOTS] = RING,
      [PTO_RULE_FLAG_OVERLAP] = BIT(PTO_FIND_COLLISION) | RING | STUCK,
      [PTO_RULE_SLOT_SIZE] = BIT(PTO_FIND_SLOT_SIZE),
      [PTO_RULE_BUFFER] = BIT(PTO_FIND_RING_TILE) | BIT(PTO_FIND_RING_RING) | BIT(PTO_FIND_LANDING) | BIT(PTO_FIND_FAULT),
      [PTO_RULE_SPLIT] = BIT(PTO_FIND_SPLIT) | STUCK,
      [PTO_RULE_TFREE] = BIT(PTO_FIND_DOUBLE_FREE) | RING | STUCK,
      [PTO_RULE_COUNT] = RING | STUCK,
      [PTO_RULE_ENDS] = BIT(PTO_FIND_ENDS) | STUCK,
      [PTO_RULE_POLICY] = RING | STUCK,
  };
  return rule < PTO_RULES ? kinds[rule] : 0;
}

/* The rule that a finding violates; PTO_RULES: check has none. */
static unsigned rule_of(unsigned kind) {
  switch (kind) {
    case PTO_FIND_SLOT_SIZE: return PTO_RULE_SLOT_SIZE;
    case PTO_FIND_SPLIT: return PTO_RULE_SPLIT;
    case PTO_FIND_RING_TILE:
    case PTO_FIND_RING_RING: return PTO_RULE_BUFFER;
    case PTO_FIND_ENDS: return PTO_RULE_ENDS;
    case PTO_FIND_COLLISION: return PTO_RULE_FLAG_OVERLAP;
    case PTO_FIND_DOUBLE_FREE: return PTO_RULE_TFREE;
    case PTO_FIND_OVERFLOW: return PTO_RULE_COUNTER;
    default: return PTO_RULES;
  }
}

static bool has_rule(const struct pto_notes *notes, unsigned rule) {
  for (uint32_t i = 0; i < notes->count; i++)
    if (notes->notes[i].rule == rule && notes->notes[i].severity != SIM_NOTE) return true;
  return false;
}

static void weigh(struct pto_notes *notes, uint32_t kinds, uint32_t runs) {
  for (uint32_t i = 0; i < notes->count; i++) {
    struct pto_note *n = &notes->notes[i];
    if (n->severity != SIM_ERROR || pto_rule_refuses(n->rule) || (rule_kinds(n->rule) & kinds)) continue;
    size_t used = strlen(n->text);
    n->severity = SIM_WARNING;
    snprintf(n->text + used, sizeof n->text - used, "; none of %u schedules shows it", runs);
    notes->errors--;
    notes->warnings++;
  }
}

static void add_findings(const struct pto_machine *m, struct pto_notes *notes) {
  char words[1024];
  for (uint32_t i = 0; i < m->finding_count; i++) {
    unsigned rule = rule_of(m->findings[i].kind);
    if (rule == PTO_RULES || has_rule(notes, rule)) continue;
    struct pto_note one;
    memset(&one, 0, sizeof one);
    one.severity = SIM_ERROR;
    one.rule = (uint8_t)rule;
    one.line = m->findings[i].line;
    pto_explain_finding(m, &m->findings[i], words, sizeof words);
    snprintf(one.text, sizeof one.text, "%.*s", (int)sizeof one.text - 1, words);
    pto_note_add(notes, &one);
  }
}

bool pto_verdict(const struct pto_program *program, int policy, struct pto_notes *notes) {
  struct pto_note why;
  pto_check(program, policy, notes);
  if (pto_check_refuses(program, policy, &why)) return true; /* the program cannot run: only the rules apply */
  struct pto_explore_result *r = malloc(sizeof *r);
  struct pto_machine *m = pto_machine_new(program, pto_program_needs_data(program));
  struct pto_explore_options o = {.schedules = PTO_VERDICT_SCHEDULES, .policy = policy, .keep_going = true};
  bool good = r && m && pto_explore(program, &o, r);
  if (good && r->too_long) {
    struct pto_note one = {.severity = SIM_WARNING, .rule = PTO_RULE_LENGTH, .line = 1};
    snprintf(one.text, sizeof one.text, "%s: what the runs would find is not known", PTO_WORK_WORDS);
    pto_note_add(notes, &one);
  } else if (good) {
    pto_machine_set_policy(m, policy);
    m->dispatch_limit = PTO_EXPLORE_DISPATCHES;
    pto_machine_run(m, UINT64_C(1000000000));
    weigh(notes, r->kinds, r->runs);
    add_findings(m, notes);
  }
  pto_machine_free(m);
  free(r);
  return good;
}
