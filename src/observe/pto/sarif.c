/* The report of pto/report.h, and the notes of `pto check`, as SARIF 2.1.0. */
#include "observe/pto/sarif.h"

#include <stdio.h>

#include "observe/pto/hang.h"
#include "observe/report/sarif_log.h"
#include "pto/runtime/explain.h"
#include "pto/runtime/finding.h"

static const char *level_of(unsigned kind) { return pto_finding_is_hazard(kind) ? "error" : "warning"; }

static void add_rules(struct sim_text *out) {
  bool first = true;
  for (unsigned kind = 1; kind < PTO_FIND_KINDS; kind++)
    obs_sarif_rule(out, &first, pto_finding_name(kind), pto_finding_name(kind), level_of(kind), NULL);
}

static bool has_finding(const struct pto_machine *m, uint32_t count, const struct pto_finding *f) {
  for (uint32_t i = 0; i < count; i++)
    if (m->findings[i].kind == f->kind && m->findings[i].line == f->line && m->findings[i].other_line == f->other_line)
      return true;
  return false;
}

/* Blocks run one program: an editor shows a finding of several of them, or of several rounds, once. */
static bool is_shown(const struct obs_pto_report *r, uint32_t block, uint32_t index) {
  const struct pto_machine *m = r->grid->blocks[block];
  const struct pto_finding *f = &m->findings[index];
  for (uint32_t i = 0; i < block; i++)
    if (has_finding(r->grid->blocks[i], r->grid->blocks[i]->finding_count, f)) return true;
  return has_finding(m, index, f);
}

static void add_block(struct sim_text *out, const struct obs_pto_report *r, uint32_t block, bool *first) {
  const struct pto_machine *m = r->grid->blocks[block];
  char words[8192];
  for (uint32_t i = 0; i < m->finding_count; i++) {
    const struct pto_finding *f = &m->findings[i];
    if (is_shown(r, block, i)) continue;
    pto_explain_finding(m, f, words, sizeof words);
    obs_sarif_result(
        out, first, &(struct obs_sarif_item){pto_finding_name(f->kind), level_of(f->kind), words, r->file, .line = f->line});
    if (f->other_line) {
      sim_text_add(out, ",\"relatedLocations\":[");
      obs_sarif_location(out, r->file, f->other_line, 0, "the other operation");
      sim_text_add(out, "]");
    }
    obs_sarif_result_end(out);
  }
  if (m->deadlocked) {
    struct pto_hang hang;
    pto_hang_find(m, &hang);
    obs_pto_hang_sarif(&hang, r->file, first, out);
  }
  if (!m->fault.kind) return;
  struct obs_sarif_item fault = {pto_finding_name(PTO_FIND_FAULT), "error", m->fault.why, r->file, m->fault.pc, 0};
  obs_sarif_result(out, first, &fault);
  obs_sarif_result_end(out);
}

size_t obs_pto_report_sarif(const struct obs_pto_report *r, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  bool first = true;
  obs_sarif_begin(&out);
  add_rules(&out);
  obs_sarif_results(&out);
  for (uint32_t i = 0; i < r->grid->count; i++) add_block(&out, r, i, &first);
  obs_sarif_end(&out, r->code);
  return out.length;
}
