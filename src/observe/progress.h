/* Running a tile so that it never runs for ever: besides the deadlocks that the engine sees itself, cores that only spin in loops
 * which cannot be parked (through the L0 cache, over registers that move) are found.
 *
 * When for a while no core has stored anything, no thread has passed an instruction and nothing else is under way, the cores'
 * instructions are followed (orbit.h): if each comes back to a state it was in, and no decision on the way depends on what time it
 * is, nothing can ever change. A core that waits for a time is not stuck, and nobody is who may wait for it. */
#ifndef TESSERA_OBSERVE_PROGRESS_H
#define TESSERA_OBSERVE_PROGRESS_H

#include "debug/program.h"
#include "tensix/tile/tile.h"

/* As tx_tile_run, with SIM_END_BLOCKED when all cores spin for ever; those then have a wait of kind TX_BLOCKED_LOOP or
 * TX_BLOCKED_ADDRESS, so that reports can say on what. A KERNEL_CHECK of `program` (or NULL) that does not hold ends the run with
 * SIM_END_STOPPED, whatever the other cores do. */
enum sim_end obs_run(struct tx_tile *t, const struct dbg_program *program, sim_time until);

#endif
