/* What a chip is made of, and how a run of it ends. */
#ifndef TESSERA_CHIP_CONFIG_H
#define TESSERA_CHIP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/grid.h"

/* The host behind the PCIe tile. Called on the thread that runs the chip. false: no such memory. */
struct chip_host {
  void *host;
  bool (*read)(void *host, uint64_t address, void *bytes, size_t length);
  bool (*write)(void *host, uint64_t address, const void *bytes, size_t length);
};

struct chip_config {
  struct chip_harvest harvest;
  bool timing;
  bool noc_at_once; /* the links of the NoCs are never busy and packets take a constant time: a what-if */
  bool no_rest;     /* a dormant tile (orbit.h) is run all the same: nothing else changes */
  unsigned threads; /* host threads; 0: as many as there are cores */
  struct chip_host host;
  /* A Tensix tile may lie inside something larger of the caller's: its bytes (0: the tile alone) and where the tile is in it. The memory is
   * zero when tile_made is called; tile_gone is called before it is given back. Both may be NULL. */
  size_t tile_bytes, tile_offset;
  void (*tile_made)(void *memory);
  void (*tile_gone)(void *memory);
};

enum chip_end {
  CHIP_END_TIME,    /* the time asked for is reached */
  CHIP_END_DONE,    /* nothing will ever happen again, and nothing waits */
  CHIP_END_BLOCKED, /* nothing will ever happen again, and something waits: a hang */
  CHIP_END_FAULT,
  CHIP_END_STOPPED, /* a tile stopped: a watch, a breakpoint */
};

#endif
