/* Execution of an instruction of the vector unit: two-cycle results are hidden from readers that are too early. */
#ifndef TESSERA_TENSIX_VECTOR_RUN_H
#define TESSERA_TENSIX_VECTOR_RUN_H

#include "tensix/unit/vector/exec.h"

/* Results that are not visible yet in this cycle; NULL: none. */
static inline const struct tx_hidden *tx_vector_hidden(struct tx_tile *t) {
  const struct tx_hidden *h = tx_hidden_of(&t->vector, tx_now(t) - 1);
  return tx_now(t) && h->at == tx_now(t) - 1 && h->rows ? h : NULL;
}
/* The registers visible one cycle after `h`: without the two-cycle results in `rows`. */
void tx_vector_build_view(const struct tx_vector *v, const struct tx_hidden *h, uint32_t rows, tx_row view[TX_LREGS]);
/* A cycle in which scheduled instructions execute: all of them read the present values. */
void tx_vector_begin_cycle(struct tx_tile *t);
void tx_vector_report_too_soon(struct tx_vexec *x);
/* Follows values of undefined rows of Dst through the instruction's registers, before it executes. */
void tx_vector_follow_undefined(struct tx_vexec *x);
/* Executes one instruction with its view of the registers. */
void tx_vector_run(struct tx_vexec *x);

#endif
