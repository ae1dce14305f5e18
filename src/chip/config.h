/* The configuration of a chip, and the results of its runs. */
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

/* The link of an Ethernet channel, and its other end. */
struct chip_peer {
  bool linked;
  uint8_t location, channel;
  uint64_t board, asic;
  uint32_t latency, bits_per_cycle; /* of the line: chips/blackhole/link_timing.def */
  uint64_t down_at;                 /* 1 + the cycle from which on it is down; 0: never */
};

/* The place of a chip in its system: what management firmware and base firmware report to hosts. */
struct chip_identity {
  uint64_t board; /* board id: the board's type in bits 36 and up; 0: a card of the product with number 1, in no system */
  uint64_t asic;
  uint8_t location;                                 /* on the board */
  struct chip_peer port[CHIP_TRANSLATED_ETHERNETS]; /* by Ethernet channel */
};

struct chip_workers;

struct chip_config {
  struct chip_harvest harvest;
  struct chip_identity identity;
  bool timing;
  bool noc_at_once;             /* the links of the NoCs are never busy and packets take a constant time: a what-if */
  bool no_rest;                 /* dormant tiles (orbit.h) are run too; the result is the same */
  unsigned threads;             /* host threads; 0: as many as there are cores */
  struct chip_workers *workers; /* of the caller, shared by chips that run one after the other; NULL: the chip has its own */
  struct chip_host host;
  /* The caller may embed a Tensix tile in a larger struct: the struct's size (0: only the tile) and the tile's offset in
   * it. The memory is zero when tile_made is called; tile_gone is called before it is freed. Both may be NULL. */
  size_t tile_bytes, tile_offset;
  void (*tile_made)(void *memory);
  void (*tile_gone)(void *memory);
};

enum chip_end {
  CHIP_END_TIME,    /* the requested time is reached */
  CHIP_END_DONE,    /* the chip is idle and no agent waits */
  CHIP_END_BLOCKED, /* the chip is idle and an agent waits: a hang */
  CHIP_END_FAULT,
  CHIP_END_STOPPED, /* a tile stopped: a watch, a breakpoint */
};

#endif
