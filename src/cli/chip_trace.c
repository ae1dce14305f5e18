/* The trace of chip_trace.h. */
#include "cli/chip_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"

static int put(void *context, const void *bytes, size_t size) { return fwrite(bytes, 1, size, context) == size ? 0 : -1; }

bool chip_trace_has_tiles(enum tessera_trace_format format) {
  return format == TESSERA_TRACE_PERFETTO || format == TESSERA_TRACE_CHROME;
}

/* --- the parts of the tiles --- */

bool chip_trace_tile(struct chip_trace *t, struct tessera_tile *tile, unsigned x, unsigned y) {
  struct chip_trace_tile *part = &t->tiles[t->tile_count];
  struct tessera_trace_options options = t->options;
  part->file = cli_nameless(t->path);
  if (!part->file)
    return cli_bad_input(t->verb, "%s: a file beside it could not be written: %s", t->path, strerror(errno)), false;
  snprintf(part->title, sizeof part->title, "tile (%u, %u)", x, y);
  options.part = (unsigned)++t->tile_count;
  options.title = part->title;
  part->tile = tile;
  if (tessera_tile_trace(tile, &options, put, part->file) == TESSERA_OK) return true;
  part->tile = NULL;
  return cli_bad_input(t->verb, "%s", tessera_tile_error(tile)), false;
}

/* --- the whole --- */

static void release(struct chip_trace *t) {
  for (size_t i = 0; i < t->tile_count; i++)
    if (t->tiles[i].file) fclose(t->tiles[i].file);
  if (t->packets) fclose(t->packets);
  t->packets = NULL;
  free(t->tiles);
  t->tiles = NULL;
  t->tile_count = 0;
  t->file = NULL;
}

void chip_trace_discard(struct chip_trace *t) {
  if (!t->file) return;
  for (size_t i = 0; i < t->tile_count; i++)
    if (t->tiles[i].tile) tessera_tile_trace_end(t->tiles[i].tile);
  tessera_chip_trace_end(t->chip);
  cli_discard(t->file, t->path);
  release(t);
}

bool chip_trace_begin(struct chip_trace *t, struct tessera_chip *chip, const struct tessera_trace_options *options,
                      size_t tiles) {
  struct tessera_trace_options packets = {.format = options->format, .from = options->from, .to = options->to};
  if (options->format > TESSERA_TRACE_CHROME)
    return cli_bad_input(t->verb, "--trace writes text, .pftrace or .json (ui.perfetto.dev opens both), not '%s'", t->path),
           false;
  t->chip = chip;
  t->options = *options;
  t->tiles = calloc(tiles ? tiles : 1, sizeof *t->tiles);
  t->file = t->tiles ? cli_create(t->path) : NULL;
  if (t->file && chip_trace_has_tiles(options->format)) t->packets = cli_nameless(t->path); /* put in order at the end */
  FILE *to = chip_trace_has_tiles(options->format) ? t->packets : t->file;
  if (to && tessera_chip_trace(chip, &packets, put, to) == TESSERA_OK) return true;
  if (!to) cli_bad_input(t->verb, "%s: could not be written: %s", t->path, strerror(errno));
  else cli_bad_input(t->verb, "out of memory");
  cli_discard(t->file, t->path);
  release(t);
  return false;
}

static struct tessera_trace_part part_of(FILE *file, bool ordered, bool *good) {
  if (!cli_flushed(file)) *good = false;
  return (struct tessera_trace_part){.file = fileno(file), .ordered = ordered};
}

static bool merge(struct chip_trace *t) {
  struct tessera_trace_part *parts = calloc(t->tile_count + 1, sizeof *parts);
  bool good = parts != NULL;
  if (!parts) return false;
  parts[0] = part_of(t->packets, false, &good); /* reported when their arrival is known, not in order */
  for (size_t i = 0; i < t->tile_count; i++) parts[i + 1] = part_of(t->tiles[i].file, true, &good);
  if (good && tessera_trace_merge(parts, t->tile_count + 1, t->options.format, t->path, put, t->file) != TESSERA_OK)
    good = cli_blame(errno);
  free(parts);
  return good;
}

bool chip_trace_end(struct chip_trace *t) {
  if (!t->file) return true;
  bool good = true;
  for (size_t i = 0; i < t->tile_count; i++)
    good = t->tiles[i].tile && tessera_tile_trace_end(t->tiles[i].tile) == TESSERA_OK && good;
  good = tessera_chip_trace_end(t->chip) == TESSERA_OK && good;
  if (t->packets) good = merge(t) && good;
  good = cli_finish(t->file, t->path, good && !ferror(t->file));
  release(t);
  return good || (cli_not_written(t->verb, t->path), false);
}
