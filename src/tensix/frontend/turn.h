/* The wait gate with timing off: a thread passes its words in turns (docs/architecture.md, "Timing off: turns"). */
#ifndef TESSERA_TENSIX_TURN_H
#define TESSERA_TENSIX_TURN_H

#include <stdbool.h>

#include "sim/time.h"

struct tx_tile;

/* Passes words, one per cycle, until one is blocked or `limit` is reached. */
void tx_gate_take_turn(struct tx_tile *t, unsigned thread, sim_time limit);

/* In a turn of the thread's core, which waits for room in FIFO 1 from this cycle on: is the thread next, with words for the vector unit, and only the core after it? */
bool tx_gate_may_drain(const struct tx_tile *t, unsigned thread);
/* The turn of the thread then; engine.turn is set. false: it is not over. */
bool tx_gate_drain(struct tx_tile *t, unsigned thread);

#endif
