/* The outcome of a run of a chip (include/tessera/chip.h): the report of one tile with the exit code of all, the hang of all, and the faults,
 * failed checks and findings of every tile. */
#include "api/chip_outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip_hang.h"
#include "api/texts.h"
#include "api/tile_value.h"
#include "debug/source.h"
#include "observe/hang/chip.h"
#include "observe/hang/hang_internal.h"
#include "observe/report/chip.h"
#include "observe/report/sarif.h"
#include "observe/words.h"

/* --- the exit code --- */

void tessera_chip_set_exit_code(struct tessera_chip *chip, int code) {
  if (api_is_chip(chip)) chip->code = code < 0 ? 0 : code + 1;
}

/* The chip decides the result of its tiles: the tiles themselves have only findings. */
static bool any_finding(struct tessera_chip *chip) {
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (tile && tessera_tile_exit_code(tile) == OBS_CODE_FINDING) return true;
  }
  return false;
}

int api_chip_code(struct tessera_chip *chip) {
  if (chip->code) return chip->code - 1;
  const struct sim_fault *fault = chip_fault(chip->chip, NULL);
  if (fault && fault->kind == SIM_FAULT_HAZARD) return OBS_CODE_FINDING; /* --strict has stopped the run */
  switch (api_chip_result(chip)) {
    case TESSERA_FAULT: return OBS_CODE_FAULT;
    case TESSERA_HANG: return OBS_CODE_HANG;
    case TESSERA_LIMIT: return any_finding(chip) ? OBS_CODE_FINDING : OBS_CODE_LIMIT;
    default: return any_finding(chip) ? OBS_CODE_FINDING : OBS_CODE_OK;
  }
}

/* --- a fault outside of all tiles --- */

bool api_chip_sender(struct tessera_chip *chip, struct dbg_source *place, char *text, size_t size) {
  unsigned at;
  const struct sim_fault *fault = chip_fault(chip->chip, &at);
  memset(place, 0, sizeof *place);
  if (!fault || fault->agent == SIM_NO_AGENT || fault->unit >= CHIP_TILES) return false;
  bool packet = fault->agent == TX_AGENT_NETWORK && fault->word;
  if (chip_grid(chip->chip)->slot[at].kind == CHIP_TENSIX && !packet) return false; /* agent and unit are the tile's own */
  unsigned agent = packet ? fault->word : fault->agent;
  const struct tessera_tile *tile = api_chip_touched_tile(chip, fault->unit);
  if (!tile) return false;
  uint16_t logical = chip_grid(chip->chip)->slot[fault->unit].logical;
  dbg_program_source(&tile->program, obs_core_of_agent(agent), fault->pc, place);
  snprintf(text, size, "%s of Tensix (%u,%u)", obs_agent_name(agent), logical & 63u, logical >> 6 & 63u);
  return true;
}

/* --- the outcome --- */

struct api_outcome {
  struct obs_remote_fault remote;
  struct obs_report report;
  struct obs_report others[CHIP_TILES];
};

/* A hang belongs to the chip: a tile itself has a fault, a failed check or findings. */
static bool has_own(const struct tessera_tile *tile) {
  int code = tessera_tile_exit_code(tile);
  return code == OBS_CODE_FAULT || code == OBS_CODE_FINDING;
}

/* The first tile with something to report, else with a core that still runs, else the first. */
static struct tessera_tile *first_tile(struct tessera_chip *chip) {
  const struct obs_chip_hang *hang = api_chip_hang(chip);
  struct tessera_tile *first = NULL, *running = NULL;
  if (hang && hang->waiter_count) return api_chip_touched_tile(chip, hang->waiters[hang->chain[0]].tile);
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (!tile) continue;
    if (has_own(tile)) return tile;
    if (!running && tessera_tile_explain(tile)[0]) running = tile;
    if (!first) first = tile;
  }
  return running ? running : first;
}

static void find_remote_fault(struct tessera_chip *chip, struct api_outcome *o) {
  char sender[64];
  unsigned tile;
  o->remote.fault = chip_fault(chip->chip, &tile);
  if (!o->remote.fault) return;
  const struct tessera_tile *own = api_chip_touched_tile(chip, tile);
  if (own && own->tile.fault.kind) return; /* the tile's own report has it */
  obs_tile_name(chip->chip, tile, o->remote.name, sizeof o->remote.name);
  api_chip_sender(chip, &o->remote.place, sender, sizeof sender);
  o->report.remote_fault = &o->remote;
}

struct api_outcome *api_outcome_begin(struct tessera_chip *chip, const struct tessera_tile *tile) {
  bool of_chip = !tile; /* a hang in the words of the chip, also when one tile alone has run */
  if (!tile) tile = first_tile(chip);
  struct api_outcome *o = tile ? calloc(1, sizeof *o) : NULL;
  if (!o) return NULL;
  const struct obs_chip_hang *hang = api_chip_hang(chip);
  o->report = api_report_of(tile);
  o->report.code = api_chip_code(chip) + 1;
  o->report.others = o->others;
  if (of_chip && hang) {
    o->report.chip = chip->chip;
    o->report.chip_hang = hang;
  }
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *other = api_chip_touched_tile(chip, i);
    if (!other || other == tile) continue;
    if (hang && hang->tiles == 1 && hang->waiters[0].tile == i) o->report.hung = &o->others[o->report.other_count];
    o->others[o->report.other_count++] = api_report_of(other);
  }
  find_remote_fault(chip, o);
  return o;
}

const struct obs_report *api_outcome_report(const struct api_outcome *outcome) { return outcome ? &outcome->report : NULL; }
void api_outcome_end(struct api_outcome *outcome) { free(outcome); }

static size_t render(const struct tessera_tile *tile, const struct obs_report *r, enum tessera_report format, char *text,
                     size_t size) {
  if (format == TESSERA_REPORT_SARIF) return obs_report_sarif(r, text, size);
  return api_render_json(tile, r, text, size);
}

const char *tessera_chip_outcome(struct tessera_chip *chip, struct tessera_tile *tile, enum tessera_report format) {
  if (!api_is_chip(chip) || (tile && !api_is_tile(tile))) return "";
  if (format != TESSERA_REPORT_JSON && format != TESSERA_REPORT_SARIF) return "";
  struct api_outcome *o = api_outcome_begin(chip, tile);
  if (!tile) tile = first_tile(chip);
  if (!o) return "";
  size_t length = render(tile, &o->report, format, NULL, 0);
  bool room = api_chip_room(chip, length + 1);
  if (room) render(tile, &o->report, format, chip->text, chip->text_size);
  api_outcome_end(o);
  return room ? chip->text : "";
}
