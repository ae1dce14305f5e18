/* Runs a chip and detects livelock: besides the hangs that the chip detects itself (no event is due, an agent waits), it finds cores that
 * spin in loops which cannot be parked, as in progress.h, on all tiles at once. */
#ifndef TESSERA_OBSERVE_CHIP_PROGRESS_H
#define TESSERA_OBSERVE_CHIP_PROGRESS_H

#include "chip/chip.h"

/* As chip_run, with CHIP_END_BLOCKED if on every tile the cores only spin forever. `over` (or NULL) is called at intervals, and ends
 * the run with CHIP_END_TIME if it returns true: a kernel's check did not hold. */
enum chip_end obs_chip_run(struct chip *chip, sim_time until, bool (*over)(const void *context), const void *context);

#endif
