/* The verdict on a run of kernels on a chip, as text for the command and for callers of the API (include/tessera/chip.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip.h"
#include "api/tile_value.h"
#include "observe/hang/limit.h"
#include "tessera/chip.h"
#include "tessera/launch.h"

/* The exit codes of the command (src/cli/cli.h). */
enum { CODE_OK = 0, CODE_FAULT = 3, CODE_HANG = 4, CODE_FINDING = 5, CODE_LIMIT = 6 };

static struct tessera_tile *tile_of(struct tessera_chip *chip, const struct tessera_kernel_run *run, size_t i) {
  return tessera_chip_tile(chip, run->tiles[i].x, run->tiles[i].y);
}

/* The worst exit code of all tiles: 0 is best, and the lower of the others wins. The chip reports a tile's cycle limit. */
static int code_of_tiles(struct tessera_chip *chip, const struct tessera_kernel_run *run) {
  int worst = CODE_OK;
  for (size_t i = 0; i < run->tile_count; i++) {
    int code = tessera_tile_exit_code(tile_of(chip, run, i));
    if (code && code != CODE_LIMIT && (!worst || code < worst)) worst = code;
  }
  return worst;
}

static int code_of_run(struct tessera_chip *chip, const struct tessera_kernel_run *run) {
  int tiles = code_of_tiles(chip, run);
  const struct sim_fault *fault = chip_fault(chip->chip, NULL);
  bool strict = fault && fault->kind == SIM_FAULT_HAZARD; /* a finding has stopped the run */
  if (tiles == CODE_FAULT || (run->end == TESSERA_FAULT && !strict)) return CODE_FAULT;
  if (run->end == TESSERA_HANG) return CODE_HANG;
  return tiles ? tiles : run->end == TESSERA_LIMIT ? CODE_LIMIT : CODE_OK;
}

/* Adds the finding as the report prints it. */
static size_t put_finding(struct tessera_chip *chip, struct tessera_tile *tile, size_t i, size_t used) {
  size_t length = tessera_tile_finding_text(tile, i, NULL, 0);
  if (!api_chip_room(chip, used + length + 1)) return used;
  tessera_tile_finding_text(tile, i, chip->text + used, chip->text_size - used);
  return used + length;
}

/* Adds the findings of one tile from this severity on. */
static size_t put_findings(struct tessera_chip *chip, struct tessera_tile *tile, enum tessera_severity least) {
  size_t count = tessera_tile_finding_count(tile), used = 0;
  struct tessera_finding finding;
  for (size_t i = 0; i < count; i++)
    if (tessera_tile_finding(tile, i, &finding) == TESSERA_OK && finding.severity >= least)
      used = put_finding(chip, tile, i, used);
  return used;
}

static bool overwrites(const struct tessera_finding *finding, const char *core) {
  char words[64];
  snprintf(words, sizeof words, "program of %s ", core);
  return strcmp(finding->id, "CODE_WRITTEN") == 0 && strstr(finding->why, words);
}

/* Is it the reason of the fault? A finding of the same instruction, a write over the program of the core that has stopped, or
 * its stack. */
static bool is_reason(const struct tessera_finding *finding, const struct tessera_fault *fault) {
  if (finding->severity < TESSERA_ERROR) return false;
  if (fault->pc && finding->pc == fault->pc) return true;
  return overwrites(finding, fault->who) ||
         (strcmp(finding->id, "STACK_OVERFLOW") == 0 && strcmp(finding->who, fault->who) == 0);
}

static void put_reasons(struct tessera_chip *chip, struct tessera_tile *tile, const struct tessera_fault *fault) {
  size_t count = tessera_tile_finding_count(tile), used = strlen(chip->text);
  struct tessera_finding finding;
  for (size_t i = 0; i < count; i++)
    if (tessera_tile_finding(tile, i, &finding) == TESSERA_OK && is_reason(&finding, fault))
      used = put_finding(chip, tile, i, used);
}

/* "; its program was overwritten by NCRISC at kernel_main+0x10 (reader.c:9)": the instruction that began to do so last. */
static void name_overwriter(struct tessera_tile *tile, const struct tessera_fault *fault, char *text, size_t size) {
  struct tessera_finding finding;
  uint64_t last = 0;
  for (size_t i = 0; tessera_tile_finding(tile, i, &finding) == TESSERA_OK; i++) {
    if (!overwrites(&finding, fault->who) || finding.first_cycle < last) continue;
    last = finding.first_cycle;
    snprintf(text, size, "; its program was overwritten by %s%s%s", finding.who, finding.place[0] ? " at " : "",
             finding.place);
  }
}

/* One line about the first tile that has faulted or whose kernel failed a check of the library. For a missing circular buffer the
 * line names the statement to add to the description. */
