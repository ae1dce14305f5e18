/* Entry of a single instruction into the vector unit. */
#ifndef TESSERA_TENSIX_VECTOR_ISSUE_H
#define TESSERA_TENSIX_VECTOR_ISSUE_H

#include "tensix/body.h"
#include "tensix/unit/vector/exec.h"

void tx_vector_execute(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, struct tx_cost *cost);

/* The version of the lanes' arithmetic in use. */
static inline const struct tx_lane_ops *tx_vector_lane_ops(const struct tx_tile *t) {
  return t->vector.scalar_only || !t->unsaved.lane_ops ? &tx_lanes_scalar : t->unsaved.lane_ops;
}

#endif
