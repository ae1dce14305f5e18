/* See agent.h. */
#include "pto/runtime/agent.h"

/* Adds the wait that ends here to the stall table and the event log. */
static void account(struct pto_machine *m, unsigned agent) {
  const struct sim_wait *w = &pto_engine_agent(m, agent)->wait;
  if (!w->kind || w->kind >= PTO_WAIT_KINDS) return;
  m->stats.stalled[agent][w->kind] += m->engine.now - w->since;
  if (sim_log_wants(&m->log, PTO_EV_WAIT))
    sim_log_emit(&m->log,
                 &(struct sim_event){
                     .at = m->engine.now, .kind = PTO_EV_WAIT, .agent = agent, .a = w->kind, .b = w->object, .c = w->since});
}

void pto_stall(struct pto_machine *m, unsigned agent, unsigned kind, uint32_t object, uint64_t detail) {
  const struct sim_wait *w = &pto_engine_agent(m, agent)->wait;
  if (w->kind != kind || w->object != object) account(m, agent);
  sim_block(&m->engine, m->engine_id[agent], (struct sim_wait){.kind = kind, .object = object, .detail = detail});
  m->waiting |= UINT64_C(1) << agent;
  pto_sleep(m, agent);
}

void pto_unblock(struct pto_machine *m, unsigned agent) {
  account(m, agent);
  sim_unblock(&m->engine, m->engine_id[agent]);
  m->waiting &= ~(UINT64_C(1) << agent);
}
