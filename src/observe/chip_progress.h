/* Running a chip so that it never runs forever: besides the hangs that the chip sees itself (nothing is due, an agent waits), cores that
 * only spin in loops which cannot be parked are found, as in progress.h, on all tiles at once. */
#ifndef TESSERA_OBSERVE_CHIP_PROGRESS_H
#define TESSERA_OBSERVE_CHIP_PROGRESS_H

#include "chip/chip.h"

/* As chip_run, with CHIP_END_BLOCKED when on every tile nothing happens but that cores spin forever. `over` (or NULL) is called from time
 * to time, and ends the run with CHIP_END_TIME: a check of a kernel that did not hold. */
enum chip_end obs_chip_run(struct chip *chip, sim_time until, bool (*over)(const void *context), const void *context);

#endif
