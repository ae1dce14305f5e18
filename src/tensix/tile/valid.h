/* Is this a state that a tile can be in? Asked of a saved state before a tile takes it: its checksum may have been recomputed after damage.
 *
 * Every index, count, enumeration and mask is in range, queues hold what they say, the effects are a heap by time, counters of what is under
 * way agree with what is under way. Values that only travel (registers, L1, data in Src and Dst) are taken as they are, and so are times: they
 * may make a run wrong or end it, not break the simulator. */
#ifndef TESSERA_TENSIX_TILE_VALID_H
#define TESSERA_TENSIX_TILE_VALID_H

struct tx_tile;

/* NULL, or the block that cannot be so. */
const char *tx_tile_wrong(const struct tx_tile *t);

#endif
