/* Helpers shared by the sub-units (exec.h). */
#include "tensix/unit/vector/exec.h"

void tx_vector_lanes(struct tx_vexec *x, enum tx_lane_op op, uint32_t i, uint32_t j) {
  tx_assert(op < TX_LANE_COUNT && x->op->vb < TX_LREGS && x->op->vc < TX_LREGS);
  struct tx_lane_args args = {
      .d = tx_vector_out(x, x->op->vd), .b = x->in[x->op->vb], .c = x->in[x->op->vc], .i = i, .j = j, .mask = x->enabled};
  if (args.d) x->ops->fn[op](&args);
}

uint32_t tx_vector_bits(struct tx_vexec *x, enum tx_lane_op op, const uint32_t *b, const uint32_t *c, uint32_t i) {
  struct tx_lane_args args = {.b = b, .c = c, .i = i, .mask = TX_ALL_LANES};
  return x->ops->fn[op](&args);
}
