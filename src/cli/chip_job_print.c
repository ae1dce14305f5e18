/* The text that kernels print: taken out of their buffers in L1 (kernels/include/print_buffer.h) while they run, and shown after the run. */
#include <stdio.h>
#include <string.h>

#include "cli/chip_job.h"
#include "cli/cli.h"
#include "tessera/debug.h"
#include "tessera/launch.h"

#define AREA_TEXT (TESSERA_LAUNCH_PRINT_BYTES - 4u)

/* The count of a core's area; its order is that of the launch block. */
static uint32_t area_of(unsigned core) {
  static const uint32_t numbers[TESSERA_CORES] = {
      [TESSERA_BRISC] = 0, [TESSERA_NCRISC] = 1, [TESSERA_TRISC0] = 2, [TESSERA_TRISC1] = 3, [TESSERA_TRISC2] = 4};
  return TESSERA_LAUNCH_PRINT_AREAS + TESSERA_LAUNCH_PRINT_BYTES * numbers[core];
}

static bool arm(struct chip_unit *u) {
  return tessera_tile_until(u->tile, TESSERA_LAUNCH_PRINT_FULL, UINT32_MAX, 1, &u->print_condition) == TESSERA_OK;
}

/* Kernels that print have the function in which a core waits (kernels/include/dprint.h). Others run as in every other host. */
static bool prints(const struct tessera_tile *tile) {
  uint32_t address;
  for (unsigned core = 0; core < TESSERA_CORES; core++)
    if (tessera_tile_symbol(tile, (enum tessera_core)core, "dprint_late_char", &address) == TESSERA_OK) return true;
  return false;
}

bool chip_job_drain_begin(struct chip_job *j) {
  const uint32_t one = 1;
  for (size_t i = 0; i < j->unit_count; i++) {
    struct tessera_tile *tile = j->units[i].tile;
    if (!j->units[i].kernel || !prints(tile)) continue;
    if (tessera_tile_write(tile, TESSERA_LAUNCH_PRINT_DRAINED, &one, sizeof one) != TESSERA_OK || !arm(&j->units[i]))
      return cli_bad_input(j->d.verb, "%s", tessera_tile_error(tile)), false;
  }
  return true;
}

static void take(struct chip_printed *p, const char *text, size_t length) {
  if (!cli_reserve((void **)&p->text, &p->capacity, p->length + length + 1, 1)) {
    p->lost += length;
    return;
  }
  memcpy(p->text + p->length, text, length + 1);
  p->length += length;
}

static void drain_tile(struct chip_unit *u) {
  const uint32_t none = 0;
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    char text[AREA_TEXT + 1];
    size_t length = tessera_tile_printed(u->tile, (enum tessera_core)core, text, sizeof text);
    if (length < AREA_TEXT) continue;
    take(&u->printed[core], text, AREA_TEXT);
    tessera_tile_write(u->tile, area_of(core), &none, sizeof none);
  }
  tessera_tile_write(u->tile, TESSERA_LAUNCH_PRINT_FULL, &none, sizeof none);
  tessera_tile_unwatch(u->tile, u->print_condition); /* a chip keeps one that is met */
  arm(u);
}

bool chip_job_drain(struct chip_job *j) {
  bool any = false;
  for (size_t i = 0; i < j->unit_count; i++) {
    uint32_t full = 0;
    struct chip_unit *u = &j->units[i];
    if (!u->kernel || tessera_tile_read(u->tile, TESSERA_LAUNCH_PRINT_FULL, &full, sizeof full) != TESSERA_OK || !full)
      continue;
    drain_tile(u);
    any = true;
  }
  return any;
}

/* --- afterwards --- */

static struct chip_unit *unit_at(struct chip_job *j, struct chip_at at) {
  for (size_t i = 0; i < j->unit_count; i++)
    if (j->units[i].at.x == at.x && j->units[i].at.y == at.y) return &j->units[i];
  return NULL;
}

struct place {
  char tile[32]; /* "(1, 2) ", or "" */
  const char *core;
};

static void print_lines(FILE *out, const struct place *p, const char *text) {
  for (const char *line = text; *line;) {
    size_t width = strcspn(line, "\n");
    fprintf(out, "%s%s: %.*s\n", p->tile, p->core, (int)width, line);
    line += width + (line[width] == '\n');
  }
}

void chip_job_print(struct chip_job *j, struct chip_at at, bool name_tile) {
  struct chip_unit *u = unit_at(j, at);
  struct place p = {.tile = ""};
  if (!u) return;
  if (name_tile) snprintf(p.tile, sizeof p.tile, "(%u, %u) ", at.x, at.y);
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    struct chip_printed *all = &u->printed[core];
    char text[AREA_TEXT + 1];
    size_t length = tessera_tile_printed(u->tile, (enum tessera_core)core, text, sizeof text), kept = strlen(text);
    p.core = tessera_core_name((enum tessera_core)core);
    take(all, text, kept);
    if (all->length) print_lines(j->out, &p, all->text);
    if (length - kept + all->lost)
      fprintf(j->out, "%s%s: %zu more characters did not fit into the print buffer\n", p.tile, p.core,
              length - kept + all->lost);
  }
}
