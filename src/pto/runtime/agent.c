/* See agent.h. */
#include "pto/runtime/agent.h"

static void account(struct pto_machine *m, unsigned agent) {
  const struct sim_wait *w = &pto_seated(m, agent)->wait;
  if (w->kind && w->kind < PTO_WAIT_KINDS) m->stats.stalled[agent][w->kind] += m->engine.now - w->since;
}

void pto_stall(struct pto_machine *m, unsigned agent, unsigned kind, uint32_t object, uint64_t detail) {
  const struct sim_wait *w = &pto_seated(m, agent)->wait;
  if (w->kind != kind || w->object != object) account(m, agent);
  sim_block(&m->engine, m->seat[agent], (struct sim_wait){.kind = kind, .object = object, .detail = detail});
  m->waiting |= UINT64_C(1) << agent;
  pto_sleep(m, agent);
}

void pto_unblock(struct pto_machine *m, unsigned agent) {
  account(m, agent);
  sim_unblock(&m->engine, m->seat[agent]);
  m->waiting &= ~(UINT64_C(1) << agent);
}
