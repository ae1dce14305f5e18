/* The tile's side of its two NIUs (noc/niu.h), 0xFFB20000 and 0xFFB30000: registers for the cores, and the port by which the NIUs
 * access L1 and registers.
 *
 * A single tile is at (1, 2) of NoC 0, the first Tensix tile of a Blackhole chip, mirrored on NoC 1, with coordinate translation off:
 * requests to itself are executed, any other request faults, with its target in the message. In a chip tx_noc_attach sets the tile's
 * position and its connection to the network. */
#ifndef TESSERA_TENSIX_NOC_H
#define TESSERA_TENSIX_NOC_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/noc.h"

struct tx_tile;
struct sim_effect;

void tx_noc_reset(struct tx_tile *t);
/* Connects the tile to a chip; must precede any run. */
void tx_noc_attach(struct tx_tile *t, struct tx_network network);
/* Aligned 32-bit accesses in either NIU. false: no such register (nothing recorded), or a fault was recorded. */
bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value);
void tx_effect_NOC_EVENT(struct tx_tile *t, const struct sim_effect *e);
/* A packet arrives at the start of cycle `at`; the tile has been run up to the cycle before. */
void tx_noc_arrive(struct tx_tile *t, const struct noc_packet *packet, uint64_t at);

#endif
