/* The tile's address map for cores and the scalar unit. A request has an issuer, an address and a size; the answer is done, wait for an
 * event, or a fault.
 *
 * bus.c has the table of the regions; each region is in the file of its window or block (window_*.c, noc.c, control.c ...).
 * ISA: BabyRISCV/README.md, MemoryOrdering.md and the pages of each region. */
#ifndef TESSERA_TENSIX_BUS_H
#define TESSERA_TENSIX_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/bus.h"

struct tx_tile;

/* 32-bit accesses by a core (agent TRISC0..2, BRISC, NCRISC). An accepted store takes effect when it is processed,
 * some cycles later; an instruction push is processed when it is in the FIFO. */
struct tx_bus_answer tx_bus_load(struct tx_tile *t, unsigned agent, uint32_t address);

/* The same with a size: 1, 2 or 4 bytes at a multiple of it. Loads return the bytes in the low bits, not extended. */
struct tx_bus_answer tx_bus_load_sized(struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes);
struct tx_bus_answer tx_bus_store_sized(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value, unsigned bytes);

void tx_effect_CORE_REQUEST(struct tx_tile *t, const struct sim_effect *e);

/* Can a store of this core to this address be in flight? */
bool tx_bus_arrives(const struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes);

#endif
