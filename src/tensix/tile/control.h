/* Tile control, debug and status registers, 0xFFB12000: soft reset, reset vectors, wall clock, timestamps, performance counters.
 *
 * Cores are held by SOFT_RESET_0 after power-on and start, when their bit is cleared, from their reset vector. The other bits of
 * SOFT_RESET_0 reset coprocessor blocks: entry and exit are modelled for those that only set state; a block that receives work while
 * it is held, or is reset while it works, faults. Bits 15 to 17 and 19 to 22 act when they are set; that
 * writes to those registers are lost while they stay set is not modelled.
 *
 * ISA: SoftReset.md (Blackhole), DebugTimestamper.md, TileControlDebugStatus.md (Wormhole pages, the same on Blackhole). No page
 * describes the performance counters: their registers follow the vendor's counters.h, and a selection that the model does not count
 * faults when it is read. The cores' debug interface is in core_debug.h, the debug
 * daisychain in debug_bus.h. Not modelled, and rejected: the debug array
 * port, bits of WDT_CNTL other than bit 0. */
#ifndef TESSERA_TENSIX_CONTROL_H
#define TESSERA_TENSIX_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/control.h"

struct tx_tile;

/* Power-on: all cores held. */
void tx_control_reset(struct tx_tile *t);
/* Aligned 32-bit accesses by any agent; `address` in the region. false: a fault is recorded. */
bool tx_control_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_control_write(struct tx_tile *t, uint32_t address, uint32_t value);
bool tx_control_moves(uint32_t address); /* the value changes without a write: wall clock, counters */

static inline unsigned tx_control_reset_bit(unsigned core) { return core < 3 ? 12 + core : core == 3 ? 11 : 18; }

#endif
