/* What a machine does at this moment, in a few words, for a line that is drawn while it runs: reads the state, runs nothing. */
#ifndef TESSERA_OBSERVE_REPORT_ACTIVITY_H
#define TESSERA_OBSERVE_REPORT_ACTIVITY_H

#include "chip/chip.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

/* "TRISC0 runs; thread 1 (math) waits: SrcA bank; 3 cores poll"; the names of waits are those of the stall table. */
void obs_tile_activity(const struct tx_tile *t, struct sim_text *out);
/* "62 of 64 tiles run, 10 wait for the NoC, 2 only wait": tiles with a core out of reset; one runs while one of its cores neither waits nor
 * polls. */
void obs_chip_activity(struct chip *c, struct sim_text *out);

#endif
