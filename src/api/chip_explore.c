/* The chip's part of include/tessera/explore.h over src/check/explore_chip.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip.h"
#include "api/findings.h"
#include "api/tile.h"
#include "check/explore_chip.h"
#include "observe/words.h"
#include "tessera/explore.h"

_Static_assert(TESSERA_EXPLORE_DELAYS == CHK_DELAYS, "the public schedule holds the explorer's");

size_t tessera_chip_delay_target(uint32_t target, char *text, size_t size) {
  char whole[64];
  chk_chip_delay_name(target, whole, sizeof whole);
  if (text && size) snprintf(text, size, "%s", whole);
  return strlen(whole);
}

/* --- options --- */

static bool ranges_of(const struct tessera_chip *chip, const struct tessera_chip_range *from, size_t count,
                      struct chk_range *to) {
  for (size_t i = 0; i < count; i++) {
    unsigned tile = api_chip_tile_at(chip, from[i].x, from[i].y);
    if (tile >= CHIP_TILES) return false;
    const struct chip_grid *grid = chip_grid(chip->chip);
    if (grid->slot[tile].kind == CHIP_DRAM) tile = chip_tile_of_kind(grid, CHIP_DRAM, grid->slot[tile].index * 3u);
    to[i] = (struct chk_range){.tile = tile, .address = from[i].address, .length = from[i].length};
  }
  return true;
}

struct settings {
  struct chk_chip_explore_options o;
  const struct dbg_program *program[CHIP_TILES];
  struct chk_range *ranges;
};

static enum tessera_result set_ranges(struct tessera_chip *chip, const struct tessera_chip_explore_options *options,
                                      struct settings *s) {
  s->ranges = calloc(options->output_count + options->ignore_count + 1, sizeof *s->ranges);
  if (!s->ranges) return api_chip_refuse(chip, TESSERA_NO_MEMORY, "out of memory");
  struct chk_range *ignore = s->ranges + options->output_count;
  if (!ranges_of(chip, options->output, options->output_count, s->ranges) ||
      !ranges_of(chip, options->ignore, options->ignore_count, ignore))
    return api_chip_refuse(chip, TESSERA_INVALID, "a range is on no tile of the chip");
  s->o.compared = (struct chk_compared){.output = s->ranges,
                                        .outputs = (uint32_t)options->output_count,
                                        .outputs_only = options->output_only != 0,
                                        .ignore = ignore,
                                        .ignored = (uint32_t)options->ignore_count};
  return TESSERA_OK;
}

static enum tessera_result set_options(struct tessera_chip *chip, const struct tessera_chip_explore_options *options,
                                       const volatile int *stop, struct settings *s) {
  s->o.schedules = options->schedules;
  s->o.threads = options->threads;
  s->o.seed = options->seed;
  s->o.limit = options->max_cycles;
  s->o.watcher = (struct sim_watcher){options->progress, options->progress_context, stop};
  s->o.until.tile = options->until_every ? api_chip_tile_at(chip, options->until_x, options->until_y) : 0;
  s->o.until.mask = options->until_mask;
  s->o.until.value = options->until_value;
  s->o.until.address = options->until_address;
  s->o.until.every = options->until_every;
  s->o.program = s->program;
  if (s->o.until.tile >= CHIP_TILES)
    return api_chip_refuse(chip, TESSERA_INVALID, "the condition is on no tile of the chip");
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    s->program[i] = tile ? &tile->program : NULL;
  }
  return set_ranges(chip, options, s);
}

/* --- results --- */

static void place_of_tile(const struct tessera_chip *chip, uint32_t tile, uint32_t *x, uint32_t *y) {
  if (tile == CHK_ALL_TILES) {
    *x = *y = TESSERA_ALL_TILES;
    return;
  }
  unsigned logical = chip_grid(chip->chip)->slot[tile].logical;
  *x = logical & 63u;
  *y = logical >> 6 & 63u;
}

static void describe_side(struct tessera_chip *chip, const struct chk_side *side, char *text, size_t size) {
  char place[200] = "", by[64] = "";
  uint32_t x, y;
  if (!side->known || side->tile >= CHIP_TILES) return;
  int core = side->agent < TX_AGENT_COUNT ? api_core_behind(side->agent) : -1;
  const struct tessera_tile *tile = api_chip_touched_tile(chip, side->tile);
  if (tile && core >= 0 && side->pc) dbg_program_where(&tile->program, (unsigned)core, side->pc, place, sizeof place);
  if (side->packet >= 0) snprintf(by, sizeof by, "%s of ", noc_kind_name((unsigned)side->packet));
  place_of_tile(chip, side->tile, &x, &y);
  snprintf(text, size, "%s%s%s%s, tile (%u, %u), cycle %llu", by,
           side->agent < TX_AGENT_COUNT ? obs_agent_name(side->agent) : "the network", place[0] ? " at " : "", place, x, y,
           (unsigned long long)side->cycle);
}

static const char *end_name(enum chip_end end) {
  return end == CHIP_END_DONE || end == CHIP_END_STOPPED ? "ends"
         : end == CHIP_END_BLOCKED                       ? "hangs"
                                                         : "does not end in time";
}

