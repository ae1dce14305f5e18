/* The watchful run of progress.h. */
#include "observe/progress.h"

#include "observe/look.h"

/* Cycles without a sign of progress before the cores are looked at. A look lasts at most a window; after one in vain the next comes
 * eight windows later and lasts twice as long: a long computation pays an eighth of its time at most, a pause of any length between
 * two polls is seen through in time. */
#define QUIET_CYCLES 2048u
#define WINDOW_CYCLES 16384u
#define WINDOW_CYCLES_MAX (UINT32_C(1) << 24)
#define QUIET_WINDOWS 8u
#define STEP_CYCLES 64u

#define DRAIN_CYCLES_MAX 4096u

/* The words that a failed check leaves for the host are still in the core's store queue when it pauses. */
static void drain_stores(struct tx_tile *t, unsigned core) {
  sim_time last = t->engine.now + DRAIN_CYCLES_MAX;
  while (t->core[core].queue_count && t->engine.now < last && tx_tile_run(t, t->engine.now + 8) == SIM_END_TIME) {}
}

/* As tx_tile_run, up to a check of a kernel that does not hold. */
static enum sim_end run_to(struct tx_tile *t, const struct dbg_program *program, sim_time until) {
  struct tx_breaks *b = &t->unsaved.breaks;
  enum sim_end end;
  int failed = -1;
  b->at_ebreak = program != NULL;
  do {
    b->paused = 0;
    end = tx_tile_run(t, until);
    if (b->paused) failed = dbg_program_failed_core(program, t, b->paused);
  } while (end == SIM_END_STOPPED && failed < 0 && sim_paused_only(&t->engine));
  b->at_ebreak = 0;
  if (failed >= 0) drain_stores(t, (unsigned)failed);
  return failed >= 0 ? SIM_END_STOPPED : end;
}

/* SIM_END_BLOCKED: all orbits are closed; SIM_END_TIME: not so, or something happened. */
static enum sim_end follow_cores(const struct obs_look *look, const struct dbg_program *program, sim_time until) {
  struct tx_tile *t = look->t;
  uint64_t before = obs_work_done(t);
  while (t->engine.now < until) {
    sim_time stop = until - t->engine.now > STEP_CYCLES ? t->engine.now + STEP_CYCLES : until;
    enum sim_end end = run_to(t, program, stop);
    if (end != SIM_END_TIME) return end;
    if (obs_work_done(t) != before || !obs_only_cores_act(t) || obs_look_lost(look)) return SIM_END_TIME;
    if (obs_look_closed(look)) return SIM_END_BLOCKED;
  }
  return SIM_END_TIME;
}

static enum sim_end look_closely(struct tx_tile *t, const struct dbg_program *program, sim_time since, sim_time until) {
  struct obs_look look;
  if (!obs_look_begin(&look, t)) return SIM_END_TIME;
  enum sim_end end = follow_cores(&look, program, until);
  obs_look_end(&look, end == SIM_END_BLOCKED && obs_look_closed(&look), since);
  return end;
}

static sim_time at_most(sim_time now, sim_time cycles, sim_time until) {
  return until - now > cycles ? now + cycles : until;
}

enum sim_end obs_run(struct tx_tile *t, const struct dbg_program *program, sim_time until) {
  sim_time quiet = QUIET_CYCLES, window = WINDOW_CYCLES, since = t->engine.now; /* since when nothing has moved */
  for (;;) {
    uint64_t before = obs_work_done(t);
    enum sim_end end = run_to(t, program, at_most(t->engine.now, quiet, until));
    if (end != SIM_END_TIME || t->engine.now >= until) return end;
    bool moved = obs_work_done(t) != before || !obs_only_cores_act(t);
    if (!moved) {
      end = look_closely(t, program, since, at_most(t->engine.now, window, until));
      if (end != SIM_END_TIME || t->engine.now >= until) return end;
      moved = obs_work_done(t) != before || !obs_only_cores_act(t);
    }
    if (moved) since = t->engine.now;
    quiet = moved ? QUIET_CYCLES : QUIET_WINDOWS * window;
    window = moved ? WINDOW_CYCLES : window < WINDOW_CYCLES_MAX ? 2 * window : window;
  }
}