static const char *fault_line(struct tessera_chip *chip, const struct tessera_kernel_run *run) {
  static const char buffer[] = "circular buffer ", missing[] = " was never configured";
  struct tessera_fault fault;
  size_t i = 0;
  while (i < run->tile_count && !tessera_tile_fault(tile_of(chip, run, i), &fault)) i++;
  if (i == run->tile_count) return tessera_chip_explain(chip);
  char where[48] = "";
  if (run->tile_count > 1) snprintf(where, sizeof where, "tile (%u, %u): ", run->tiles[i].x, run->tiles[i].y);
  const char *file = run->description ? run->description : "the description", *rest = strstr(fault.why, missing);
  if (!api_chip_room(chip, 2048 + strlen(file))) return "";
  if (strncmp(fault.why, buffer, sizeof buffer - 1) == 0 && rest) {
    const char *number = fault.why + sizeof buffer - 1;
    int length = (int)(rest - number);
    const bool exists = strtoul(number, NULL, 10) < TESSERA_LAUNCH_BUFFERS;
    if (!exists)
      snprintf(chip->text, chip->text_size,
               "%s%s: %s uses circular buffer %.*s: circular buffers have the numbers 0 to %u\n", where, fault.place,
               fault.who, length, number, TESSERA_LAUNCH_BUFFERS - 1);
    else
      snprintf(chip->text, chip->text_size,
               "%s%s: %s uses circular buffer %.*s, which %s does not have: add 'buffer %.*s PAGES FORMAT' or --cb "
               "%.*s=PAGES:FORMAT\n",
               where, fault.place, fault.who, length, number, file, length, number, length, number);
  } else {
    char by[384] = "";
    if (strcmp(fault.kind, "bad instruction") == 0) name_overwriter(tile_of(chip, run, i), &fault, by, sizeof by);
    snprintf(chip->text, chip->text_size, "%s%s%s%s stopped: %s%s\n", where, fault.place, fault.place[0] ? ": " : "",
             fault.who, fault.why, by);
  }
  put_reasons(chip, tile_of(chip, run, i), &fault);
  return chip->text;
}

static const char *hang_lines(struct tessera_chip *chip, const struct tessera_kernel_run *run) {
  return run->tile_count == 1 ? tessera_tile_explain(tile_of(chip, run, 0)) : tessera_chip_explain(chip);
}

/* Findings of the first tile that has any: the command's report shows that tile. */
static const char *finding_lines(struct tessera_chip *chip, const struct tessera_kernel_run *run) {
  static const enum tessera_severity least[] = {TESSERA_ERROR, TESSERA_WARNING}; /* a warning ends a strict run */
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < run->tile_count; i++)
      if (put_findings(chip, tile_of(chip, run, i), least[k])) return chip->text;
  return "";
}

#define TILES_NAMED 3u

/* The tiles with a core that still runs, or else the first one with a core that waits. */
static const char *limit_line(struct tessera_chip *chip, const struct tessera_kernel_run *run) {
  char all[4096] = "";
  struct sim_text out = {.data = all, .size = sizeof all};
  unsigned named = 0, left = 0;
  for (unsigned waits = 0; waits < 2 && !named; waits++)
    for (size_t i = 0; i < run->tile_count; i++) {
      struct tessera_tile *tile = tile_of(chip, run, i);
      if (waits ? named : !obs_limit_runs(&tile->tile, &tile->program)) continue;
      if (named == TILES_NAMED && ++left) continue;
      const char *words = tessera_tile_explain(tile);
      int length = (int)strcspn(words, "\n");
      if (!length) continue;
      sim_text_add(&out, named++ ? "; " : ": ");
      if (run->tile_count > 1) sim_text_add(&out, "tile (%u, %u): ", run->tiles[i].x, run->tiles[i].y);
      sim_text_add(&out, "%.*s", length, words);
    }
  if (left) sim_text_add(&out, "; %u more tiles run", left);
  if (!api_chip_room(chip, 128 + strlen(all))) return "";
  snprintf(chip->text, chip->text_size, "not done after %llu cycles%s\n", (unsigned long long)run->cycles, all);
  return chip->text;
}

const char *tessera_chip_verdict(struct tessera_chip *chip, const struct tessera_kernel_run *run, int *code) {
  int own = 0;
  if (!code) code = &own;
  *code = CODE_OK;
  if (!api_is_chip(chip) || !run || (run->tile_count && !run->tiles)) return "";
  for (size_t i = 0; i < run->tile_count; i++)
    if (!tile_of(chip, run, i)) return "";
  *code = code_of_run(chip, run);
  switch (*code) {
    case CODE_FAULT: return fault_line(chip, run);
    case CODE_HANG: return hang_lines(chip, run);
    case CODE_FINDING: return finding_lines(chip, run);
    case CODE_LIMIT: return limit_line(chip, run);
    default: return "";
  }
}
