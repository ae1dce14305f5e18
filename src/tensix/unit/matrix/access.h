/* The rows and banks that an instruction of the matrix unit uses. */
#ifndef TESSERA_TENSIX_MATRIX_ACCESS_H
#define TESSERA_TENSIX_MATRIX_ACCESS_H

#include <string.h>

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/rwc.h"
#include "tensix/unit/matrix/formats.h"

/* Rows of Dst that an instruction uses: marks, interlocks and diagnostics in one place. */
/* TX_DST_HALVES: 16-bit rows whose bits are halves of 32-bit numbers. */
enum tx_dst_use { TX_DST_READS = 1, TX_DST_WRITES = 2, TX_DST_BY_MOVE = 4, TX_DST_HALVES = 8 };
/* DEST_REGW_BASE, part of this sum in the documents, does not exist on Blackhole (docs/evidence/errata.md A30). */
static inline uint32_t tx_matrix_dst_row(const struct tx_tile *t, unsigned thread, uint32_t field) {
  return (field + TX_THREAD_CFG_GET(t, thread, DEST_TARGET_REG_CFG_MATH_Offset) + t->rwc[thread].dst) & 0x3ffu;
}
static inline uint32_t tx_matrix_dst_aligned(struct tx_tile *t, uint32_t row, uint32_t mask, uint32_t step) {
  if (row & (step - 1u)) tx_diag(t, TX_DIAG_DST_ALIGNMENT, "row %u is not a multiple of %u", row, step);
  return row & mask;
}
struct tx_dst_request {
  uint32_t row, step, count;
  bool wide;    /* the 32-bit view */
  unsigned use; /* bits of enum tx_dst_use */
};
void tx_matrix_use_rows(struct tx_tile *t, const struct tx_dst_request *request, struct tx_cost *cost,
                        struct num_fpu_rows *rows);

/* --- rows of one block that are all alike: the usual case, inline --- */

#define TX_DST_EIGHT(state) ((state) * (UINT64_MAX / UINT8_MAX)) /* the states of eight rows, a byte each */

/* The states of four rows, twice, or of eight. */
static inline uint64_t tx_matrix_states(const uint8_t *state, uint32_t count) {
  uint64_t eight;
  uint32_t four;
  if (count == 8) {
    memcpy(&eight, state, sizeof eight);
    return eight;
  }
  memcpy(&four, state, sizeof four);
  return four | (uint64_t)four << 32;
}

static inline void tx_matrix_mark(uint8_t *state, uint32_t count, uint8_t written) {
  const uint64_t eight = TX_DST_EIGHT(written);
  if (count == 8) memcpy(state, &eight, 8);
  else memcpy(state, &eight, 4);
}

/* Addresses of eight contiguous rows. */
static inline void tx_matrix_eight_rows(uint16_t *to[8], uint16_t *first) {
  typedef uintptr_t two __attribute__((vector_size(2 * sizeof(uintptr_t))));
  const uintptr_t bytes = TX_DST_COLUMNS * sizeof *first;
  two rows = {(uintptr_t)first, (uintptr_t)first + bytes};
  for (unsigned i = 0; i < 8; i += 2, rows += 2 * bytes) memcpy(&to[i], &rows, sizeof rows);
}

/* The maps keep the order of the rows of a block, but that of the 32-bit view with swizzle_32b. */
static inline bool tx_matrix_in_block(struct tx_dst_map map, const struct tx_dst_request *request) {
  return !(request->wide && map.swizzle) && request->step == 1 && (request->row & 7u) + request->count <= 8;
}

static inline bool tx_matrix_map_is_usual(const struct tx_tile *t, struct tx_dst_map map) {
  return t->matrix.dst_map == (map.remap | map.swizzle << 1);
}

/* Timing on: the interlock of the rows of one block, physical from `first` on. The second does nothing and returns false where data would be
 * read too soon. */
void tx_matrix_interlock_rows(struct tx_tile *t, unsigned first, bool wide, unsigned use, struct tx_cost *cost);
bool tx_matrix_interlock_block(struct tx_tile *t, unsigned block, bool wide, unsigned use, struct tx_cost *cost);

/* tx_matrix_use_rows for four or eight rows that are all written in this view or all undefined. false: no change. */
__attribute__((always_inline)) static inline bool tx_matrix_use_alike(struct tx_tile *t,
                                                                      const struct tx_dst_request *request,
                                                                      struct tx_cost *cost, struct num_fpu_rows *rows) {
  const struct tx_dst_map map = tx_dst_map(t);
  const bool wide = request->wide;
  if (!tx_matrix_map_is_usual(t, map) || !tx_matrix_in_block(map, request)) return false;
  const unsigned first = wide ? tx_dst_map32(map, request->row) : tx_dst_map16(map, request->row);
  const uint8_t written = wide ? TX_DST_VALID32 : TX_DST_VALID16;
  const uint64_t states = tx_matrix_states(&t->dst.valid[first], request->count), defined = states ? TX_DST_EIGHT(1) : 0;
  tx_assert(request->count == 4 || request->count == 8);
  if (states != TX_DST_EIGHT(written) && states != TX_DST_EIGHT(TX_DST_UNDEFINED)) return false;
  rows->count = request->count;
  tx_matrix_eight_rows(rows->high, t->dst.bits[first]);
  if (wide) tx_matrix_eight_rows(rows->low, t->dst.bits[first] + 8 * TX_DST_COLUMNS);
  else memset(rows->low, 0, sizeof rows->low);
  memcpy(rows->defined, &defined, sizeof rows->defined);
  if ((request->use & TX_DST_WRITES) && !states) tx_matrix_mark(&t->dst.valid[first], request->count, written);
  if (t->timing) tx_matrix_interlock_rows(t, first, wide, request->use, cost);
  return true;
}

