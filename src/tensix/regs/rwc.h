/* RWCs: the row counters of the matrix and vector units, one set per thread, and the address modes that step them.
 *
 * Follows RWCs.md, SETRWC.md, INCRWC.md (Wormhole pages, shared text) with the Blackhole corrections: three-bit address mode,
 * ExtraAddrModBit kept but without effect, SFPU stack pointer Sp set by SETRWC bit 4. */
#ifndef TESSERA_TENSIX_RWC_H
#define TESSERA_TENSIX_RWC_H

#include <stdbool.h>

#include "tensix/state/rwc.h"

struct tx_tile;

/* Steps the counters of a thread after an instruction. SFPLOAD and SFPSTORE do not change the fidelity phase. */
void tx_rwc_apply(struct tx_tile *t, unsigned thread, unsigned addr_mode, bool with_fidelity);

#endif
