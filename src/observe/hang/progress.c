/* The monitored run of progress.h. */
#include "observe/hang/progress.h"

/* Cycles without progress before the cores are examined. An examination lasts at most a window; after a failed one the next
 * follows eight windows later and is twice as long: a long computation costs at most an eighth more, and a pause of any
 * length between two polls is eventually covered. */
#define QUIET_CYCLES 2048u
#define WINDOW_CYCLES 16384u
#define WINDOW_CYCLES_MAX (UINT32_C(1) << 24)
#define QUIET_WINDOWS 8u
#define STEP_CYCLES 64u

#define DRAIN_CYCLES_MAX 4096u

/* The words that a failed check writes for the host are still in the core's store queue, or on their way to L1, when it stops. */
static void drain_stores(struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  sim_time last = t->engine.now + DRAIN_CYCLES_MAX;
  while ((c->queue_count || c->l1_under_way) && t->engine.now < last && tx_tile_run(t, t->engine.now + 8) == SIM_END_TIME) {}
}

/* As tx_lap_run, up to a failed check of a kernel. */
static enum sim_end run_to(struct tx_tile *t, const struct dbg_program *program, struct tx_lap *lap, sim_time until,
                           sim_time furthest) {
  struct tx_breaks *b = &t->unsaved.breaks;
  enum sim_end end;
  int failed = -1;
  b->at_ebreak = program != NULL;
  do {
    b->paused = 0;
    end = tx_lap_run(lap, t, until, furthest);
    if (b->paused) failed = dbg_program_failed_core(program, t, b->paused);
  } while (end == SIM_END_STOPPED && failed < 0 && !t->fault.kind && sim_paused_only(&t->engine));
  b->at_ebreak = 0;
  if (failed >= 0) drain_stores(t, (unsigned)failed);
  return failed >= 0 ? SIM_END_STOPPED : end;
}

static sim_time at_most(sim_time now, sim_time cycles) {
  return SIM_NEVER - 1 - now > cycles ? now + cycles : SIM_NEVER - 1;
}

static void begin_quiet(struct obs_progress *p, const struct tx_tile *t) {
  p->phase = OBS_PROGRESS_QUIET;
  p->work = obs_work_done(t);
  p->stores = obs_stores_done(t);
  p->at = at_most(t->engine.now, p->quiet);
}

static bool has_moved(const struct obs_progress *p, const struct tx_tile *t) {
  return obs_work_done(t) != p->work || !obs_only_cores_act(t);
}

/* A phase without an examination, or with a failed one, has ended. Where cores begin or cease to store the windows are short again. */
static void go_on(struct obs_progress *p, const struct tx_tile *t, bool moved) {
  bool stored = obs_stores_done(t) != p->stores;
  if (moved || stored) p->since = t->engine.now;
  moved |= (bool)p->stored != stored;
  p->stored = stored;
  p->quiet = moved ? QUIET_CYCLES : QUIET_WINDOWS * p->window;
  p->window = moved ? WINDOW_CYCLES : p->window < WINDOW_CYCLES_MAX ? 2 * p->window : p->window;
  begin_quiet(p, t);
}

/* Cores have stored for the first time: if they do so again, or no longer, they are examined. */
static bool begin_to_store(struct obs_progress *p, const struct tx_tile *t) {
  if (p->stored || obs_stores_done(t) == p->stores) return false;
  p->stored = 1;
  p->quiet = QUIET_CYCLES;
  p->window = WINDOW_CYCLES;
  p->since = t->engine.now;
  begin_quiet(p, t);
  return true;
}

static void end_quiet(struct obs_progress *p, struct tx_tile *t) {
  bool moved = has_moved(p, t);
  if (!moved && begin_to_store(p, t)) return;
  if (moved || !obs_look_begin(&p->look, t, p->window)) {
    go_on(p, t, moved);
    return;
  }
  p->phase = OBS_PROGRESS_LOOK;
  p->look_until = at_most(t->engine.now, p->window);
  p->at = at_most(t->engine.now, STEP_CYCLES);
}

/* true: all orbits are closed. */
static bool end_step(struct obs_progress *p, struct tx_tile *t) {
  bool moved = has_moved(p, t), closed = !moved && obs_look_closed(&p->look);
  if (closed || moved || obs_look_lost(&p->look) || t->engine.now >= p->look_until) {
    obs_look_end(&p->look, closed, p->since);
    if (!closed) go_on(p, t, moved);
    return closed;
  }
  p->at = p->look_until - t->engine.now > STEP_CYCLES ? t->engine.now + STEP_CYCLES : p->look_until;
  return false;
}

/* Laps were repeated beyond the time of the next question. In each cycle in which it would have been asked the machine had moved since the one before: the
 * words of a lap are closer to each other. */
static void pass_laps(struct obs_progress *p, const struct tx_tile *t, sim_time last_word) {
  const sim_time asked = p->at + (t->engine.now - p->at) / QUIET_CYCLES * QUIET_CYCLES;
  go_on(p, t, true);
  p->since = asked;
  p->at = at_most(asked, p->quiet);
  if (last_word > asked) p->work--; /* it has moved since */
}

enum sim_end obs_run_on(struct obs_progress *p, struct tx_tile *t, const struct dbg_program *program, struct tx_lap *lap,
                        sim_time until) {
  if (p->phase == OBS_PROGRESS_NONE) {
    *p = (struct obs_progress){.quiet = QUIET_CYCLES, .window = WINDOW_CYCLES, .since = t->engine.now};
    begin_quiet(p, t);
  }
  if (p->phase == OBS_PROGRESS_LOOK && !obs_look_resume(&p->look, t)) go_on(p, t, false);
  for (;;) {
    const bool looks = p->phase == OBS_PROGRESS_LOOK;
    enum sim_end end = run_to(t, program, looks ? NULL : lap, p->at < until ? p->at : until, until);
    const sim_time last_word = tx_lap_told(lap).last_word;
    if (!looks && end == SIM_END_TIME && t->engine.now > p->at && last_word) {
      pass_laps(p, t, last_word);
      if (t->engine.now < until) continue;
    }
    bool over = end != SIM_END_TIME || t->engine.now < p->at; /* or the caller's limit is reached */
    if (!over && p->phase == OBS_PROGRESS_QUIET) end_quiet(p, t);
    else if (!over && end_step(p, t)) end = SIM_END_BLOCKED;
    if (!over && end == SIM_END_TIME && t->engine.now < until) continue;
    tx_lap_pause(lap, t);
    if (p->phase == OBS_PROGRESS_LOOK) obs_look_pause(&p->look);
    if (end == SIM_END_DONE || end == SIM_END_BLOCKED) p->phase = OBS_PROGRESS_NONE;
    return end;
  }
}
