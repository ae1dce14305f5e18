/* Runs a tile and detects livelock: besides the deadlocks that the engine detects, it finds cores that spin in loops which cannot
 * be parked (through the L0 cache, over registers that change by themselves).
 *
 * If for some time no thread has issued an instruction and no effect but stores of cores is pending, the cores'
 * instructions are traced (orbit.h): if each core returns to an earlier state, and no branch on the way depends on a clock,
 * no state can ever change. A core that waits for a time is not stuck, and neither is an agent that may wait for that core. */
#ifndef TESSERA_OBSERVE_HANG_PROGRESS_H
#define TESSERA_OBSERVE_HANG_PROGRESS_H

#include "debug/program.h"
#include "observe/hang/look.h"
#include "tensix/lap/lap.h"
#include "tensix/tile/tile.h"

/* The state of the detection, kept by the caller from one run to the next: a hang is detected in the same cycle however
 * runs are divided. Plain data except for an examination in progress. All zero at the start, and after every change of the
 * tile from outside. */
enum obs_progress_phase { OBS_PROGRESS_NONE, OBS_PROGRESS_QUIET, OBS_PROGRESS_LOOK };
struct obs_progress {
  uint32_t phase;         /* enum obs_progress_phase */
  uint32_t stored;        /* cores have stored in the phase before */
  uint64_t work, stores;  /* obs_work_done and obs_stores_done at the start of the phase */
  sim_time at;            /* the next question */
  sim_time since;         /* time of the last progress */
  sim_time quiet, window; /* present lengths of the phases */
  sim_time look_until;
  struct obs_look look; /* last */
};

/* As tx_tile_run, with SIM_END_BLOCKED if all cores spin forever; they then have a wait of kind TX_BLOCKED_LOOP or
 * TX_BLOCKED_ADDRESS for the reports. A failed KERNEL_CHECK of `program` (or NULL) ends the run with SIM_END_STOPPED,
 * regardless of the other cores. `lap`: repeats the laps of a steady loop (tensix/lap/lap.h); NULL: none. */
enum sim_end obs_run_on(struct obs_progress *p, struct tx_tile *t, const struct dbg_program *program, struct tx_lap *lap,
                        sim_time until);

#endif
