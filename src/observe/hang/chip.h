/* Finds the reason why a chip hangs (hang/chip_value.h) and writes it as text, JSON and SARIF. */
#ifndef TESSERA_OBSERVE_HANG_CHIP_H
#define TESSERA_OBSERVE_HANG_CHIP_H

#include "observe/hang/chip_value.h"
#include "sim/text.h"

/* NULL: out of memory. The caller frees it. `programs` may be NULL. */
struct obs_chip_hang *obs_chip_hang_find(struct chip *chip, obs_program_fn *programs, void *context);
/* The same; the cores of tiles whose entry in `tiles` is false neither wait nor act. NULL: all tiles. */
struct obs_chip_hang *obs_chip_hang_find_in(struct chip *chip, const bool *tiles, obs_program_fn *programs, void *context);
/* At most 24 lines, unless `verbose`. */
void obs_chip_hang_text(struct chip *chip, const struct obs_chip_hang *hang, bool verbose, struct sim_text *out);
/* One JSON object: every waiter has its tile. */
void obs_chip_hang_json(struct chip *chip, const struct obs_chip_hang *hang, struct sim_text *out);
/* One SARIF result for each tile that hangs. */
void obs_chip_hang_sarif(struct chip *chip, const struct obs_chip_hang *hang, bool *first, struct sim_text *out);

#endif
