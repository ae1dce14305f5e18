/* Executes the notes of a lap again: the bodies of the words that pass, the effects that they cause, and what the cores store. Front ends, gates and cores
 * stay as they are. */
#ifndef TESSERA_TENSIX_LAP_REPEAT_H
#define TESSERA_TENSIX_LAP_REPEAT_H

#include "tensix/lap/vectors.h"

/* What words add to the state of their unit in a lap, if that is known before. Times are cycles since the lap began. */
struct tx_lap_use {
  bool used;
  uint32_t busy, free_after;
  uint32_t words[TX_THREADS], drained_after[TX_THREADS];
};

struct tx_lap_plan {
  struct tx_lap_use use[TX_UNIT_COUNT];
  struct tx_lap_vectors vectors;
};

/* Once after the notes were taken: leaves in them what is to be executed. */
void tx_lap_prepare(struct tx_lap_plan *plan, struct tx_lap_notes *notes, bool timing);
/* Another lap from now on, of `period` cycles. */
void tx_lap_repeat(struct tx_tile *t, struct tx_lap_notes *notes, struct tx_lap_plan *plan, sim_time period);

#endif
