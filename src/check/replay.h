/* Recordings of the replay expander that a later one has overwritten in part. */
#ifndef TESSERA_CHECK_REPLAY_H
#define TESSERA_CHECK_REPLAY_H

#include "tensix/tile/tile.h"

/* A REPLAY leaves FIFO 2 of the thread; `count` slots from `first` on are recorded or played. */
void chk_replay(struct tx_tile *t, unsigned thread, bool load, uint32_t first, uint32_t count);

#endif
