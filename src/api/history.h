/* The history of a tile: the state and the changes from which the last writers of a hang are found. */
#ifndef TESSERA_API_HISTORY_H
#define TESSERA_API_HISTORY_H

#include "api/tile_value.h"

void api_written(struct tessera_tile *tile);        /* a write of the host */
void api_changed(struct tessera_tile *tile);        /* a change that the history cannot record */
void api_forget_history(struct tessera_tile *tile); /* a new state */
void api_begin_history(struct tessera_tile *tile);  /* a run begins */
void api_find_writers(struct tessera_tile *tile);   /* a run has hung */

#endif
