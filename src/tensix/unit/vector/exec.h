/* The execution context of an instruction of the vector unit, shared by the sub-units. */
#ifndef TESSERA_TENSIX_VECTOR_EXEC_H
#define TESSERA_TENSIX_VECTOR_EXEC_H

#include "tensix/machine.h"
#include "tensix/unit/vector/lanes.h"

/* An instruction during execution. All its inputs are those at the start of the cycle. */
struct tx_vexec {
  struct tx_tile *t;
  struct tx_vector *v;
  const struct tx_vop *op;
  const tx_row *in;              /* LRegs to read from */
  const tx_row *in_late;         /* SFPSWAP's second cycle */
  const struct tx_lane_ops *ops; /* the lanes' arithmetic */
  struct tx_flags flags;         /* before */
  /* lanes in which the instruction exists: all except those in which it loads a template or a macro differs */
  uint32_t lanes;
  uint32_t enabled; /* of those, the lanes enabled by LaneEnabled */
  unsigned thread;
  uint16_t address; /* scheduled SFPSTORE */
  bool scheduled;   /* by SFPLOADMACRO */
};

typedef void tx_vector_fn(struct tx_vexec *x);

static inline struct tx_hidden *tx_hidden_of(struct tx_vector *v, sim_time at) { return &v->hidden[at & 1u]; }

/* The row for writing LReg `index`, NULL: not writable. A one-cycle result that completes before an earlier two-cycle
 * result is written to the value which that one hides. */
static inline uint32_t *tx_vector_out(struct tx_vexec *x, unsigned index) {
  tx_assert(index <= TX_LREGS); /* TX_LREGS: none */
  if (index >= 8 && index != TX_LREG_STAGING) return NULL;
  struct tx_hidden *h = tx_hidden_of(x->v, tx_now(x->t));
  x->v->unread |= 1u << index;
  x->v->written |= 1u << index;
  if (h->at != tx_now(x->t) || !(h->rows >> index & 1u) || x->op->two_cycles) return x->v->lreg[index];
  h->fresh_rows |= 1u << index;
  return h->old[index];
}

/* Are there instructions that SFPLOADMACRO has scheduled? */
static inline bool tx_macro_waiting(const struct tx_vector *v) {
  return v->occupied[TX_SUB_SIMPLE] | v->occupied[TX_SUB_MAD] | v->occupied[TX_SUB_ROUND] | v->occupied[TX_SUB_STORE];
}

static inline uint32_t tx_vector_enabled(const struct tx_vector *v, const struct tx_flags *flags) {
  return ~v->row_masked & (~flags->use | flags->flags);
}
static inline uint32_t tx_column_lanes(uint32_t columns) { return columns * 0x01010101u; }

/* LReg[VD] = the operation, in the enabled lanes. b and c are VB and VC. */
void tx_vector_lanes(struct tx_vexec *x, enum tx_lane_op op, uint32_t i, uint32_t j);
uint32_t tx_vector_bits(struct tx_vexec *x, enum tx_lane_op op, const uint32_t *b, const uint32_t *c, uint32_t i);

#endif
