/* Running an instruction of the vector unit: results of two cycles are hidden from readers that come too soon. */
#ifndef TESSERA_TENSIX_VECTOR_RUN_H
#define TESSERA_TENSIX_VECTOR_RUN_H

#include "tensix/unit/vector/exec.h"

/* Results that are not visible yet in this cycle; NULL: none. */
static inline const struct tx_hidden *tx_vector_hidden(struct tx_tile *t) {
  const struct tx_hidden *h = tx_hidden_of(&t->vector, tx_now(t) - 1);
  return t->timing && tx_now(t) && h->at == tx_now(t) - 1 && h->rows ? h : NULL;
}
/* Registers as they are seen one cycle after `h`: results of two cycles are not there yet. */
void tx_vector_build_view(const struct tx_vector *v, const struct tx_hidden *h, tx_row view[TX_LREGS]);
/* A cycle in which scheduled instructions execute: all of them read what is there now. */
void tx_vector_begin_cycle(struct tx_tile *t);
void tx_vector_report_too_soon(struct tx_vexec *x);
/* Runs one instruction with registers hidden as they must be. */
void tx_vector_run(struct tx_vexec *x);

#endif
