/* Executes the notes of a lap again: the bodies of the words that pass, the effects that they cause, and what the cores store. Front ends, gates and cores
 * stay as they are. */
#ifndef TESSERA_TENSIX_LAP_REPEAT_H
#define TESSERA_TENSIX_LAP_REPEAT_H

#include "tensix/machine.h"

/* Once after the notes were taken: finds what can be executed together. */
void tx_lap_prepare(struct tx_lap_notes *notes);
/* Another lap from now on, of `period` cycles. */
void tx_lap_repeat(struct tx_tile *t, const struct tx_lap_notes *notes, sim_time period);

#endif
