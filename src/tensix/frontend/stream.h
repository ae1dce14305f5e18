/* Consecutive words of the vector unit, of a thread that is the only active agent. */
#ifndef TESSERA_TENSIX_STREAM_H
#define TESSERA_TENSIX_STREAM_H

#include "sim/time.h"

struct tx_tile;

/* Passes the words of the vector unit that are next while the FIFOs are in full flow, cycle after cycle up to the one before `limit`, and books
 * their waits. The thread waits for nothing else and no hook is set (sole.c); its front end is settled up to the cycle before. Moves
 * engine.now; returns when the thread looks at the gate again, 0: nothing has happened. */
sim_time tx_gate_stream(struct tx_tile *t, unsigned thread, sim_time *limit);
/* No other agent acts at or before `at`. Updates `limit` if necessary. */
_Bool tx_gate_is_alone(struct tx_tile *t, unsigned thread, sim_time at, sim_time *limit);

#endif
