/* Packets that are slower than the network's model: what a busy router or another virtual channel may do to them.
 *
 * Packets with one source, one destination and one NoC stay in order only on one static or linked virtual channel; all others may overtake
 * each other (ISA: NoC/Ordering.md, Wormhole). So a hold names one kind of packet. On a static channel writes stay behind writes, reads
 * behind writes and reads, atomics behind atomics: that page lists no order of a write and an atomic after it. On a linked channel
 * everything stays in order. */
#ifndef TESSERA_CHIP_HOLDS_H
#define TESSERA_CHIP_HOLDS_H

#include "chip/grid.h"
#include "noc/packet.h"

enum chip_hold_kind {
  CHIP_HOLD_MULTICAST = NOC_KINDS, /* the others are enum noc_kind; NOC_WRITE: to one tile */
  CHIP_HOLD_ALL,
  CHIP_HOLD_ARRIVALS, /* the link from the router into the tile is busy */
  CHIP_HOLD_KINDS
};

/* Packets that depart from the tile at `from` or later and before `from` + `cycles` are late by `cycles`. */
struct chip_hold {
  sim_time from;
  uint32_t cycles;
  uint16_t tile; /* CHIP_NO_TILE: every tile */
  uint8_t noc, kind;
};

#define CHIP_CHANNELS 16u
#define NOC_REQUESTS 3u /* kinds: read, atomic, write */

struct chip_holds {
  const struct chip_hold *hold;
  uint32_t count;
  sim_time behind[CHIP_TILES][NOC_NOCS][CHIP_CHANNELS][NOC_REQUESTS]; /* when the last request of a kind left its tile */
};

#endif
