/* Runs a tile and detects livelock: besides the deadlocks that the engine detects, it finds cores that spin in loops which cannot
 * be parked (through the L0 cache, over registers that change by themselves).
 *
 * When for a while no core has stored anything, no thread has passed an instruction and nothing else is under way, the cores'
 * instructions are followed (orbit.h): if each comes back to a state it was in, and no decision on the way depends on what time it
 * is, nothing can ever change. A core that waits for a time is not stuck, and neither is an agent that may wait for that core. */
#ifndef TESSERA_OBSERVE_PROGRESS_H
#define TESSERA_OBSERVE_PROGRESS_H

#include "debug/program.h"
#include "observe/look.h"
#include "tensix/tile/tile.h"

/* What is known so far, kept by the caller from one run to the next: a hang is found in the same cycle wherever runs are cut. Plain data
 * but for what a look holds while it runs. All zero at the start, and after every change of the tile from outside. */
enum obs_progress_phase { OBS_PROGRESS_NONE, OBS_PROGRESS_QUIET, OBS_PROGRESS_LOOK };
struct obs_progress {
  uint32_t phase; /* enum obs_progress_phase */
  uint32_t pad;
  uint64_t work;          /* obs_work_done at the start of the phase */
  sim_time at;            /* the next question */
  sim_time since;         /* since when nothing has moved */
  sim_time quiet, window; /* how long the phases last now */
  sim_time look_until;
  struct obs_look look; /* last */
};

/* As tx_tile_run, with SIM_END_BLOCKED when all cores spin forever; those then have a wait of kind TX_BLOCKED_LOOP or
 * TX_BLOCKED_ADDRESS, so that reports can say on what. A KERNEL_CHECK of `program` (or NULL) that does not hold ends the run with
 * SIM_END_STOPPED, whatever the other cores do. */
enum sim_end obs_run_on(struct obs_progress *p, struct tx_tile *t, const struct dbg_program *program, sim_time until);
enum sim_end obs_run(struct tx_tile *t, const struct dbg_program *program, sim_time until); /* without a run before it */

#endif
