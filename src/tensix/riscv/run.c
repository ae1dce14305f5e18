/* The helpers of run.h. */
#include "tensix/riscv/run.h"

#include "tensix/lap_notes.h"

const char *tx_core_name(unsigned core) {
  static const char *const names[TX_CORES] = {"TRISC0", "TRISC1", "TRISC2", "BRISC", "NCRISC"};
  return names[core];
}

const char *tx_core_name_in(const struct tx_tile *t, unsigned core) {
  if (!t->ethernet.on) return tx_core_name(core);
  return core == TX_CORE_NCRISC ? "ERISC1" : "ERISC0";
}

sim_time tx_core_horizon(const struct tx_tile *t) {
  sim_time now = t->engine.now, until = t->unsaved.cores.until;
  const bool logged = t->unsaved.log.mask & TX_EVENTS_OF_CORES;
  if (logged && (!t->timing || t->unsaved.log.ordered & TX_EVENTS_OF_CORES)) return now; /* a log is in order of time */
  if (t->unsaved.what_if) return now;
  if (t->engine.in_turns) {
    sim_time limit = t->engine.turn_end <= until ? t->engine.turn_end : until + 1;
    return limit > now ? limit - 1 : now;
  }
  sim_time at = now + (until > t->engine.until && !logged ? TX_CORE_AHEAD_WINDOW : TX_CORE_AHEAD) - 1;
  return at < until ? at : tx_later_of(until, now);
}

bool tx_core_steps_aside(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  struct sim_engine *engine = &run->t->engine;
  if (!engine->in_turns || !run->limit || run->core < TX_THREADS || run->t->ethernet.on) return false;
  if (c->queue_count || c->waiting.kind || c->l1_under_way || c->one_by_one) return false;
  c->polls.clock_pc = UINT32_MAX;
  c->clock = tx_later_of(c->clock, engine->now); /* its time begins with the cycle that it would read in its turn */
  sim_turn_step_aside(engine, run->agent);
  return true;
}

/* Its turn has a place in the order of the others, so it is no longer apart from a lap. */
void tx_core_step_back(struct tx_core_run *run) {
  sim_turn_step_back(&run->t->engine, run->agent);
  if (tx_lap_noting(run->t)) tx_lap_refuse(run->t, "a core aside takes a turn");
}
