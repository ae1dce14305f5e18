/* Consecutive words of the vector unit, of a thread that is the only active agent. */
#ifndef TESSERA_TENSIX_STREAM_H
#define TESSERA_TENSIX_STREAM_H

#include "sim/time.h"

struct tx_tile;

/* Passes the next words of the vector unit while the FIFOs move one word per cycle, up to the cycle before `limit`, and counts
 * their waits. The thread has no other wait and no hook is set (sole.c); its front end is settled up to the cycle before. Advances
 * engine.now. Returns the time at which the thread enters the gate again; 0: no word has passed. */
sim_time tx_gate_stream(struct tx_tile *t, unsigned thread, sim_time limit);

#endif