/* The usual move of four or eight rows to or from `row` of the 16-bit view: the place of these rows in Dst, which are then marked as written
 * (to), or have been (from). NULL: no change, the caller uses tx_matrix_use_rows. */
static inline uint16_t (*tx_matrix_moved_to(struct tx_tile *t, uint32_t row, uint32_t count,
                                            struct tx_cost *cost))[TX_DST_COLUMNS] {
  const struct tx_dst_map map = tx_dst_map(t);
  if (row & (count - 1) || !tx_matrix_map_is_usual(t, map)) return NULL;
  const unsigned first = tx_dst_map16(map, row);
  const uint64_t states = tx_matrix_states(&t->dst.valid[first], count);
  if (states != TX_DST_EIGHT(TX_DST_VALID16)) {
    if (states != TX_DST_EIGHT(TX_DST_UNDEFINED)) return NULL;
    tx_matrix_mark(&t->dst.valid[first], count, TX_DST_VALID16);
  }
  if (t->timing) /* as it does not read, always done */
    tx_matrix_interlock_block(t, first / 8u, false, TX_DST_WRITES | TX_DST_BY_MOVE, cost);
  return &t->dst.bits[first];
}

static inline const uint16_t (*tx_matrix_moved_from(struct tx_tile *t, uint32_t row, uint32_t count,
                                                    struct tx_cost *cost))[TX_DST_COLUMNS] {
  const struct tx_dst_map map = tx_dst_map(t);
  if (row & (count - 1) || !tx_matrix_map_is_usual(t, map)) return NULL;
  const unsigned first = tx_dst_map16(map, row);
  if (tx_matrix_states(&t->dst.valid[first], count) != TX_DST_EIGHT(TX_DST_VALID16)) return NULL;
  if (t->timing && !tx_matrix_interlock_block(t, first / 8u, false, TX_DST_READS, cost)) return NULL;
  return (const uint16_t(*)[TX_DST_COLUMNS]) & t->dst.bits[first];
}

/* --- source rows, end of an instruction --- */

static inline uint32_t tx_matrix_src_row(struct tx_tile *t, enum tx_src_which which, uint32_t row, uint32_t mask,
                                         uint32_t step) {
  row &= 0x3fu;
  if (row & (step - 1u))
    tx_diag(t, TX_DIAG_SRC_ROW_ALIGNMENT, "%s row %u is not a multiple of %u", which == TX_SRCA ? "SrcA" : "SrcB", row,
            step);
  if (which == TX_SRCA) t->matrix.srca_row = (uint8_t)(row & mask);
  return row & mask;
}
void tx_matrix_release(struct tx_tile *t, unsigned thread, uint32_t clear_dvalid, const struct tx_cost *cost);
static inline void tx_matrix_finish(struct tx_tile *t, unsigned thread, uint32_t clear_dvalid, uint32_t addr_mode,
                                    const struct tx_cost *cost) {
  if (clear_dvalid) tx_matrix_release(t, thread, clear_dvalid, cost);
  tx_rwc_apply(t, thread, addr_mode, true);
}

/* Banks decoded for vector code, and anomalies of the rows in use. */
static inline const struct num_fpu_ops *tx_matrix_ops(struct tx_tile *t) {
  struct tx_matrix_cache *cache = &t->unsaved.matrix;
  if (!cache->ops) cache->ops = num_fpu_best();
  return cache->ops;
}
const struct num_fpu_bank_a *tx_matrix_bank_a(struct tx_tile *t, const struct num_fpu_mode *mode);
/* `row`: of the group of rows that is decoded. */
const struct num_fpu_bank_b *tx_matrix_bank_b(struct tx_tile *t, const struct num_fpu_mode *mode, unsigned row);
void tx_matrix_check_rows(struct tx_tile *t, enum tx_style style, uint64_t rows_a, uint64_t rows_b);
static inline void tx_matrix_check_data(struct tx_tile *t, const struct tx_matrix_setup *setup, uint64_t rows_a,
                                        uint64_t rows_b) {
  if (setup->style == TX_STYLE_FP16 || setup->style == TX_STYLE_INT8) tx_matrix_check_rows(t, setup->style, rows_a, rows_b);
}

#endif
