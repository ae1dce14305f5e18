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
/* Lines that a write fills only in part, and the line of an atomic, are read, modified and written. ISA: L1.md. Cycles from `at` until
 * the banks of these lines are free; 0 with timing off. tx_noc_hold_banks occupies them. */
uint32_t tx_noc_bank_wait(const struct tx_tile *t, uint64_t address, uint32_t length, uint64_t at);
void tx_noc_hold_banks(struct tx_tile *t, uint64_t address, uint32_t length);
/* Whether the packet's data arrives as whole lines of L1. */
bool tx_noc_has_lines(const struct noc_packet *packet);
/* Cycles for which a packet that arrives at `at` waits for banks, or behind one of its NoC that waits. */
uint32_t tx_noc_wait(struct tx_tile *t, const struct noc_packet *packet, uint64_t at);
/* A packet arrives at the start of cycle `at`; the tile has been run up to the cycle before. */
void tx_noc_arrive(struct tx_tile *t, const struct noc_packet *packet, uint64_t at);
/* A packet of the tile to itself, or its own copy of a broadcast, arrives as it leaves the NIU: before anything else acts. */
void tx_noc_arrive_own(struct tx_tile *t, const struct noc_packet *packet);

#endif
