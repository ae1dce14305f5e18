/* The wait gate with timing off: a thread passes its words in turns (docs/architecture.md, "Timing off: turns"). */
#ifndef TESSERA_TENSIX_TURN_H
#define TESSERA_TENSIX_TURN_H

#include "sim/time.h"
#include "tensix/body.h"

/* Passes words, one per cycle, until one is blocked or `limit` is reached. */
void tx_gate_take_turn(struct tx_tile *t, unsigned thread, sim_time limit);
/* The body of STALLWAIT, SEMWAIT and STREAMWAIT in a turn: a wait that is over in the next cycle ends in it, without a look of the gate. */
tx_body_fn tx_turn_wait;

#endif
