/* The receivers of a broadcast: the tiles of a rectangle of raw coordinates whose NIU has not opted out and which the
 * request does not exclude. ISA: NoC/MemoryMap.md (ROUTER_CFG_1 to 4). */
#ifndef TESSERA_CHIP_RECEIVERS_H
#define TESSERA_CHIP_RECEIVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/grid.h"
#include "noc/packet.h"

struct chip;

/* Receivers of a broadcast as tile ids, in rising order; returns their number. `exclude`: NOC_BRCST_EXCLUDE. */
unsigned chip_receivers(struct chip *chip, unsigned noc, struct noc_place start, struct noc_place end, uint32_t exclude,
                        uint16_t tiles[CHIP_TILES]);
bool chip_is_receiver(struct chip *chip, unsigned noc, struct noc_place start, struct noc_place end, uint32_t exclude,
                      unsigned tile);

#endif