static void describe(const struct chk_chip_result *r, struct tessera_chip_exploration *f) {
  size_t n = sizeof f->what;
  switch (r->kind) {
    case CHK_OUTPUT:
      snprintf(f->what, n, "the word at 0x%08llx of (%u, %u) is 0x%08x instead of 0x%08x", (unsigned long long)f->address,
               f->x, f->y, f->found, f->expected);
      break;
    case CHK_END:
      snprintf(f->what, n, "the program %s; without delays it %s", end_name(r->end), end_name(r->base_end));
      break;
    case CHK_FAULT: snprintf(f->what, n, "the program faults, or a KERNEL_CHECK does not hold"); break;
    case CHK_FINDING: snprintf(f->what, n, "tile (%u, %u): %s", f->x, f->y, tx_diag_infos[r->finding].what); break;
    default:
      if (r->runs && r->base_end == CHIP_END_BLOCKED) snprintf(f->what, n, "every run hangs, as without delays");
  }
}

static void copy_delays(struct tessera_chip *chip, const struct chk_chip_result *r, struct tessera_chip_exploration *f) {
  f->delay_count = r->smallest.count;
  for (uint32_t i = 0; i < r->smallest.count; i++) {
    const struct chk_delay *d = &r->smallest.delay[i];
    struct tessera_chip_delay *to = &f->delay[i];
    unsigned core = d->target < CHK_DELAY_THREAD ? d->target : d->target - CHK_DELAY_THREAD;
    const struct tessera_tile *tile = d->tile < CHIP_TILES ? api_chip_touched_tile(chip, d->tile) : NULL;
    to->cycle = d->cycle;
    to->cycles = d->cycles;
    to->target = d->target;
    place_of_tile(chip, d->tile, &to->x, &to->y);
    if (tile && r->pc[i]) dbg_program_where(&tile->program, core, r->pc[i], to->place, sizeof to->place);
  }
}

static void copy_result(struct tessera_chip *chip, const struct chk_chip_result *r, struct tessera_chip_exploration *f) {
  f->cycles = r->cycles;
  f->hash = r->hash;
  f->runs = r->runs;
  f->broken = r->broken;
  f->difference = (enum tessera_difference)r->kind;
  f->address = r->difference.address;
  f->expected = r->difference.expected;
  f->found = r->difference.found;
  f->in_output = r->difference.output;
  if (r->kind == CHK_OUTPUT) place_of_tile(chip, r->difference.tile, &f->x, &f->y);
  if (r->kind == CHK_FINDING) {
    place_of_tile(chip, r->finding_tile, &f->x, &f->y);
    f->finding = tx_diag_infos[r->finding].name;
  }
  describe_side(chip, &r->side[0], f->expected_by, sizeof f->expected_by);
  describe_side(chip, &r->side[1], f->found_by, sizeof f->found_by);
  describe(r, f);
  copy_delays(chip, r, f);
}

enum tessera_result tessera_chip_explore(struct tessera_chip *chip, const struct tessera_chip_explore_options *options,
                                         const volatile int *stop, struct tessera_chip_exploration *found) {
  static const struct tessera_chip_explore_options none;
  if (!api_is_chip(chip) || !found) return TESSERA_INVALID;
  const struct chip_config *config = chip_config(chip->chip);
  if (!config->timing || config->noc_at_once)
    return api_chip_refuse(chip, TESSERA_INVALID, "with timing off there are no delays");
  memset(found, 0, sizeof *found);
  found->finding = "";
  struct settings *s = calloc(1, sizeof *s);
  struct chk_chip_result *r = calloc(1, sizeof *r);
  enum tessera_result result = s && r ? set_options(chip, options ? options : &none, stop, s)
                                      : api_chip_refuse(chip, TESSERA_NO_MEMORY, "out of memory");
  if (result == TESSERA_OK && !api_enter_chip(chip)) {
    result = TESSERA_INVALID;
  } else if (result == TESSERA_OK) {
    if (!chk_explore_chip(chip->chip, &s->o, r)) result = api_chip_refuse(chip, TESSERA_NO_MEMORY, "out of memory");
    api_leave_chip(chip);
  }
  if (result == TESSERA_OK) {
    copy_result(chip, r, found);
    result = r->stopped ? TESSERA_STOPPED : TESSERA_OK;
    chip->error[0] = '\0';
  }
  if (s) free(s->ranges);
  free(s);
  free(r);
  return result;
}

/* --- the schedule again --- */

struct rerun {
  struct tessera_chip *chip;
  enum tessera_result result;
};

static enum chip_end run_on(void *context, sim_time until) {
  struct rerun *r = context;
  r->result = tessera_chip_run(r->chip, until - chip_now(r->chip->chip));
  return r->chip->end;
}

enum tessera_result tessera_chip_run_explored(struct tessera_chip *chip, const struct tessera_chip_exploration *found,
                                              uint64_t cycles) {
  if (!api_is_chip(chip) || !found || found->delay_count > CHK_DELAYS) return TESSERA_INVALID;
  struct chk_schedule s = {.count = found->delay_count};
  for (uint32_t i = 0; i < s.count; i++) {
    const struct tessera_chip_delay *d = &found->delay[i];
    bool all = d->x == TESSERA_ALL_TILES;
    s.delay[i] = (struct chk_delay){.cycle = d->cycle,
                                    .target = d->target,
                                    .cycles = d->cycles,
                                    .tile = all ? CHK_ALL_TILES : api_chip_tile_at(chip, d->x, d->y)};
    if (d->target >= CHK_CHIP_TARGETS || (!all && s.delay[i].tile >= CHIP_TILES)) return TESSERA_INVALID;
  }
  struct rerun r = {chip, TESSERA_LIMIT};
  sim_time now = chip_now(chip->chip);
  chk_run_delayed(chip->chip, &s, cycles < SIM_NEVER - 1 - now ? now + cycles : SIM_NEVER - 1, run_on, &r, NULL);
  return r.result;
}
