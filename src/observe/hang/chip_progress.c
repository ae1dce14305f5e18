/* The monitored run of chip_progress.h. */
#include "observe/hang/chip_progress.h"

#include <stdlib.h>

#include "observe/hang/look.h"

/* Cycles without progress before the cores are examined, and the length of an examination; after a failed one the next
 * follows eight lengths later and is twice as long. Both together are far below the 20,000 cycles within which a hang must
 * be detected. */
#define QUIET_CYCLES 4096u
#define LOOK_CYCLES 8192u
#define LOOK_CYCLES_MAX (UINT32_C(1) << 24)
#define QUIET_LOOKS 8u
#define STEP_CYCLES 256u

static struct tx_tile *cores_of(struct chip *c, unsigned tile) {
  struct chip_endpoint *e = chip_endpoint_peek(c, tile);
  return e->self && e->ops->run ? e->self : NULL;
}

static uint64_t work_of(struct chip *c) {
  uint64_t sum = chip_packets(c);
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    sum += chip_traffic(c, tile) + (t ? obs_work_done(t) : 0);
  }
  return sum;
}

static uint64_t stores_of(struct chip *c) {
  uint64_t sum = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    sum += t ? obs_stores_done(t) : 0;
  }
  return sum;
}

/* No packet is in flight, and only cores act. */
static bool is_quiet(struct chip *c) {
  if (!chip_quiet(c)) return false;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    if (t && !obs_only_cores_act(t)) return false;
  }
  return true;
}

/* --- the examination --- */

static void drop_looks(struct obs_chip_progress *p) {
  for (unsigned i = 0; i < p->count; i++) free(p->look[i]);
  p->count = 0;
}

/* false: no core spins; out of memory, or a log is full: no hang is reported. */
static bool begin_looks(struct obs_chip_progress *p, struct chip *c) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    struct tx_tile *t = cores_of(c, tile);
    if (!t || !obs_some_core_spins(t)) continue;
    struct obs_look *look = malloc(sizeof *look);
    if (look && obs_look_begin(look, t, p->length)) {
      p->look[p->count++] = look;
      continue;
    }
    free(look);
    for (unsigned i = 0; i < p->count; i++) obs_look_end(p->look[i], false, 0);
    drop_looks(p);
    return false;
  }
  return p->count != 0;
}

static void end_looks(struct obs_chip_progress *p, bool hangs) {
  for (unsigned i = 0; i < p->count; i++) obs_look_end(p->look[i], hangs, p->since);
  drop_looks(p);
}

/* Between two runs: the logs of the tiles belong to the caller. */
static void pause_looks(struct obs_chip_progress *p) {
  for (unsigned i = 0; i < p->count; i++) {
    struct tx_tile *t = p->look[i]->t;
    obs_look_pause(p->look[i]);
    p->look[i]->t = t; /* a chip keeps its tiles */
  }
}

static bool resume_looks(struct obs_chip_progress *p) {
  for (unsigned i = 0; i < p->count; i++) {
    if (obs_look_resume(p->look[i], p->look[i]->t)) continue;
    while (i-- > 0) obs_look_pause(p->look[i]);
    drop_looks(p);
    return false;
  }
  return true;
}

/* --- the phases --- */

static sim_time after(sim_time now, sim_time cycles) { return SIM_NEVER - 1 - now > cycles ? now + cycles : SIM_NEVER - 1; }

static void begin_quiet(struct obs_chip_progress *p, struct chip *c) {
  p->phase = OBS_PROGRESS_QUIET;
  p->work = work_of(c);
  p->stores = stores_of(c);
  p->at = after(chip_now(c), p->quiet);
}

static bool has_moved(const struct obs_chip_progress *p, struct chip *c) { return work_of(c) != p->work || !is_quiet(c); }

