/* The watchdog timer among the tile control registers (control.h): a counter that decreases by one per cycle while bit 0 of
 * WDT_CNTL is set, and stays at zero. Follows the ISA's page of the same registers of Wormhole's Ethernet tile
 * (CycleCounters.md); no page describes those of a Tensix tile. That page gives the other bits of WDT_CNTL no meaning
 * there, and none is known here: they are rejected, and so is hardware interrupt 3 of the PIC, which the timer raises
 * "subject to appropriate configuration" (PIC.md). */
#ifndef TESSERA_TENSIX_WATCHDOG_H
#define TESSERA_TENSIX_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

struct tx_tile;

void tx_watchdog_reset(struct tx_tile *t);
bool tx_watchdog_write(struct tx_tile *t, uint32_t offset, uint32_t value); /* false: a fault */
uint32_t tx_watchdog_read(const struct tx_tile *t, uint32_t offset);

#endif
