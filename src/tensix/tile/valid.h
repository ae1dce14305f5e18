/* Can a tile be in this state? Tested for a saved state before it is restored: its checksum may have been recomputed after damage.
 *
 * Every index, count, enumeration and mask is in range, the counts of queues match, the effects are a heap by time, and counters of work
 * in progress match it. Data (registers, L1, Src and Dst) and times are not checked: they may make a run wrong or end it, but not break
 * the simulator. */
#ifndef TESSERA_TENSIX_TILE_VALID_H
#define TESSERA_TENSIX_TILE_VALID_H

struct tx_tile;

/* NULL, or the block with an impossible state. */
const char *tx_tile_wrong(const struct tx_tile *t);

#endif
