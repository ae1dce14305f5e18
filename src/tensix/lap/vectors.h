/* Words of the vector unit that follow each other in a lap: a stretch. Where they end, and what they do besides the arithmetic of the lanes, is the same in every
 * lap, so it is found out in the first one and then taken over: registers of addresses, results that are still hidden, the times of the unit. The steps
 * of the lanes follow each other without the words. A stretch is executed word by word where an instruction among them does more, or a lane is not enabled. */
#ifndef TESSERA_TENSIX_LAP_VECTORS_H
#define TESSERA_TENSIX_LAP_VECTORS_H

#include "tensix/machine.h"

#define TX_LAP_STRETCHES 16384u
#define TX_LAP_STEPS 262144u     /* of all stretches */
#define TX_LAP_STEP_KINDS 4096u  /* different ones */
#define TX_LAP_DST_GROUPS 32768u /* of all stretches */

/* What a stretch leaves. Times are cycles after its first word. */
struct tx_lap_stretch {
  uint32_t words;
  uint32_t step, steps;
  uint32_t group, groups;
  uint32_t free_after, drained_after, busy;
  uint32_t written, unread;
  uint32_t nop_only_after; /* and one; 0: no change */
  struct {
    uint32_t after; /* and one; 0: no change */
    uint32_t rows, held_rows, fresh_rows, wanted_rows;
  } hidden[2];
  struct tx_rwc rwc;
};

/* What its stores change besides the data of four rows of Dst. */
struct tx_lap_dst {
  uint32_t group; /* the first row is 4 times this */
  uint32_t valid; /* a byte each */
  uint32_t until_after;
};

struct tx_lap_vectors {
  uint32_t stretches, steps, kinds, groups; /* in use */
  uint16_t kind_at[2 * TX_LAP_STEP_KINDS];  /* by a hash of the step: its place and one; 0: none */
  struct tx_lane_step kind[TX_LAP_STEP_KINDS];
  struct tx_lap_stretch stretch[TX_LAP_STRETCHES];
  const struct tx_lane_step *step[TX_LAP_STEPS];
  struct tx_lap_dst dst[TX_LAP_DST_GROUPS];
};

/* Another lap will be repeated: finds the words that follow each other. */
void tx_lap_vectors_begin(struct tx_lap_vectors *v, struct tx_lap_notes *notes);
/* Executes the words from this note on, up to an effect; `begin`: of the lap. Returns their number. */
uint32_t tx_lap_vectors_run(struct tx_lap_vectors *v, struct tx_tile *t, struct tx_lap_note *note, sim_time begin);

#endif
