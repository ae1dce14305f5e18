/* A tile: its life, the words that its cores push, its runs. */
#ifndef TESSERA_API_TILE_H
#define TESSERA_API_TILE_H

#include "api/tile_value.h"

/* Constructor and destructor for the tiles of a chip: `memory` is the struct around tx_tile. */
void api_tile_made(void *memory);
void api_tile_gone(void *memory);

/* Makes room for `count` operations of a thread's stand-in; false: out of memory. */
bool api_reserve(struct tessera_tile *tile, unsigned thread, uint64_t count);
/* Appends an operation to the list of a thread's stand-in. */
enum tessera_result api_append(struct tessera_tile *tile, unsigned thread, struct tx_script_op op);
void api_end(struct tessera_tile *tile, enum sim_end end); /* records the end of a run */
enum sim_end api_run(struct tessera_tile *tile, uint64_t cycles);
enum tessera_result api_run_result(const struct tessera_tile *tile);

/* Another state was put in place of the tile's: checkers and account begin again with its cycle. */
void api_restored(struct tessera_tile *tile);

#endif
