/* The formats and styles of an instruction of the matrix unit. */
#ifndef TESSERA_TENSIX_MATRIX_FORMATS_H
#define TESSERA_TENSIX_MATRIX_FORMATS_H

#include "tensix/machine.h"
#include "tensix/num/num_fpu.h"

/* The interpretation of a source datum: the families of docs/evidence/errata.md A22. */
enum tx_style { TX_STYLE_BF16, TX_STYLE_FP16, TX_STYLE_TF32, TX_STYLE_INT8 };

/* Formats and style of one instruction. */
struct tx_matrix_setup {
  uint32_t fmt_a, fmt_b; /* resolved: implied, overridden or configured */
  enum tx_style style;   /* style of the arithmetic: given by SrcA's format */
  bool wide;             /* Dst in its 32-bit view */
  bool flush;            /* SrcB (and moves): exponent 0 is zero */
  bool stochastic;       /* the sum is rounded stochastically */
  uint32_t phase;
};

/* false when it faulted (a code that names no format). */
bool tx_matrix_resolve(struct tx_tile *t, unsigned thread, struct tx_matrix_setup *setup);
enum tx_style tx_matrix_style(uint32_t format);
uint32_t tx_matrix_format_a(struct tx_tile *t, unsigned thread);
uint32_t tx_matrix_format_b(struct tx_tile *t, unsigned thread);
bool tx_matrix_format_known(struct tx_tile *t, uint32_t format);
struct num_fpu_mode tx_matrix_mode(const struct tx_matrix_setup *setup);

/* The bank that the matrix unit uses. */
static inline struct tx_src_bank *tx_matrix_bank(struct tx_tile *t, enum tx_src_which which) {
  tx_assert(which <= TX_SRCB && t->src.matrix_bank[which] < 2);
  return &t->src.bank[which][t->src.matrix_bank[which]];
}

#endif
