/* See report.h. */
#include "pto/runtime/report.h"

/* Once a slot, a credit or a flag of a pipe is lost, what follows on that pipe follows from it. */
static bool follows(const struct pto_machine *m, const struct pto_finding *f) {
  if (f->pipe < 0 || !pto_finding_is_hazard(f->kind) || f->kind == PTO_FIND_ENDS) return false;
  for (uint32_t i = 0; i < m->finding_count; i++) {
    const struct pto_finding *o = &m->findings[i];
    bool other = o->kind != f->kind || o->line != f->line;
    if (o->pipe == f->pipe && other && o->detail != PTO_UNORDERED && pto_finding_is_hazard(o->kind)) return true;
  }
  return false;
}

void pto_find(struct pto_machine *m, struct pto_finding f) {
  f.cycle = m->engine.now;
  f.dispatch = m->dispatch;
  m->finding_total[f.kind]++;
  /* once per place: the same two lines of the same core are one finding */
  for (uint32_t i = 0; i < m->finding_count; i++) {
    const struct pto_finding *o = &m->findings[i];
    if (o->kind == f.kind && o->line == f.line && o->other_line == f.other_line && o->core == f.core && o->pipe == f.pipe &&
        o->flag == f.flag) {
      /* what happens is worth more than what may happen */
      if (o->detail == PTO_UNORDERED && f.detail != PTO_UNORDERED) m->findings[i] = f;
      return;
    }
  }
  f.consequence = follows(m, &f);
  if (m->finding_count < PTO_FINDINGS_MAX) m->findings[m->finding_count++] = f;
  if (sim_log_wants(&m->log, PTO_EV_FINDING))
    sim_log_emit(
        &m->log,
        &(struct sim_event){.at = f.cycle, .kind = PTO_EV_FINDING, .agent = f.core, .a = f.kind, .b = f.line, .c = f.tile});
  if (m->strict && f.kind != PTO_FIND_LEAK) sim_stop(&m->engine);
}
