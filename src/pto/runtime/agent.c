/* See agent.h. */
#include "pto/runtime/agent.h"

static uint64_t core_busy(const struct pto_machine *m, unsigned core) {
  const struct pto_stats *s = &m->stats;
  return s->core_busy[core] + (s->core_working[core] ? m->engine.now - s->core_began[core] : 0);
}

/* A wait for a flag, by the TPipe and by what the flag stands for. The scalar unit waits in advance: cycles in which a pipe of its core
 * works do not count. */
static void count_flag_wait(struct pto_machine *m, unsigned agent, const struct sim_wait *w) {
  unsigned core = agent / PTO_UNITS;
  const struct pto_queue *q = &m->queues[agent];
  const struct pto_instr *i = pto_instr_at(m, core, (uint32_t)(w->detail >> 32));
  bool of_scalar = agent % PTO_UNITS == PTO_S, pops = i->op == PTO_OP_TPOP || i->op == PTO_OP_TPOP_VIEW;
  bool ends = i->op == PTO_OP_CROSS_WAIT || i->op == PTO_OP_END || i->op == PTO_OP_PIPE_END;
  unsigned role = of_scalar ? (ends ? PTO_ROLE_NONE : pops ? PTO_ROLE_READY : PTO_ROLE_FREE) : q->items[q->head].role;
  int pipe = of_scalar ? i->pipe : q->items[q->head].pipe;
  if (pipe < 0 || pipe >= (int)PTO_PIPES_MAX || (role != PTO_ROLE_READY && role != PTO_ROLE_FREE)) return;
  const uint64_t cycles = m->engine.now - w->since - (core_busy(m, core) - m->stats.busy_before[agent]);
  m->stats.waited[pipe][core][role == PTO_ROLE_READY] += cycles;
  m->spent[core][of_scalar ? (uint32_t)(w->detail >> 32) : q->items[q->head].instr].waited += cycles;
}

bool pto_count_wait(struct pto_machine *m, unsigned agent) {
  const struct sim_wait *w = &pto_engine_agent(m, agent)->wait;
  if (!w->kind || w->kind >= PTO_WAIT_KINDS) return false;
  m->stats.stalled[agent][w->kind] += m->engine.now - w->since;
  if (w->kind == PTO_WAIT_FLAG) count_flag_wait(m, agent, w);
  return true;
}

/* Adds the wait that ends here to the stall table and the event log. */
static void account(struct pto_machine *m, unsigned agent) {
  const struct sim_wait *w = &pto_engine_agent(m, agent)->wait;
  if (!pto_count_wait(m, agent)) return;
  if (sim_log_wants(&m->log, PTO_EV_WAIT))
    sim_log_emit(&m->log,
                 &(struct sim_event){
                     .at = m->engine.now, .kind = PTO_EV_WAIT, .agent = agent, .a = w->kind, .b = w->object, .c = w->since});
}

void pto_stall(struct pto_machine *m, unsigned agent, unsigned kind, uint32_t object, uint64_t detail) {
  const struct sim_wait *w = &pto_engine_agent(m, agent)->wait;
  if (w->kind != kind || w->object != object) {
    account(m, agent);
    m->stats.busy_before[agent] = core_busy(m, agent / PTO_UNITS);
  }
  sim_block(&m->engine, m->engine_id[agent], (struct sim_wait){.kind = kind, .object = object, .detail = detail});
  m->waiting |= UINT64_C(1) << agent;
  pto_sleep(m, agent);
}

void pto_unblock(struct pto_machine *m, unsigned agent) {
  account(m, agent);
  sim_unblock(&m->engine, m->engine_id[agent]);
  m->waiting &= ~(UINT64_C(1) << agent);
}
