/* The formats and styles of an instruction of the matrix unit. */
#ifndef TESSERA_TENSIX_MATRIX_FORMATS_H
#define TESSERA_TENSIX_MATRIX_FORMATS_H

#include "tensix/machine.h"
#include "tensix/num/num_fpu.h"

/* Setup and mode of an instruction that computes; NULL when it faulted (a code that names no format). Valid until the next call. */
const struct tx_matrix_known *tx_matrix_know(struct tx_tile *t, unsigned thread);
enum tx_style tx_matrix_style(uint32_t format);
uint32_t tx_matrix_format_a(struct tx_tile *t, unsigned thread);
uint32_t tx_matrix_format_b(struct tx_tile *t, unsigned thread);
bool tx_matrix_format_known(struct tx_tile *t, uint32_t format); /* else a fault */
static inline bool tx_matrix_format_exists(uint32_t format) { return format != 12 && format != 13; }

/* The bank that the matrix unit uses. */
static inline struct tx_src_bank *tx_matrix_bank(struct tx_tile *t, enum tx_src_which which) {
  tx_assert(which <= TX_SRCB && t->src.matrix_bank[which] < 2);
  return &t->src.bank[which][t->src.matrix_bank[which]];
}

#endif
