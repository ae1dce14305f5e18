/* The round sub-unit, and the random numbers of the lanes. */
#ifndef TESSERA_TENSIX_VECTOR_ROUND_H
#define TESSERA_TENSIX_VECTOR_ROUND_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_round, tx_run_shift2, tx_run_cast, tx_run_arecip;
/* The random words of the lanes; steps the generators in the lanes of the mask. */
void tx_vector_random(struct tx_vexec *x, uint32_t mask, uint32_t words[TX_LANES]);
/* SFP_STOCH_RND to nearest as one operation; false: it needs more than that. Writes to PRNG_SEED must have been applied. */
bool tx_round_step(const struct tx_vop *op, struct tx_lane_step *step);

#endif
