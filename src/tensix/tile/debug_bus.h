/* The debug daisychain: DBG_BUS_CTRL selects 128 of a tile's internal signals, DBG_RD_DATA reads 32 of them.
 *
 *   DBG_BUS_CTRL   31..30   29        28..27   26..25       24   23..16     15..0
 *                           Enabled            Read32Sel         DaisySel   SignalSel
 *
 * Modelled are the groups with the cores' pcs, A (next to retire, next to be fetched) and B (entering decode), at DaisySel
 * 7. ISA: WormholeB0 TensixTile/DebugDaisychain.md; no Blackhole page has the selectors, but existing debuggers use the
 * same for Blackhole. Every other signal reads 0 and is reported once. Writing samples to L1 (DBG_L1_MEM_REG2) is rejected. */
#ifndef TESSERA_TENSIX_DEBUG_BUS_H
#define TESSERA_TENSIX_DEBUG_BUS_H

#include <stdint.h>

struct tx_tile;

/* The value of DBG_RD_DATA while DBG_BUS_CTRL holds `select`. */
uint32_t tx_debug_bus_read(struct tx_tile *t, uint32_t select);

#endif
