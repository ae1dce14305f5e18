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

/* SIM_END_BLOCKED: all orbits are closed; SIM_END_TIME: not so, or something happened. */
static enum sim_end follow_cores(const struct obs_look *look, sim_time until) {
  struct tx_tile *t = look->t;
  uint64_t before = obs_work_done(t);
  while (t->engine.now < until) {
    sim_time stop = until - t->engine.now > STEP_CYCLES ? t->engine.now + STEP_CYCLES : until;
    enum sim_end end = tx_tile_run(t, stop);
    if (end != SIM_END_TIME) return end;
    if (obs_work_done(t) != before || !obs_only_cores_act(t) || obs_look_lost(look)) return SIM_END_TIME;
    if (obs_look_closed(look)) return SIM_END_BLOCKED;
  }
  return SIM_END_TIME;
}

static enum sim_end look_closely(struct tx_tile *t, sim_time since, sim_time until) {
  struct obs_look look;
  if (!obs_look_begin(&look, t)) return SIM_END_TIME;
  enum sim_end end = follow_cores(&look, until);
  obs_look_end(&look, end == SIM_END_BLOCKED && obs_look_closed(&look), since);
  return end;
}

static sim_time at_most(sim_time now, sim_time cycles, sim_time until) {
  return until - now > cycles ? now + cycles : until;
}

enum sim_end obs_run(struct tx_tile *t, sim_time until) {
  sim_time quiet = QUIET_CYCLES, window = WINDOW_CYCLES, since = t->engine.now; /* since when nothing has moved */
  for (;;) {
    uint64_t before = obs_work_done(t);
    enum sim_end end = tx_tile_run(t, at_most(t->engine.now, quiet, until));
    if (end != SIM_END_TIME || t->engine.now >= until) return end;
    bool moved = obs_work_done(t) != before || !obs_only_cores_act(t);
    if (!moved) {
      end = look_closely(t, since, at_most(t->engine.now, window, until));
      if (end != SIM_END_TIME || t->engine.now >= until) return end;
      moved = obs_work_done(t) != before || !obs_only_cores_act(t);
    }
    if (moved) since = t->engine.now;
    quiet = moved ? QUIET_CYCLES : QUIET_WINDOWS * window;
    window = moved ? WINDOW_CYCLES : window < WINDOW_CYCLES_MAX ? 2 * window : window;
  }
}
