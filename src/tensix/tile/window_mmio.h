/* The coprocessor's view of the tile's registers. */
#ifndef TESSERA_TENSIX_WINDOW_MMIO_H
#define TESSERA_TENSIX_WINDOW_MMIO_H

#include <stdbool.h>
#include <stdint.h>

struct tx_tile;

/* Registers from 0xFFB11000 on as the coprocessor addresses them (LOADREG, STOREREG, STOREIND): stream registers. TDMA-RISC
 * is not mapped for it on Blackhole. false: no such register, or it is not modelled. A write with byte_mask 0 changes
 * nothing and only tests that. */
bool tx_mmio_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_mmio_write(struct tx_tile *t, uint32_t address, uint32_t value, uint32_t byte_mask);

#endif
