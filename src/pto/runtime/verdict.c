/* See verdict.h. */
#include "pto/runtime/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/runtime/explain.h"
#include "pto/runtime/explore.h"

#define BIT(kind) (1u << (kind))
#define RING (BIT(PTO_FIND_OVERWRITE) | BIT(PTO_FIND_STALE) | BIT(PTO_FIND_USE_AFTER_FREE))
#define STUCK (BIT(PTO_FIND_DEADLOCK) | BIT(PTO_FIND_LIMIT))

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

/* `rules`: the notes of the rules, which come first. */
static void weigh(struct pto_notes *notes, uint32_t rules, uint32_t kinds, uint32_t runs) {
  for (uint32_t i = 0; i < rules; i++) {
    struct pto_note *n = &notes->notes[i];
    if (n->severity != SIM_ERROR || pto_rule_refuses(n->rule) || (rule_kinds(n->rule) & kinds)) continue;
    size_t used = strlen(n->text);
    n->severity = SIM_WARNING;
    snprintf(n->text + used, sizeof n->text - used, "; none of %u schedules shows it", runs);
    notes->errors--;
    notes->warnings++;
  }
}

/* The findings of all runs, each once; the hang and the fault of the first schedule that has one. */
struct collector {
  struct pto_notes *notes;
  bool stuck;
  char words[8192];
};

static bool seen(const struct pto_notes *notes, unsigned rule, uint32_t line, uint32_t other_line) {
  for (uint32_t i = 0; i < notes->count; i++) {
    const struct pto_note *n = &notes->notes[i];
    if (n->rule == rule && n->line == line && n->other_line == other_line) return true;
  }
  return false;
}

/* One finding is enough for what may happen and what does, and for both lanes. */
static bool named(const struct pto_notes *notes, const struct pto_finding *f) {
  for (uint32_t i = 0; i < notes->count; i++) {
    const struct pto_note *n = &notes->notes[i];
    if (n->rule == PTO_RULES + f->kind && n->line == f->line && n->severity == SIM_ERROR && f->pipe >= 0) return true;
  }
  return false;
}

static void add(struct collector *c, unsigned kind, unsigned severity, uint32_t line, uint32_t other_line) {
  struct pto_note one;
  memset(&one, 0, sizeof one);
  one.severity = (uint8_t)severity;
  one.rule = (uint8_t)(PTO_RULES + kind);
  one.line = line;
  one.other_line = other_line;
  snprintf(one.text, sizeof one.text, "%.*s", (int)strcspn(c->words, "\n"), c->words);
  pto_note_add(c->notes, &one);
}

/* Words of the block, if there are several. */
static size_t begin_words(struct collector *c, const struct pto_machine *m) {
  c->words[0] = '\0';
  return m->blocks > 1 ? (size_t)snprintf(c->words, sizeof c->words, "block %u: ", m->block) : 0;
}

static void collect(void *context, const struct pto_machine *m, enum pto_end_kind end) {
  struct collector *c = context;
  bool hazard = false;
  for (uint32_t i = 0; i < m->finding_count; i++) {
    const struct pto_finding *f = &m->findings[i];
    unsigned severity = !pto_finding_is_hazard(f->kind) ? SIM_WARNING : f->consequence ? SIM_NOTE : SIM_ERROR;
    hazard = hazard || severity == SIM_ERROR;
    if (named(c->notes, f) || seen(c->notes, PTO_RULES + f->kind, f->line, f->other_line)) continue;
    size_t used = begin_words(c, m);
    if (severity == SIM_NOTE) used += (size_t)snprintf(c->words + used, sizeof c->words - used, "consequence: ");
    pto_explain_finding(m, f, c->words + used, sizeof c->words - used);
    add(c, f->kind, severity, f->line, f->other_line);
  }
  if (c->stuck || (end != PTO_DEADLOCKED && end != PTO_FAULTED)) return;
  c->stuck = true;
  size_t used = begin_words(c, m);
  if (end == PTO_DEADLOCKED) {
    if (hazard) used += (size_t)snprintf(c->words + used, sizeof c->words - used, "consequence: ");
    pto_explain_deadlock(m, c->words + used, sizeof c->words - used);
    /* after a hazard the hang is its consequence */
    add(c, PTO_FIND_DEADLOCK, hazard ? SIM_NOTE : SIM_ERROR, pto_deadlock_line(m), 0);
  } else {
    snprintf(c->words + used, sizeof c->words - used, "fault (%s): %s", sim_fault_kind_name(m->fault.kind), m->fault.why);
    add(c, PTO_FIND_FAULT, SIM_ERROR, (uint32_t)m->fault.pc, 0);
  }
}

const char *pto_note_rule_name(unsigned rule) {
  return rule < PTO_RULES ? pto_rule_name(rule) : pto_finding_name(rule - PTO_RULES);
}

bool pto_verdict(const struct pto_subject *subject, int policy, struct pto_notes *notes) {
  const struct pto_program *program = subject->programs[0];
  struct pto_note why;
  pto_check(program, policy, notes);
  for (uint32_t i = 0; i < subject->program_count; i++)
    if (pto_check_refuses(subject->programs[i], policy, &why)) return pto_note_add(notes, &why), true; /* it cannot run */
  struct pto_explore_result *r = malloc(sizeof *r);
  struct collector *c = calloc(1, sizeof *c);
  bool good = r && c;
  if (good) {
    c->notes = notes;
    struct pto_explore_options o = {.schedules = PTO_VERDICT_SCHEDULES,
                                    .policy = policy,
                                    .keep_going = true,
                                    .programs = subject->programs,
                                    .program_count = subject->program_count,
                                    .blocks = subject->blocks,
                                    .done = collect,
                                    .context = c};
    uint32_t rules = notes->count;
    good = pto_explore(program, &o, r);
    if (good && r->too_long) {
      struct pto_note one = {.severity = SIM_WARNING, .rule = PTO_RULE_LENGTH, .line = 1};
      snprintf(one.text, sizeof one.text, "%s: what the runs would find is not known", PTO_WORK_WORDS);
      pto_note_add(notes, &one);
    } else if (good) {
      weigh(notes, rules, r->kinds, r->runs);
    }
  }
  free(c);
  free(r);
  return good;
}
