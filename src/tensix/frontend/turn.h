/* The wait gate with timing off: a thread passes its words in turns (docs/architecture.md, "Timing off: turns"). */
#ifndef TESSERA_TENSIX_TURN_H
#define TESSERA_TENSIX_TURN_H

#include "sim/time.h"

struct tx_tile;

/* Passes words, one per cycle, until one is blocked or `limit` is reached. */
void tx_gate_take_turn(struct tx_tile *t, unsigned thread, sim_time limit);

#endif
