/* The trace of chip_trace.h. */
#include "cli/chip_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"

static int put(void *context, const void *bytes, size_t size) { return fwrite(bytes, 1, size, context) == size ? 0 : -1; }

bool chip_trace_has_tiles(enum tessera_trace_format format) {
  return format == TESSERA_TRACE_PERFETTO || format == TESSERA_TRACE_CHROME;
}

/* --- the parts of the tiles --- */

/* A file without a name, in the directory of `path`: it vanishes with the process. NULL with errno set. */
static FILE *nameless_beside(const char *path) {
  size_t size = strlen(path) + 16;
  char *name = malloc(size);
  if (!name) return NULL;
  snprintf(name, size, "%s.XXXXXX", path);
  int number = mkstemp(name);
  FILE *file = number < 0 ? NULL : fdopen(number, "w+b");
  int why = errno;
  if (number >= 0) unlink(name);
  if (number >= 0 && !file) close(number);
  free(name);
  errno = why;
  return file;
}

bool chip_trace_tile(struct chip_trace *t, struct tessera_tile *tile, unsigned x, unsigned y) {
  struct chip_trace_tile *part = &t->tiles[t->tile_count];
  struct tessera_trace_options options = t->options;
  part->file = nameless_beside(t->path);
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

static bool copy(FILE *from, FILE *to) {
  char buffer[65536];
  size_t n;
  if (fflush(from) != 0 || ferror(from)) return false;
  rewind(from);
  while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
    if (fwrite(buffer, 1, n, to) != n) return false;
  return !ferror(from);
}

static bool end_tile(struct chip_trace *t, struct chip_trace_tile *part) {
  bool good = part->tile && tessera_tile_trace_end(part->tile) == TESSERA_OK;
  good = good && copy(part->file, t->file);
  if (part->file) fclose(part->file);
  part->file = NULL;
  return good;
}

/* --- the whole --- */

static void release(struct chip_trace *t) {
  for (size_t i = 0; i < t->tile_count; i++)
    if (t->tiles[i].file) fclose(t->tiles[i].file);
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
  if (t->file && tessera_chip_trace(chip, &packets, put, t->file) == TESSERA_OK) return true;
  if (!t->file) cli_bad_input(t->verb, "%s: could not be written: %s", t->path, strerror(errno));
  else cli_bad_input(t->verb, "out of memory");
  cli_discard(t->file, t->path);
  release(t);
  return false;
}

/* The tiles precede what the chip has not written yet, which ends the file. */
bool chip_trace_end(struct chip_trace *t) {
  if (!t->file) return true;
  bool good = true;
  for (size_t i = 0; i < t->tile_count; i++) good = end_tile(t, &t->tiles[i]) && good;
  good = tessera_chip_trace_end(t->chip) == TESSERA_OK && good;
  good = cli_finish(t->file, t->path, good && !ferror(t->file));
  release(t);
  return good || (cli_bad_input(t->verb, "%s: could not be written completely", t->path), false);
}
