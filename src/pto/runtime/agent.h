/* Pipes as agents of the engine: sleeping, waking, blocking. */
#ifndef TESSERA_PTO_RUNTIME_AGENT_H
#define TESSERA_PTO_RUNTIME_AGENT_H

#include "pto/runtime/state.h"

static inline uint64_t pto_core_agents(unsigned core) {
  return ((UINT64_C(1) << PTO_UNITS) - 1) << (core * (unsigned)PTO_UNITS);
}

/* The engine's state of an agent that takes part in the run. */
static inline struct sim_agent *pto_engine_agent(struct pto_machine *m, unsigned agent) {
  return &m->engine.agents[m->engine_id[agent]];
}

static inline void pto_wake(struct pto_machine *m, unsigned agent, sim_time at) {
  struct sim_agent *a = pto_engine_agent(m, agent);
  if (a->state == SIM_AGENT_EVENT && at < a->at) a->at = at;
}
static inline void pto_sleep_until(struct pto_machine *m, unsigned agent, sim_time at) {
  sim_sleep_until(&m->engine, m->engine_id[agent], at);
}
static inline void pto_sleep(struct pto_machine *m, unsigned agent) {
  sim_sleep_on(&m->engine, m->engine_id[agent], UINT64_C(1) << m->engine_id[agent], SIM_NEVER);
}
void pto_stall(struct pto_machine *m, unsigned agent, unsigned kind, uint32_t object, uint64_t detail);
void pto_unblock(struct pto_machine *m, unsigned agent);
bool pto_count_wait(struct pto_machine *m,
                    unsigned agent); /* adds the wait up to now to the statistics; false: there is none */
/* With this what-if the core does not wait for a flag of this pipe and role. */
static inline bool pto_waits_not(const struct pto_machine *m, unsigned core, int pipe, unsigned role) {
  const struct pto_what_if *w = &m->what_if;
  return w->no_wait >> core & 1u && w->wait_pipe == pipe &&
         role == (w->wait_for_tile ? (unsigned)PTO_ROLE_READY : (unsigned)PTO_ROLE_FREE);
}
static inline void pto_unstall(struct pto_machine *m, unsigned agent) {
  if (pto_engine_agent(m, agent)->wait.kind) pto_unblock(m, agent);
}

#endif
