/* The simple sub-unit. */
#ifndef TESSERA_TENSIX_VECTOR_SIMPLE_H
#define TESSERA_TENSIX_VECTOR_SIMPLE_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_simple, tx_run_move, tx_run_swap, tx_run_transpose, tx_run_nop;
/* SFPSWAP by a macro: its second cycle. */
void tx_vector_finish_swap(struct tx_vexec *x, uint32_t lanes);

#endif
