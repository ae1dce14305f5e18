/* A baby core as an agent of the tile: reset, start, and its turns. */
#include "tensix/riscv/core.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/frontend/autosync_access.h"
#include "tensix/lap_notes.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/riscv/core_log.h"
#include "tensix/riscv/execute.h"
#include "tensix/riscv/halt.h"
#include "tensix/riscv/interrupt.h"
#include "tensix/riscv/memory.h"
#include "tensix/riscv/queue.h"
#include "tensix/riscv/run.h"
#include "tensix/riscv/spin.h"

static unsigned agent_of(unsigned core) { return TX_AGENT_TRISC0 + core; }

uint64_t tx_core_cycles(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = sim_keep(&t->core[core]);
  if (c->state == TX_CORE_HELD) return 0;
  if (c->state == TX_CORE_EBREAK) return c->clock - c->started_at;
  return t->engine.now - c->started_at;
}

/* --- reset --- */

/* The default reset pc of a core. ISA: SoftReset.md */
static uint32_t default_reset_pc(unsigned core) {
  static const uint32_t pcs[TX_CORES] = TX_RESET_PCS;
  return pcs[core];
}

static void set_csrs(struct tx_core *c) {
  c->csr[0] = TX_CFG0_RESET;
  c->csr[TX_CSR_VLENB] = 16;
}

/* Emitted stores no longer belong to the core: they still arrive. */
static void clear(struct tx_core *c) {
  uint32_t under_way = c->l1_under_way;
  sim_time arrival = c->l1_arrival;
  memset(c, 0, sizeof *c);
  c->l1_under_way = under_way;
  c->l1_arrival = arrival;
  set_csrs(c);
}

void tx_core_end_aside(struct tx_tile *t, unsigned core) {
  if (!(t->engine.aside >> agent_of(core) & 1u)) return;
  t->engine.aside &= ~(UINT64_C(1) << agent_of(core));
  if (tx_lap_noting(t)) tx_lap_refuse(t, "a core aside takes a turn");
}

void tx_core_reset(struct tx_tile *t, unsigned core) {
  set_csrs(&t->core[core]);
  t->core[core].reset_pc = default_reset_pc(core);
  sim_done(&t->engine, agent_of(core));
}

void tx_core_start(struct tx_tile *t, unsigned core, uint32_t pc) {
  struct tx_core *c = sim_keep(&t->core[core]);
  clear(c);
  tx_core_end_aside(t, core);
  struct tx_shadow *shadow = t->unsaved.ports->shadow;
  if (shadow) {
    uint64_t all = shadow[core].tainted & TX_SHADOW_ALL;
    memset(&shadow[core], 0, sizeof *shadow);
    shadow[core].tainted = all;
  }
  if (core < TX_THREADS) tx_autosync_end_load(t, core);
  tx_interrupt_reset(t, core);
  tx_halt_arm(t, core);
  c->state = TX_CORE_RUNNING;
  c->pc = c->reset_pc = pc;
  c->started_at = c->clock = t->engine.now + 1;
  /* ISA: README.md, "Local Data RAM": up to 2048 cycles of clearing, during which the core's accesses stall; one word per cycle */
  if (t->timing && t->params.local_ram_clears) c->local_ready = c->clock + tx_core_local_bytes(core) / 4;
  sim_unblock(&t->engine, agent_of(core));
  sim_sleep_until(&t->engine, agent_of(core), c->clock);
}

void tx_core_stop(struct tx_tile *t, unsigned core) {
  struct tx_core *c = sim_keep(&t->core[core]);
  tx_l1_yield(t, core, 0);                                /* it makes no more requests */
  if (sim_log_wants(&t->unsaved.log, TX_EVENT_CORE_WAIT)) /* the wait that ends here */
    tx_core_log_wait(&(struct tx_core_run){.t = t, .c = c, .core = core, .agent = agent_of(core), .now = t->engine.now});
  c->state = TX_CORE_HELD;
  tx_core_end_aside(t, core);
  if (core < TX_THREADS) tx_autosync_end_load(t, core);
  memset(&c->waiting, 0, sizeof c->waiting);
  memset(c->queue, 0, sizeof c->queue);
  c->queue_count = c->refused = c->spin.parked = c->spin.seen = 0;
  sim_done(&t->engine, agent_of(core));
}

/* --- its turn --- */

/* The next action: at its own time, when a store is due, or at the event for which its waiting load or rejected store
 * waits. */
static inline __attribute__((always_inline)) void schedule(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  struct sim_engine *engine = &run->t->engine;
  sim_time at = c->state == TX_CORE_RUNNING ? run->wake : SIM_NEVER, due = tx_queue_due(c);
  uint64_t channels = run->channels;
  if (due < at) at = due;
  if (c->refused) {
    channels |= c->refused_channels;
    if (c->refused_retry && c->refused_retry < at) at = c->refused_retry;
  }
  if (c->waiting.kind) {
    channels |= c->waiting.channels;
    if (c->waiting.retry_at && c->waiting.retry_at < at) at = c->waiting.retry_at;
  }
  bool idle = c->state != TX_CORE_RUNNING && !c->queue_count && !c->waiting.kind;
  if (idle) {
    sim_done(engine, run->agent);
    return;
  }
  tx_block(run->t, run->agent, &run->wait);
  tx_assert(channels || at != SIM_NEVER); /* something wakes it */
  if (channels) sim_sleep_on(engine, run->agent, channels, at);
  else sim_sleep_until(engine, run->agent, at);
}

static bool is_due(sim_time at, sim_time now) { return at && at <= now; }

/* The core repeats its request for room in FIFO 1, with no other event since: most of its turns while its thread is behind.
 * true: there is still none. */