/* A phase without an examination, or with a failed one, has ended. Where cores begin or cease to store the lengths are short again. */
static void go_on(struct obs_chip_progress *p, struct chip *c, bool moved) {
  bool stored = stores_of(c) != p->stores;
  if (moved || stored) p->since = chip_now(c);
  moved |= (bool)p->stored != stored;
  p->stored = stored;
  p->quiet = moved ? QUIET_CYCLES : QUIET_LOOKS * p->length;
  p->length = moved ? LOOK_CYCLES : p->length < LOOK_CYCLES_MAX ? 2 * p->length : p->length;
  begin_quiet(p, c);
}

/* Cores have stored for the first time: if they do so again, or no longer, they are examined. */
static bool begin_to_store(struct obs_chip_progress *p, struct chip *c) {
  if (p->stored || stores_of(c) == p->stores) return false;
  p->stored = true;
  p->quiet = QUIET_CYCLES;
  p->length = LOOK_CYCLES;
  p->since = chip_now(c);
  begin_quiet(p, c);
  return true;
}

static void end_quiet(struct obs_chip_progress *p, struct chip *c) {
  bool moved = has_moved(p, c);
  if (!moved && begin_to_store(p, c)) return;
  if (moved || !begin_looks(p, c)) {
    go_on(p, c, moved);
    return;
  }
  p->phase = OBS_PROGRESS_LOOK;
  p->look_until = after(chip_now(c), p->length);
  p->at = after(chip_now(c), STEP_CYCLES);
}

static bool all_closed(const struct obs_chip_progress *p, bool *lost) {
  unsigned closed = 0;
  *lost = false;
  for (unsigned i = 0; i < p->count; i++) {
    *lost |= obs_look_lost(p->look[i]);
    closed += obs_look_closed(p->look[i]);
  }
  return closed == p->count;
}

/* true: all orbits are closed. */
static bool end_step(struct obs_chip_progress *p, struct chip *c) {
  bool lost, moved = has_moved(p, c), closed = all_closed(p, &lost) && !lost && !moved;
  if (closed || moved || lost || chip_now(c) >= p->look_until) {
    end_looks(p, closed);
    if (!closed) go_on(p, c, moved);
    return closed;
  }
  p->at = p->look_until - chip_now(c) > STEP_CYCLES ? chip_now(c) + STEP_CYCLES : p->look_until;
  return false;
}

void obs_chip_progress_reset(struct obs_chip_progress *p) {
  drop_looks(p);
  p->phase = OBS_PROGRESS_NONE;
}

static void begin(struct obs_chip_progress *p, struct chip *c) {
  p->quiet = QUIET_CYCLES;
  p->length = LOOK_CYCLES;
  p->since = chip_now(c);
  begin_quiet(p, c);
}

/* Time advances to the end if the chip is idle. */
static enum chip_end run_idle(struct obs_chip_progress *p, struct chip *c, enum chip_end ended, sim_time until) {
  end_looks(p, false);
  p->phase = OBS_PROGRESS_NONE;
  return chip_now(c) < until ? chip_run(c, until) : ended;
}

enum chip_end obs_chip_run(struct obs_chip_progress *p, struct chip *c, sim_time until, bool (*over)(const void *context),
                           const void *context) {
  enum chip_end ended;
  if (p->phase == OBS_PROGRESS_NONE) begin(p, c);
  if (p->phase == OBS_PROGRESS_LOOK && !resume_looks(p)) go_on(p, c, false);
  do {
    ended = chip_run(c, p->at < until ? p->at : until);
    if (ended == CHIP_END_DONE || ended == CHIP_END_BLOCKED) return run_idle(p, c, ended, until);
    if (ended != CHIP_END_TIME || chip_now(c) < p->at) break;
    if (p->phase == OBS_PROGRESS_QUIET) {
      end_quiet(p, c);
    } else if (end_step(p, c)) {
      p->phase = OBS_PROGRESS_NONE;
      return CHIP_END_BLOCKED;
    }
  } while (chip_now(c) < until && !(over && over(context)));
  if (p->phase == OBS_PROGRESS_LOOK) pause_looks(p);
  return ended;
}
