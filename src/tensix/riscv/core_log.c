/* The events of core_log.h. */
#include "tensix/riscv/core_log.h"

#define CLOCK (TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0)
enum { BY_CLOCK = 2 }; /* in tx_core_log.by_load */

static struct tx_core_log *log_of(struct tx_core_run *run) { return &run->t->unsaved.cores.log[run->core]; }

/* Logs all cycles up to `until` for this reason, in cycle `at`. */
static void emit_slowly(struct tx_core_run *run, sim_time at, sim_time until, uint32_t reason, uint32_t object,
                        uint32_t pc) {
  struct tx_core_log *log = log_of(run);
  while (log->next < until) {
    sim_time cycles = until - log->next < UINT32_MAX ? until - log->next : UINT32_MAX;
    sim_log_emit(&run->t->unsaved.log, &(struct sim_event){.at = at,
                                                           .kind = TX_EVENT_CORE_WAIT,
                                                           .agent = run->agent,
                                                           .a = reason,
                                                           .b = pc,
                                                           .c = cycles | (uint64_t)object << 32});
    log->next += cycles;
  }
}

static inline void emit_until(struct tx_core_run *run, sim_time at, sim_time until, uint32_t reason, uint32_t object,
                              uint32_t pc) {
  if (log_of(run)->next < until) emit_slowly(run, at, until, reason, object, pc);
}

/* The first event since the core left reset. */
static inline void begin(struct tx_core_run *run) {
  struct tx_core_log *log = log_of(run);
  if (__builtin_expect(log->next >= run->c->started_at && log->next, 1)) return;
  *log = (struct tx_core_log){.next = run->c->started_at, .busy = TX_REASON_PIPELINE};
}

struct tx_core_late tx_core_log_late(const struct tx_core *c, const struct tx_insn *d, sim_time enter,
                                     const struct tx_core_log *log) {
  struct tx_core_late late = {.clock = c->clock, .enter = enter, .reason = TX_REASON_PIPELINE};
  const uint8_t sources[3] = {d->rs1, d->rs2, d->rs3};
  if (enter <= c->clock) return late;
  if (enter == c->fetch.ready) late.reason = TX_REASON_FETCH;
  else if (enter == c->retire[c->retire_next]) late.reason = TX_REASON_RETIRE;
  for (unsigned i = 0; i < 3; i++)
    if (enter == c->ready[sources[i]]) {
      late.reason = log->by_load[sources[i]] ? TX_REASON_LOAD : TX_REASON_OPERAND;
      late.object = log->by_load[sources[i]] == BY_CLOCK ? CLOCK : 0;
    }
  return late;
}

static uint32_t reason_behind(const struct tx_insn *d) {
  switch (d->class) {
    case TX_RV_CLASS_BRANCH:
    case TX_RV_CLASS_JAL:
    case TX_RV_CLASS_JALR: return TX_REASON_MISPREDICT;
    case TX_RV_CLASS_DIV: return TX_REASON_DIVIDE;
    default: return TX_REASON_PIPELINE;
  }
}

static bool uses_port(const struct tx_insn *d) {
  const uint32_t classes = 1u << TX_RV_CLASS_LOAD | 1u << TX_RV_CLASS_STORE | 1u << TX_RV_CLASS_AMO |
                           1u << TX_RV_CLASS_FENCE | 1u << TX_RV_CLASS_CSR | 1u << TX_RV_CLASS_TTINSN;
  return classes >> d->class & 1u;
}

/* Who waits for a load of the clock waits for a time: what the load itself takes is no cost of the memory. */
static uint8_t loaded(const struct tx_core *c, uint32_t pc) {
  const unsigned i = c->polls.current;
  return c->polls.address[i] == CLOCK && c->polls.pc[i] == pc ? BY_CLOCK : 1;
}

void tx_core_log_instruction(struct tx_core_run *run, const struct tx_insn *d, uint32_t pc,
                             const struct tx_core_late *late) {
  struct tx_core_log *log = log_of(run);
  sim_time at = tx_later_of(run->t->engine.now, late->enter); /* later: the core runs ahead */
  begin(run);
  uint32_t busy = log->busy == TX_REASON_PIPELINE && uses_port(d) ? TX_REASON_PORT : log->busy;
  if (log->next < at) {
    emit_until(run, at, late->clock < at ? late->clock : at, busy, log->object, pc);
    emit_until(run, at, late->enter, late->reason, late->object, pc);
    emit_until(run, at, at, TX_REASON_PORT, 0, pc);
  }
  tx_core_log_plain(run, d, pc, at);
  log->next = at + 1;
  log->busy = reason_behind(d);
  log->object = 0;
  log->by_load[d->rd] = d->class == TX_RV_CLASS_LOAD ? loaded(run->c, pc) : d->class == TX_RV_CLASS_AMO;
  if (d->class == TX_RV_CLASS_LOAD && tx_core_is_aside(run) &&
      log->by_load[d->rd] == BY_CLOCK) { /* the pause up to its next look */
    log->busy = TX_REASON_LOAD;
    log->object = CLOCK;
  }
}

/* Cycles before the start of the wait belong to the preceding instruction. The rest of a poll after the core was woken
 * belongs to the wait. */
void tx_core_log_wait(struct tx_core_run *run) {
  struct tx_core_log *log = log_of(run);
  const struct sim_wait *wait = &run->t->engine.agents[run->agent].wait;
  if (!wait->kind || run->c->state != TX_CORE_RUNNING) return;
  begin(run);
  emit_until(run, run->now, wait->since, log->busy, log->object, run->c->pc);
  log->busy = wait->kind;
  log->object = wait->object;
  emit_until(run, run->now, run->now, log->busy, log->object, run->c->pc);
}
