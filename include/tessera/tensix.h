/* Tessera, Tensix tile: the whole C API of the tile in one include.
 *
 *   base.h     version, results                     tile.h   create, load, run, read, report, save
 *   debug.h    conditions, breakpoints, symbols     trace.h  events and hooks
 *   isa.h      assembler, disassembler, tables      conform.h  conformance cases
 *   hang.h     a hang as a value                    launch.h launching kernels of the kernel library
 *   diagnostics.h  what findings mean
 *
 * A tile is created, given executables for its cores or instruction words for its threads, run, and read. There are no
 * globals and no call exits the process: errors are values, and the tile stays readable. Different tiles may be used from
 * different threads at the same time; one tile from one thread at a time.
 *
 *   struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
 *   tessera_tile_load_elf(tile, TESSERA_TRISC1, file, size);
 *   tessera_tile_start(tile, 1u << TESSERA_TRISC1);
 *   if (tessera_tile_run(tile, 100000) != TESSERA_DONE) puts(tessera_tile_explain(tile));
 *   tessera_tile_destroy(tile);
 *
 * Or as a driver does it: write code to L1, reset vectors to 0xFFB12228 and up, and release cores through 0xFFB121B0, all with
 * tessera_tile_write. */
#ifndef TESSERA_TENSIX_H
#define TESSERA_TENSIX_H

#include "tessera/base.h"
#include "tessera/conform.h"
#include "tessera/debug.h"
#include "tessera/diagnostics.h"
#include "tessera/explore.h"
#include "tessera/hang.h"
#include "tessera/isa.h"
#include "tessera/launch.h"
#include "tessera/profile.h"
#include "tessera/tile.h"
#include "tessera/trace.h"

#endif
