/* Cross-core flags: a 4-bit counter for each core and id.
 *
 *   A2/A3, mode 2   the Cube's set of id k reaches both Vectors; the Vectors' sets reach the Cube once both have set it
 *   A5              the Cube sets k for AIV0 and k+16 for AIV1; AIV0 reaches the Cube's k, AIV1 its k+16
 *
 * A set is an effect: it is visible flag_cycles later. Each counter also records the setter of its credits, so that a credit taken
 * by the wrong pipe is detected. */
#include "pto/runtime/flags.h"

#include <string.h>

#include "pto/runtime/agent.h"
#include "pto/runtime/order.h"
#include "pto/runtime/report.h"

/* One Cube with one Vector (the TPUSH page's V2C2_VECS, the headers' V1C1): the Cube waits for only one. */
static bool one_vector(const struct pto_program *program) {
  for (unsigned i = 0; i < program->pipe_count; i++)
    for (unsigned core = 0; core < PTO_CORES; core++) {
      const struct pto_pipe_config *c = &program->pipes[i].end[core];
      if (program->pipes[i].has[core] && (!c->multi || c->ratio == PTO_V2C1_VECS)) return false;
    }
  return program->pipe_count > 0;
}

void pto_flags_init(struct pto_machine *m) {
  memset(m->flags, 0, sizeof m->flags);
  bool p2p = m->profile->point_to_point, single = one_vector(m->program);
  m->one_vector = single;
  for (unsigned core = 0; core < PTO_CORES; core++)
    for (unsigned id = 0; id < PTO_FLAGS; id++)
      m->flags[core][id].sem = sim_csem_make(4, PTO_FLAG_MAX, SIM_FULL_ERROR, SIM_ZERO_BLOCK,
                                             p2p               ? SIM_FAN_P2P
                                             : core == PTO_AIC ? SIM_FAN_REDUCE_MIN
                                                               : SIM_FAN_BROADCAST,
                                             core == PTO_AIC && !p2p && !single ? 2 : 1);
}

static void log_flag(struct pto_machine *m, unsigned core, unsigned flag, uint32_t line) {
  if (sim_log_wants(&m->log, PTO_EV_FLAG))
    sim_log_emit(&m->log, &(struct sim_event){.at = m->engine.now,
                                              .kind = PTO_EV_FLAG,
                                              .agent = core,
                                              .a = flag,
                                              .b = m->flags[core][flag].sem.value,
                                              .c = line});
}

void pto_flag_use(struct pto_machine *m, unsigned core, unsigned flag, int pipe, unsigned unit, uint32_t line) {
  struct pto_flag *f = &m->flags[core][flag];
  sim_csem_get(&f->sem);
  pto_order_take(m, core, flag, unit);
  log_flag(m, core, flag, line);
  if (f->origin_count == 0) return;
  unsigned at = f->origin_head;
  f->origin_head = (f->origin_head + 1) % 16;
  f->origin_count--;
  if (f->origin_pipe[at] != pipe && f->origin_pipe[at] >= 0 && pipe >= 0)
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_COLLISION,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)unit,
                                     .pipe = (int16_t)pipe,
                                     .flag = (uint8_t)flag,
                                     .detail = (uint16_t)f->origin_pipe[at],
                                     .line = line,
                                     .other_line = f->origin_line[at]});
}

/* Wakes those of the agents in `waiting` that wait for the flag. */
static void wake_waiters(struct pto_machine *m, uint64_t waiting, uint32_t object) {
  for (; waiting; waiting &= waiting - 1) {
    unsigned agent = (unsigned)__builtin_ctzll(waiting);
    const struct sim_wait *w = &pto_engine_agent(m, agent)->wait;
    if (w->kind == PTO_WAIT_FLAG && w->object == object) pto_wake(m, agent, m->engine.now);
  }
}

__attribute__((cold)) static void overflow(struct pto_machine *m, unsigned core, unsigned flag, const struct sim_effect *e,
                                           bool later) {
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_OVERFLOW,
                                   .core = (uint8_t)core,
                                   .other_core = (uint8_t)e->w[0],
                                   .pipe = (int16_t)(int32_t)e->w[2],
                                   .flag = (uint8_t)flag,
                                   .detail = later ? PTO_UNORDERED : 0,
                                   .line = e->w[3]});
}

static void post(struct pto_machine *m, unsigned core, unsigned flag, unsigned source, const struct sim_effect *e) {
  struct pto_flag *f = &m->flags[core][flag];
  uint16_t before = f->sem.value;
  f->sets[e->w[0]]++;
  f->set_line[e->w[0]] = e->w[3];
  if (sim_csem_post(&f->sem, source) == SIM_CSEM_OVERFLOW) {
    overflow(m, core, flag, e, false);
    return;
  }
  if (!pto_order_post(m, core, flag, f->sem.sources > 1 ? source : 0, e->w[5])) overflow(m, core, flag, e, true);
  if (f->sem.value == before) return;
  log_flag(m, core, flag, e->w[3]);
  unsigned at = (f->origin_head + f->origin_count) % 16;
  f->origin_pipe[at] = (int16_t)(int32_t)e->w[2];
  f->origin_line[at] = e->w[3];
  if (f->origin_count < 16) f->origin_count++;
  uint64_t waiting = m->waiting & pto_core_agents(core);
  if (waiting) wake_waiters(m, waiting, core * PTO_FLAGS + flag);
}

/* Delivers a set to the cores that the profile defines. */
static void post_all(struct pto_machine *m, const struct sim_effect *e) {
  unsigned setter = e->w[0], id = e->w[1];
  if (m->profile->point_to_point && setter == PTO_AIC) {
    post(m, id < 16 ? PTO_AIV0 : PTO_AIV1, id % 16, 0, e);
  } else if (m->profile->point_to_point) {
    post(m, PTO_AIC, (id % 16) + (setter == PTO_AIV1 ? 16u : 0u), 0, e);
  } else if (setter == PTO_AIC) {
    for (unsigned core = PTO_AIV0; core <= PTO_AIV1; core++) /* one Cube, one Vector: only one core to reach */
      if (!m->one_vector || m->cores[core].present) post(m, core, id % PTO_FLAGS, 0, e);
  } else {
    post(m, PTO_AIC, id % PTO_FLAGS, setter - PTO_AIV0, e);
  }
}

void pto_flag_effect(struct pto_machine *m, const struct sim_effect *e) {
  for (uint32_t n = 0; n < e->w[4]; n++) post_all(m, e);
}

void pto_flag_set(struct pto_machine *m, unsigned core, unsigned unit, unsigned flag, int pipe, uint32_t line,
                  uint32_t count) {
  struct sim_effect e = {.at = m->engine.now + m->profile->flag_cycles,
                         .kind = 1,
                         .agent = (uint16_t)core,
                         .w = {core, flag, (uint32_t)pipe, line, count}};
  if (!count) return;
  e.w[5] = pto_order_send(m, core, unit);
  if (!sim_effect_at(&m->engine, e)) {
    sim_fault_set(&m->fault, SIM_FAULT_CAPACITY, m->engine.now, "", "too many flags in flight");
    sim_stop(&m->engine);
  }
}
