/* The rows and banks that an instruction of the matrix unit uses. */
#ifndef TESSERA_TENSIX_MATRIX_ACCESS_H
#define TESSERA_TENSIX_MATRIX_ACCESS_H

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/unit/matrix/formats.h"

/* Rows of Dst that an instruction uses: marks, interlocks and diagnostics in one place. */
/* TX_DST_HALVES: 16-bit rows whose bits are halves of 32-bit numbers. */
enum tx_dst_use { TX_DST_READS = 1, TX_DST_WRITES = 2, TX_DST_BY_MOVE = 4, TX_DST_HALVES = 8 };
uint32_t tx_matrix_dst_row(const struct tx_tile *t, unsigned thread, uint32_t field);
uint32_t tx_matrix_dst_aligned(struct tx_tile *t, uint32_t row, uint32_t mask, uint32_t step);
struct tx_dst_request {
  uint32_t row, step, count;
  bool wide;    /* the 32-bit view */
  unsigned use; /* bits of enum tx_dst_use */
};
void tx_matrix_use_rows(struct tx_tile *t, const struct tx_dst_request *request, struct tx_cost *cost,
                        struct num_fpu_rows *rows);
/* The same for four or eight rows that are all written in this view or all undefined. false: no change. */
bool tx_matrix_use_alike(struct tx_tile *t, const struct tx_dst_request *request, struct tx_cost *cost,
                         struct num_fpu_rows *rows);
/* The usual move of four or eight rows to or from `row` of the 16-bit view: the place of these rows in Dst, which are then marked as written
 * (to), or have been (from). NULL: no change, the caller uses tx_matrix_use_rows. */
uint16_t (*tx_matrix_moved_to(struct tx_tile *t, uint32_t row, uint32_t count, struct tx_cost *cost))[TX_DST_COLUMNS];
const uint16_t (*tx_matrix_moved_from(struct tx_tile *t, uint32_t row, uint32_t count,
                                      struct tx_cost *cost))[TX_DST_COLUMNS];
uint32_t tx_matrix_src_row(struct tx_tile *t, enum tx_src_which which, uint32_t row, uint32_t mask, uint32_t step);
void tx_matrix_finish(struct tx_tile *t, unsigned thread, uint32_t clear_dvalid, uint32_t addr_mode,
                      const struct tx_cost *cost);
/* Banks decoded for vector code, and anomalies of the rows in use. */
const struct num_fpu_ops *tx_matrix_ops(struct tx_tile *t);
const struct num_fpu_bank_a *tx_matrix_bank_a(struct tx_tile *t, const struct num_fpu_mode *mode);
const struct num_fpu_bank_b *tx_matrix_bank_b(struct tx_tile *t, const struct num_fpu_mode *mode);
void tx_matrix_check_data(struct tx_tile *t, const struct tx_matrix_setup *setup, uint64_t rows_a, uint64_t rows_b);

#endif
