/* The matrix unit (FPU): dot products, element-wise arithmetic, pooling, and moves between SrcA, SrcB and Dst.
 *
 *   SrcA bank ─┐
 *              ├─► products, aligned per group of eight ─► three-way add ─► round ─► Dst
 *   SrcB bank ─┘                                            ▲────────────────────────┘
 *
 * Follows MatrixUnit.md and the pages of its instructions (Wormhole, shared text), Dst.md (Blackhole),
 * docs/reference/matrix-unit.md for the numbers. Not modelled: the operand cache that GATESRCRST clears (it has no visible
 * state).
 *
 *   formats.c formats and styles of an instruction    multiply.c  MVMUL, DOTPV, GAPOOL, ELWADD, ELWSUB,
 *   access.c    rows of Dst, interlocks, release of banks                         ELWMUL
 *   moves.c     MOV*                                                  pool.c      GMPOOL
 *   control.c   ZEROACC, ZEROSRC, SHIFTX*, TRNSPSRCB, CLEARDVALID, GATESRCRST, CLREXPHIST */
#ifndef TESSERA_TENSIX_MATRIX_H
#define TESSERA_TENSIX_MATRIX_H

#include "tensix/body.h"
#include "tensix/state/matrix.h"

struct tx_tile;

tx_ready_fn tx_matrix_ready;
/* Discards the unsaved part, after the state was replaced. Keeps the choice of arithmetic. */
void tx_matrix_forget(struct tx_tile *t);

#endif
