/* Texts about a chip: faults, hangs, reports (include/tessera/chip.h). */
#include <stdio.h>
#include <string.h>

#include "api/chip.h"
#include "api/chip_hang.h"
#include "api/chip_outcome.h"
#include "api/tile_value.h"
#include "observe/hang/chip.h"
#include "observe/report/activity.h"
#include "observe/report/chip.h"
#include "observe/report/json.h"

static const char *text_of(struct tessera_chip *chip, size_t (*render)(struct chip *chip, char *text, size_t size)) {
  for (;;) {
    if (chip->text_size) chip->text[0] = '\0';
    size_t needed = render(chip->chip, chip->text, chip->text_size) + 1;
    if (needed <= chip->text_size) return chip->text;
    if (!api_chip_room(chip, needed)) return "";
  }
}

int tessera_chip_fault(struct tessera_chip *chip, struct tessera_fault *fault, unsigned *x, unsigned *y) {
  unsigned tile = 0;
  const struct sim_fault *f = api_is_chip(chip) ? chip_fault(chip->chip, &tile) : NULL;
  if (!fault || !api_is_chip(chip)) return 0;
  if (!f) tile = api_chip_failed_tile(chip);
  if (tile >= CHIP_TILES) return 0;
  const struct chip_slot *slot = &chip_grid(chip->chip)->slot[tile];
  if (x) *x = slot->logical & 63u;
  if (y) *y = slot->logical >> 6;
  if (tessera_tile_fault(tessera_chip_tile(chip, slot->logical & 63u, slot->logical >> 6), fault)) return 1;
  struct dbg_source place;
  char sender[64];
  memset(fault, 0, sizeof *fault);
  if (api_chip_sender(chip, &place, sender, sizeof sender)) dbg_source_text(&place, fault->place, sizeof fault->place);
  fault->pc = f->pc;
  fault->cycle = f->cycle;
  fault->kind = sim_fault_kind_name(f->kind);
  fault->who = chip_kind_name(slot->kind);
  snprintf(fault->why, sizeof fault->why, "%s", f->why);
  snprintf(fault->document, sizeof fault->document, "%s", f->document);
  return 1;
}

/* The line of the request comes first, as in every report. */
static const char *explain_fault(struct tessera_chip *chip) {
  struct dbg_source place;
  char sender[64], line[160], text[512];
  if (!api_chip_sender(chip, &place, sender, sizeof sender)) return text_of(chip, obs_chip_fault);
  obs_chip_fault(chip->chip, text, sizeof text);
  dbg_source_text(&place, line, sizeof line);
  if (!api_chip_room(chip, sizeof sender + sizeof line + sizeof text + sizeof place.call)) return "";
  snprintf(chip->text, chip->text_size, "%s%s(%s%s%s): %s", line, line[0] ? " " : "", sender, place.call[0] ? ", in " : "",
           place.call, text);
  return chip->text;
}

static const char *explain_check(struct tessera_chip *chip) {
  const struct chip_slot *slot = &chip_grid(chip->chip)->slot[api_chip_failed_tile(chip)];
  const char *text = tessera_tile_explain(tessera_chip_tile(chip, slot->logical & 63u, slot->logical >> 6));
  char name[80];
  obs_tile_name(chip->chip, api_chip_failed_tile(chip), name, sizeof name);
  if (!api_chip_room(chip, strlen(name) + strlen(text) + 3)) return "";
  snprintf(chip->text, chip->text_size, "%s: %s", name, text);
  return chip->text;
}

/* TESSERA_OPTION_VERBOSE of any tile. */
static bool wants_all(struct tessera_chip *chip) {
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (tile && tile->verbose) return true;
  }
  return false;
}

size_t tessera_chip_activity(struct tessera_chip *chip, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = text ? size : 0};
  if (out.size) text[0] = '\0';
  if (api_is_chip(chip)) obs_chip_activity(chip->chip, &out);
  return out.length;
}

const char *tessera_chip_explain(struct tessera_chip *chip) {
  if (!api_is_chip(chip)) return "";
  if (chip_fault(chip->chip, NULL)) return explain_fault(chip);
  if (api_chip_failed_tile(chip) < CHIP_TILES) return explain_check(chip);
  const struct obs_chip_hang *hang = api_chip_hang(chip);
  if (!hang) return "";
  struct sim_text out = {0};
  bool verbose = wants_all(chip);
  obs_chip_hang_text(chip->chip, hang, verbose, &out);
  if (!api_chip_room(chip, out.length + 1)) return "";
  out = (struct sim_text){.data = chip->text, .size = chip->text_size};
  obs_chip_hang_text(chip->chip, hang, verbose, &out);
  return chip->text;
}

const char *tessera_chip_report(struct tessera_chip *chip) {
  return api_is_chip(chip) ? text_of(chip, obs_chip_report) : "";
}

/* The figures, the result of the run, and findings. */
static void render_json(struct tessera_chip *chip, const struct obs_report *outcome, struct sim_text *out) {
  enum tessera_result result = api_chip_result(chip);
  const struct obs_chip_hang *hang = outcome ? outcome->chip_hang : NULL; /* up to its last progress */
  out->length = obs_chip_json(chip->chip, hang ? hang->cycle : 0, out->data, out->size);
  out->length -= out->length > 2 ? 2 : 0; /* without the closing "}\n" */
  sim_text_add(out, ",\"result\":\"%s\",\"code\":%d",
               result == TESSERA_HANG    ? "hang"
               : result == TESSERA_FAULT ? "fault"
               : result == TESSERA_DONE  ? "done"
               : result == TESSERA_LIMIT ? "limit"
                                         : "stopped",
               api_chip_code(chip));
  if (outcome) obs_report_outcome_json(outcome, out);
  sim_text_add(out, "}\n");
}

const char *tessera_chip_report_json(struct tessera_chip *chip) {
  struct sim_text out = {0};
  if (!api_is_chip(chip)) return "";
  struct api_outcome *outcome = api_outcome_begin(chip, NULL);
  render_json(chip, api_outcome_report(outcome), &out);
  bool room = api_chip_room(chip, out.length + 1);
  out = (struct sim_text){.data = chip->text, .size = chip->text_size};
  if (room) render_json(chip, api_outcome_report(outcome), &out);
  api_outcome_end(outcome);
  return room ? chip->text : "";
}
