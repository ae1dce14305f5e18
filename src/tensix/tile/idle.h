/* Is a thread of the coprocessor idle? TTSync, the PC buffers and scripts wait for it. */
#ifndef TESSERA_TENSIX_IDLE_H
#define TESSERA_TENSIX_IDLE_H

#include <stdbool.h>

#include "sim/time.h"

struct tx_tile;

/* When this thread's front end is empty and nothing of it is in any unit: a time, or SIM_NEVER while that is not known. */
sim_time tx_tile_idle_at(struct tx_tile *t, unsigned thread);
bool tx_tile_thread_idle(struct tx_tile *t, unsigned thread);

#endif
