/* One thread at the wait gate: words that only their unit can block pass without the phases of gate.h. */
#ifndef TESSERA_TENSIX_SOLE_H
#define TESSERA_TENSIX_SOLE_H

#include "sim/time.h"

struct tx_tile;

/* The three phases for the only thread that acts in this cycle; a core may act too. */
void tx_gate_act(struct tx_tile *t, unsigned thread);
/* The same for a thread that is the only agent to act until `limit`, cycle after cycle. */
void tx_gate_run_sole(struct tx_tile *t, unsigned thread, sim_time limit);

#endif
