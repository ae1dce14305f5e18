/* Is a thread of the coprocessor idle? TTSync, the PC buffers and scripts wait for it. */
#ifndef TESSERA_TENSIX_IDLE_H
#define TESSERA_TENSIX_IDLE_H

#include <stdbool.h>

#include "sim/time.h"

struct tx_tile;

/* The time at which this thread's front end and all units are empty of its words; SIM_NEVER: not known. */
sim_time tx_tile_idle_at(struct tx_tile *t, unsigned thread);

#endif
