/* The threads at the wait gate: words that only their unit can block pass without the phases of gate.h. */
#ifndef TESSERA_TENSIX_SOLE_H
#define TESSERA_TENSIX_SOLE_H

#include "sim/time.h"

struct tx_tile;

/* The three phases of the threads (one bit each) that act in this cycle; cores may act too. */
void tx_gate_cycle(struct tx_tile *t, unsigned threads);
/* The same, cycle after cycle, while no other agent acts and no effect is due before `limit` (sim_machine.run_group). */
void tx_gate_run_threads(struct tx_tile *t, sim_time limit);

#endif
