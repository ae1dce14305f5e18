/* --trace FILE of a chip: the packets of the NoCs and the accesses of DRAM, as text or, by the end of FILE's name, for
 * ui.perfetto.dev and chrome://tracing; these two also have the cores, threads and units of tiles. Tiles and
 * chip write to nameless files beside FILE, and FILE is put together at the end, in the order of time: it is the same for every number of
 * host threads. */
#ifndef TESSERA_CLI_CHIP_TRACE_H
#define TESSERA_CLI_CHIP_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "tessera/chip.h"
#include "tessera/trace.h"

struct chip_trace_tile {
  FILE *file;
  struct tessera_tile *tile;
  char title[32];
};

struct chip_trace {
  const char *verb, *path;
  FILE *file;    /* NULL: no trace */
  FILE *packets; /* of the NoCs and DRAM, before they are put in order; NULL: text, written at once */
  struct tessera_chip *chip;
  struct tessera_trace_options options; /* of the tiles */
  struct chip_trace_tile *tiles;
  size_t tile_count;
};

bool chip_trace_has_tiles(enum tessera_trace_format format);
/* Before the run; false after one line on stderr. `tiles`: the most that chip_trace_tile will be called for. */
bool chip_trace_begin(struct chip_trace *t, struct tessera_chip *chip, const struct tessera_trace_options *options,
                      size_t tiles);
/* The tile at (x, y) as well. */
bool chip_trace_tile(struct chip_trace *t, struct tessera_tile *tile, unsigned x, unsigned y);
/* After the run; false after one line on stderr. Does nothing without a trace. */
bool chip_trace_end(struct chip_trace *t);
/* Without a run: removes the file. */
void chip_trace_discard(struct chip_trace *t);

#endif
