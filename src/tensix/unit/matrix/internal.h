/* What the files of the matrix unit share. */
#ifndef TESSERA_TENSIX_MATRIX_INTERNAL_H
#define TESSERA_TENSIX_MATRIX_INTERNAL_H

#include "tensix/num/format.h"
#include "tensix/tile/tile.h"
#include "tensix/unit/matrix/matrix.h"

/* How a source datum is understood: the families of facts A22. */
enum tx_style { TX_STYLE_BF16, TX_STYLE_FP16, TX_STYLE_TF32, TX_STYLE_INT8 };

/* What an instruction of a thread works with. */
struct tx_matrix_setup {
  uint32_t fmt_a, fmt_b; /* resolved: implied, overridden or configured */
  enum tx_style style;   /* of the arithmetic: by SrcA's format */
  bool wide;             /* Dst in its 32-bit view */
  bool flush;            /* SrcB (and moves): exponent 0 is zero */
  bool stochastic;       /* the sum is rounded by chance */
  uint32_t phase;
};

/* formats.c: false when it faulted (a code that names no format). */
bool tx_matrix_resolve(struct tx_tile *t, unsigned thread, struct tx_matrix_setup *setup);
enum tx_style tx_matrix_style(uint32_t format);
uint32_t tx_matrix_format_a(struct tx_tile *t, unsigned thread);
uint32_t tx_matrix_format_b(struct tx_tile *t, unsigned thread);
bool tx_matrix_format_known(struct tx_tile *t, uint32_t format);
struct num_fpu_mode tx_matrix_mode(const struct tx_matrix_setup *setup);
const uint32_t *tx_matrix_config(const struct tx_tile *t, unsigned thread); /* this thread's bank of Config */

/* access.c. Rows of Dst that an instruction uses: marks, interlocks and diagnostics in one place. */
enum tx_dst_use { TX_DST_READS = 1, TX_DST_WRITES = 2, TX_DST_BY_MOVE = 4 };
uint32_t tx_matrix_dst_row(const struct tx_tile *t, unsigned thread, uint32_t field);
uint32_t tx_matrix_dst_aligned(struct tx_tile *t, uint32_t row, uint32_t mask, uint32_t step);
void tx_matrix_use_rows(struct tx_tile *t, uint32_t row, uint32_t step, uint32_t count, bool wide, unsigned use,
                        struct tx_cost *cost, struct num_fpu_rows *rows);
uint32_t tx_matrix_src_row(struct tx_tile *t, enum tx_src_which which, uint32_t row, uint32_t mask, uint32_t step);
struct tx_src_bank *tx_matrix_bank(struct tx_tile *t, enum tx_src_which which);
void tx_matrix_finish(struct tx_tile *t, unsigned thread, uint32_t clear_dvalid, uint32_t addr_mode,
                      const struct tx_cost *cost);
/* Banks taken apart for vector code, and what is odd in the rows used. */
const struct num_fpu_ops *tx_matrix_ops(struct tx_tile *t);
const struct num_fpu_bank_a *tx_matrix_bank_a(struct tx_tile *t, const struct num_fpu_mode *mode);
const struct num_fpu_bank_b *tx_matrix_bank_b(struct tx_tile *t, const struct num_fpu_mode *mode);
void tx_matrix_check_data(struct tx_tile *t, const struct tx_matrix_setup *setup, uint64_t rows_a, uint64_t rows_b);

#endif
