/* Runs a chip and detects livelock: besides the hangs that the chip detects itself (no event is due, an agent waits), it finds cores that
 * spin in loops which cannot be parked, as in progress.h, on all tiles at once. */
#ifndef TESSERA_OBSERVE_HANG_CHIP_PROGRESS_H
#define TESSERA_OBSERVE_HANG_CHIP_PROGRESS_H

#include "chip/chip.h"
#include "observe/hang/progress.h"

/* The state of the detection, kept by the caller from one run to the next: a hang is detected in the same cycle however runs are divided.
 * All zero at the start. obs_chip_progress_reset after every change of the chip from outside, and at its end. */
struct obs_chip_progress {
  enum obs_progress_phase phase;
  bool stored;            /* cores have stored in the phase before */
  uint64_t work, stores;  /* sums of all counters of progress, and of the stores of cores, at the start of the phase */
  sim_time at;            /* the next question */
  sim_time since;         /* time of the last progress */
  sim_time quiet, length; /* present lengths of the phases */
  sim_time look_until;
  struct obs_look *look[CHIP_TILES]; /* of the tiles with a spinning core */
  unsigned count;
};

/* As chip_run, with CHIP_END_BLOCKED if on every tile the cores only spin forever. `over` (or NULL) is called at intervals, and ends
 * the run with CHIP_END_TIME if it returns true: a kernel's check did not hold. */
enum chip_end obs_chip_run(struct obs_chip_progress *p, struct chip *chip, sim_time until, bool (*over)(const void *context),
                           const void *context);
void obs_chip_progress_reset(struct obs_chip_progress *p);

#endif
