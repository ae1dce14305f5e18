/* The simple sub-unit. */
#ifndef TESSERA_TENSIX_VECTOR_SIMPLE_H
#define TESSERA_TENSIX_VECTOR_SIMPLE_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_simple, tx_run_move, tx_run_swap, tx_run_transpose, tx_run_nop;
/* SFPSWAP by a macro: its second cycle. */
void tx_vector_finish_swap(struct tx_vexec *x, uint32_t lanes);
/* SFPSWAP: the lanes in which VD receives the minimum; modifiers from 9 on: none. */
uint32_t tx_swap_minimum_lanes(unsigned mod);

/* An instruction of tx_run_simple as LReg[VD] = op(VB, VC, i, j). */
struct tx_lane_form {
  enum tx_lane_op op;
  bool b_is_vc; /* VC instead of VB */
  uint32_t i, j;
};
struct tx_lane_form tx_simple_form(const struct tx_vop *op);
/* Its modifier neither sets flags nor is reserved. */
bool tx_simple_is_form_only(const struct tx_vop *op);

#endif
