/* include/tessera/explore.h over src/check/explore.h. */
#include "tessera/explore.h"

#include <stdio.h>
#include <string.h>

#include "api/tile_error.h"
#include "check/explore.h"

const char *tessera_delay_target(uint32_t target) { return chk_delay_name(target); }

static const char *end_name(enum sim_end end) {
  return end == SIM_END_DONE ? "ends" : end == SIM_END_BLOCKED ? "hangs" : "does not end in time";
}

static void describe(const struct chk_explore_result *r, struct tessera_exploration *found) {
  size_t n = sizeof found->what;
  switch (r->kind) {
    case CHK_OUTPUT:
      snprintf(found->what, n, "the word at 0x%08x is 0x%08x instead of 0x%08x", r->address, r->found, r->expected);
      break;
    case CHK_END:
      snprintf(found->what, n, "the program %s; without delays it %s", end_name(r->end), end_name(r->base_end));
      break;
    case CHK_FAULT: snprintf(found->what, n, "the program faults"); break;
    case CHK_FINDING: snprintf(found->what, n, "%s", tx_diag_infos[r->finding].what); break;
    default:
      if (r->runs && r->base_end == SIM_END_BLOCKED) snprintf(found->what, n, "every run hangs, as without delays");
  }
}

static void copy_delays(const struct tessera_tile *tile, const struct chk_explore_result *r,
                        struct tessera_exploration *found) {
  found->delay_count = r->count;
  for (uint32_t i = 0; i < r->count; i++) {
    struct tessera_delay *d = &found->delay[i];
    unsigned target = r->delay[i].target, core = target < CHK_DELAY_THREAD ? target : target - CHK_DELAY_THREAD;
    d->cycle = r->delay[i].cycle;
    d->cycles = r->delay[i].cycles;
    d->target = target;
    if (r->pc[i]) dbg_program_where(&tile->program, core, r->pc[i], d->place, sizeof d->place);
  }
}

enum tessera_result tessera_tile_explore(struct tessera_tile *tile, const struct tessera_explore_options *options,
                                         struct tessera_exploration *found) {
  return tessera_tile_explore_until(tile, options, NULL, found);
}

enum tessera_result tessera_tile_explore_until(struct tessera_tile *tile, const struct tessera_explore_options *options,
                                               const volatile int *stop, struct tessera_exploration *found) {
  static const struct tessera_explore_options none;
  struct chk_explore_options o = {0};
  struct chk_explore_result r;
  if (!api_is_tile(tile) || !found) return TESSERA_INVALID;
  if (tile->in_chip) return api_refuse(tile, TESSERA_INVALID, "the tile belongs to a chip");
  if (!tile->tile.timing) return api_refuse(tile, TESSERA_INVALID, "with timing off there are no delays");
  if (!options) options = &none;
  if (options->ignore_count > CHK_EXPLORE_IGNORED || (options->ignore_count && !options->ignore))
    return api_refuse(tile, TESSERA_INVALID, "at most %u ranges can be ignored", CHK_EXPLORE_IGNORED);
  o.schedules = options->schedules;
  o.threads = options->threads;
  o.seed = options->seed;
  o.limit = options->max_cycles;
  o.watcher = (struct sim_watcher){options->progress, options->progress_context, stop};
  for (o.ignored = 0; o.ignored < options->ignore_count; o.ignored++) {
    o.ignore[o.ignored].address = options->ignore[o.ignored].address;
    o.ignore[o.ignored].length = options->ignore[o.ignored].value;
  }
  memset(found, 0, sizeof *found);
  found->finding = "";
  if (!api_enter_tile(tile)) return TESSERA_INVALID;
  const bool explored = chk_explore(&tile->tile, &o, &r);
  api_leave(&tile->handle);
  if (!explored) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  found->cycles = r.cycles;
  found->runs = r.runs;
  found->broken = r.broken;
  found->difference = (enum tessera_difference)r.kind;
  found->address = r.address, found->expected = r.expected, found->found = r.found;
  if (r.kind == CHK_FINDING) found->finding = tx_diag_infos[r.finding].name;
  describe(&r, found);
  copy_delays(tile, &r, found);
  api_ok(tile);
  return r.stopped ? TESSERA_STOPPED : TESSERA_OK;
}
