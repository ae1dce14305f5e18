/* The monitored run of chip_progress.h. */
#include "observe/chip_progress.h"

#include <stdlib.h>

#include "observe/look.h"

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

/* No packet is in flight, and only cores act. */
static bool is_quiet(struct chip *c) {
  if (!chip_quiet(c)) return false;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = cores_of(c, tile);
    if (t && !obs_only_cores_act(t)) return false;
  }
  return true;
}

struct looks {
  struct chip *chip;
  struct obs_look *look[CHIP_TILES]; /* of the tiles with a spinning core */
  unsigned count;
  bool failed; /* out of memory, or the log is full: no hang is reported */
};

static void begin(struct looks *l, struct chip *c) {
  l->chip = c;
  for (unsigned tile = 0; tile < CHIP_TILES && !l->failed; tile++) {
    struct tx_tile *t = cores_of(c, tile);
    if (!t || !obs_some_core_spins(t)) continue;
    struct obs_look *look = malloc(sizeof *look);
    if (look && obs_look_begin(look, t)) {
      l->look[l->count++] = look;
    } else {
      free(look);
      l->failed = true;
    }
  }
}

static void end(struct looks *l, bool hangs, sim_time since) {
  for (unsigned i = 0; i < l->count; i++) {
    obs_look_end(l->look[i], hangs, since);
    free(l->look[i]);
  }
}

/* CHIP_END_BLOCKED: all orbits are closed; CHIP_END_TIME: they are not, or there was progress. */
static enum chip_end follow(const struct looks *l, sim_time until) {
  struct chip *c = l->chip;
  uint64_t before = work_of(c);
  while (chip_now(c) < until) {
    sim_time stop = until - chip_now(c) > STEP_CYCLES ? chip_now(c) + STEP_CYCLES : until;
    enum chip_end ended = chip_run(c, stop);
    if (ended != CHIP_END_TIME) return ended;
    if (work_of(c) != before || !is_quiet(c)) return CHIP_END_TIME;
    unsigned closed = 0;
    for (unsigned i = 0; i < l->count; i++) {
      if (obs_look_lost(l->look[i])) return CHIP_END_TIME;
      closed += obs_look_closed(l->look[i]);
    }
    if (closed == l->count) return CHIP_END_BLOCKED;
  }
  return CHIP_END_TIME;
}

static enum chip_end look_closely(struct chip *c, sim_time since, sim_time until) {
  struct looks looks = {0};
  begin(&looks, c);
  enum chip_end ended = looks.failed || !looks.count ? CHIP_END_TIME : follow(&looks, until);
  end(&looks, ended == CHIP_END_BLOCKED, since);
  return ended;
}

static sim_time at_most(sim_time now, sim_time cycles, sim_time until) {
  return until - now > cycles ? now + cycles : until;
}

enum chip_end obs_chip_run(struct chip *c, sim_time until, bool (*over)(const void *context), const void *context) {
  sim_time quiet = QUIET_CYCLES, length = LOOK_CYCLES, since = chip_now(c); /* time of the last progress */
  for (;;) {
    uint64_t before = work_of(c);
    enum chip_end ended = chip_run(c, at_most(chip_now(c), quiet, until));
    /* Time advances to the end if the chip is idle. */
    if (ended == CHIP_END_DONE || ended == CHIP_END_BLOCKED) return chip_now(c) < until ? chip_run(c, until) : ended;
    if (ended != CHIP_END_TIME || chip_now(c) >= until || (over && over(context))) return ended;
    bool moved = work_of(c) != before || !is_quiet(c);
    if (!moved) {
      ended = look_closely(c, since, at_most(chip_now(c), length, until));
      if (ended != CHIP_END_TIME || chip_now(c) >= until) return ended;
      moved = work_of(c) != before || !is_quiet(c);
    }
    if (moved) since = chip_now(c);
    quiet = moved ? QUIET_CYCLES : QUIET_LOOKS * length;
    length = moved ? LOOK_CYCLES : length < LOOK_CYCLES_MAX ? 2 * length : length;
  }
}
