/* The wait gate with timing off: a thread passes its words in turns (docs/architecture.md, "Timing off: turns"). */
#ifndef TESSERA_TENSIX_TURN_H
#define TESSERA_TENSIX_TURN_H

#include <stdbool.h>

#include "sim/time.h"

struct tx_tile;

/* Passes words, one per cycle, until one is blocked or `limit` is reached. */
void tx_gate_take_turn(struct tx_tile *t, unsigned thread, sim_time limit);

/* In a turn of the thread's core: up to which cycle, exclusive, may the core, when it waits for room in FIFO 1, execute a turn of the thread with words for the
 * vector unit? 0: it may not. */
sim_time tx_gate_drains_until(const struct tx_tile *t, unsigned thread);
/* Such a turn. NOT: the thread is not due, or has other words, without a change; BEGUN: it is not over, and engine.turn is the thread's. */
enum tx_drain { TX_DRAIN_NOT, TX_DRAIN_BEGUN, TX_DRAIN_DONE };
enum tx_drain tx_gate_drain(struct tx_tile *t, unsigned thread, sim_time until);

#endif