static bool waits_for_fifo(struct tx_core_run *run, bool logged) {
  struct tx_core *c = run->c;
  const struct tx_tile *t = run->t;
  if (!c->held || t->engine.agents[run->agent].wait.kind != TX_BLOCKED_FIFO || run->core >= TX_THREADS || !t->timing)
    return false;
  if (logged || c->waiting.kind || c->one_by_one || c->state != TX_CORE_RUNNING || t->fault.kind) return false;
  if (t->unsaved.breaks.filter[run->core] || (c->pc & ~15u) + 1 != c->fetch.line || !tx_queue_fifo_is_full(run))
    return false;
  c->clock = tx_later_of(c->clock, run->now);
  return true;
}

/* The core has run ahead as far as the stores in its queue let it, one of which has left now: it would find nothing to do. */
static bool only_drains(struct tx_core_run *run) {
  const struct tx_core *c = run->c;
  if (c->clock <= run->now || c->held || c->waiting.kind || c->one_by_one) return false;
  run->wake = c->clock;
  return true;
}

/* The load that waits, the stores that are due, and then instructions as far as they go. */
static void proceed(struct tx_core_run *run, bool woken, bool logged) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  if (c->waiting.kind == TX_WAITING_LOAD && (woken || is_due(c->waiting.retry_at, run->now))) tx_core_retry_load(run);
  if (c->refused && (woken || is_due(c->refused_retry, run->now))) tx_queue_ask_again(c);
  if (c->queue_count) {
    tx_queue_drain(run);
    if (c->queue_count && !logged && only_drains(run)) return;
  }
  if (c->held) { /* it repeats the request now, in its own cycle */
    c->held = 0;
    c->clock = tx_later_of(c->clock, run->now);
  }
  if (c->state != TX_CORE_RUNNING || t->fault.kind) return;
  if (logged) (t->timing ? tx_core_run_timed_logged : tx_core_run_plain_logged)(run);
  else if (t->unsaved.ports->shadow) (t->timing ? tx_core_run_timed_checked : tx_core_run_plain_checked)(run);
  else if (t->timing) tx_core_run_timed(run);
  else tx_core_run_plain(run);
}

/* The turn is its thread's, which began in an earlier cycle: from then on the core sleeps, and FIFO 1 has signalled. */
__attribute__((noinline)) static void sleep_beside_thread(struct tx_core_run *run) {
  struct sim_engine *engine = &run->t->engine;
  const sim_time now = engine->now;
  engine->now = run->handed;
  if (run->c->retired != run->retired) sim_unblock(engine, run->agent);
  schedule(run);
  sim_signal(engine, TX_CH(TX_CH_FIFO + run->core), run->handed + 1);
  engine->now = now;
}

/* A parked core has been woken. true: timing off, and its next poll is not due yet: it sleeps until then. Time must not advance with it, or the end of its turn would
 * depend on where the run is cut. */
static bool resume_later(struct tx_core_run *run) {
  tx_spin_resume(run);
  run->wake = run->c->clock;
  return run->t->engine.in_turns && run->c->clock > run->now;
}

/* One turn; `limit` as in tx_core_run, in the end that of the present turn. false: another agent has the turn. */
static bool act(struct tx_tile *t, unsigned core, sim_time *limit) {
  struct tx_core *c = sim_keep(&t->core[core]);
  tx_assert(core < TX_CORES && c->retire_next < TX_CORE_RETIRE && c->queue_count <= TX_CORE_STORES);
  struct tx_core_run run = {.t = t,
                            .c = c,
                            .fe = core < TX_THREADS ? sim_keep(&t->frontend[core]) : NULL,
                            .core = core,
                            .agent = agent_of(core),
                            .now = t->engine.now,
                            .limit = *limit,
                            .retired = c->retired,
                            .horizon = c->one_by_one && t->timing ? t->engine.now : tx_core_horizon(t)};
  if (c->state == TX_CORE_HELD) {
    sim_done(&t->engine, run.agent);
    return true;
  }
  if (c->one_by_one && tx_core_steps_back(&run)) return false;
  tx_lap_begin_turn(t, core);
  const bool logged = t->unsaved.log.mask & TX_EVENTS_OF_CORES || t->unsaved.what_if;
  if (logged && sim_log_wants(&t->unsaved.log, TX_EVENT_CORE_WAIT)) tx_core_log_wait(&run);
  const bool sleeps = c->spin.parked && resume_later(&run);
  /* repeats the request then, not when it acts for other reasons */
  const bool woken = sim_take_signal(&t->engine, run.agent);
  if (!sleeps && !waits_for_fifo(&run, logged)) proceed(&run, woken, logged);
  *limit = run.limit;
  if (run.handed) {
    sleep_beside_thread(&run);
    return false;
  }
  /* a turn may contain the end of one wait and the start of the next: the second one is a new wait */
  if (!t->timing && c->retired != run.retired && !c->spin.parked) sim_unblock(&t->engine, run.agent);
  if (!c->spin.parked && !t->fault.kind) schedule(&run);
  return true;
}

void tx_core_issue(struct tx_tile *t, unsigned core) {
  sim_time limit = 0;
  act(t, core, &limit);
}

void tx_core_run_sole(struct tx_tile *t, unsigned core, sim_time limit) {
  struct sim_agent *agent = &t->engine.agents[agent_of(core)];
  for (;;) {
    if (!act(t, core, &limit)) return;
    if (agent->at <= t->engine.now) agent->at = t->engine.now + 1;
    if (t->engine.stop || agent->at >= limit || sim_must_return(&t->engine, agent->at)) return;
    if (t->engine.in_turns && agent->at > t->engine.now + SIM_NAP_CYCLES) return;
    tx_assert(agent->at > t->engine.now && agent->at < limit);
    t->engine.now = agent->at;
  }
}
