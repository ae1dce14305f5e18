#include "system/system.h"

#include <stdlib.h>

#include "chip/service.h"
#include "chip/workers.h"

/* An Ethernet tile of a chip. */
struct place {
  uint16_t chip, tile;
};

struct system {
  struct system_plan plan;
  struct chip_workers *workers; /* of all chips; NULL: one host thread */
  struct chip *chip[SYSTEM_CHIPS];
  struct place to[SYSTEM_CHIPS][CHIP_TRANSLATED_ETHERNETS]; /* the other end of each channel's link */
  sim_time latency;                                         /* the least of all links; SIM_NEVER: there are none */
};

/* --- creation --- */

static unsigned tile_of(const struct chip_grid *grid, unsigned channel) {
  return chip_tile_of(grid, 0, CHIP_TRANSLATED_ETHERNET_X + channel, CHIP_TRANSLATED_ETHERNET_Y);
}

static unsigned channel_of(const struct chip_grid *grid, unsigned tile) {
  return (grid->slot[tile].logical & 63u) - CHIP_TRANSLATED_ETHERNET_X;
}

static void connect(struct system *s) {
  s->latency = SIM_NEVER;
  for (unsigned i = 0; i < s->plan.links; i++)
    for (unsigned k = 0; k < 2; k++) {
      const struct system_end *own = &s->plan.link[i].end[k], *other = &s->plan.link[i].end[1 - k];
      const uint32_t latency = s->plan.chip[own->chip].identity.port[own->channel].latency;
      s->to[own->chip][own->channel] =
          (struct place){other->chip, (uint16_t)tile_of(chip_grid(s->chip[other->chip]), other->channel)};
      if (latency < s->latency) s->latency = latency;
    }
}

struct system *system_create(const struct system_plan *plan, const struct chip_config *chip,
                             void (*configure)(void *context, unsigned number, struct chip_config *chip), void *context,
                             const char **why) {
  struct system *s = calloc(1, sizeof *s);
  *why = "no memory for the system";
  if (!s) return NULL;
  s->plan = *plan;
  if (chip->threads != 1) s->workers = chip_workers_create(chip->threads);
  for (unsigned i = 0; i < plan->chips; i++) {
    struct chip_config config = *chip;
    config.harvest = plan->chip[i].harvest;
    config.identity = plan->chip[i].identity;
    config.workers = s->workers;
    if (configure) configure(context, i, &config);
    s->chip[i] = chip_create(&config, why);
    if (s->chip[i]) continue;
    system_destroy(s);
    return NULL;
  }
  connect(s);
  return s;
}

void system_destroy(struct system *s) {
  if (!s) return;
  for (unsigned i = 0; i < s->plan.chips; i++) chip_destroy(s->chip[i]);
  chip_workers_destroy(s->workers);
  free(s);
}

const struct system_plan *system_plan(const struct system *s) { return &s->plan; }
struct chip *system_chip(const struct system *s, unsigned number) {
  return s->chip[number];
}
uint32_t system_window(const struct system *s) { return s->plan.links ? (uint32_t)s->latency : 0; }
sim_time system_now(const struct system *s) { return chip_now(s->chip[0]); }

bool system_faulted(const struct system *s) {
  for (unsigned i = 0; i < s->plan.chips; i++)
    if (chip_fault(s->chip[i], NULL)) return true;
  return false;
}

/* Larger is stronger. */
static unsigned strength(enum chip_end end) {
  static const uint8_t of[] = {
      [CHIP_END_DONE] = 0, [CHIP_END_BLOCKED] = 1, [CHIP_END_TIME] = 2, [CHIP_END_STOPPED] = 3, [CHIP_END_FAULT] = 4};
  return of[end];
}

/* --- time --- */

/* Moves the frames that the chips have sent to the other ends of their links; returns whether there was one. */
static bool move_frames(struct system *s) {
  bool moved = false;
  for (unsigned i = 0; i < s->plan.chips; i++) {
    struct noc_packet *frame;
    while ((frame = chip_take_frame(s->chip[i]))) {
      const struct place to = s->to[i][channel_of(chip_grid(s->chip[i]), frame->tile)];
      chip_put_frame(s->chip[to.chip], to.tile, frame);
      moved = true;
    }
  }
  return moved;
}

/* Up to here all chips can run apart: whatever acts first, at `first` or later, and sends a frame, the frame arrives after that. */
static sim_time window_end(struct system *s, sim_time until) {
  sim_time first = SIM_NEVER;
  for (unsigned i = 0; i < s->plan.chips; i++) {
    sim_time next = chip_next(s->chip[i]);
    if (next < first) first = next;
  }
  return s->latency < SIM_NEVER - first && first - 1 + s->latency < until ? first - 1 + s->latency : until;
}

enum chip_end system_run(struct system *s, sim_time until) {
  enum chip_end end;
  bool more;
  do {
    const sim_time window = window_end(s, until);
    end = CHIP_END_DONE;
    more = window < until;
    for (unsigned i = 0; i < s->plan.chips; i++) {
      if (chip_now(s->chip[i]) > window) continue;
      enum chip_end of = chip_run(s->chip[i], window);
      if (strength(of) > strength(end)) end = of;
    }
    if (move_frames(s) && strength(end) < strength(CHIP_END_TIME)) end = CHIP_END_TIME;
  } while (more && end != CHIP_END_FAULT && end != CHIP_END_STOPPED);
  return end;
}
