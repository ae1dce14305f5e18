/* The compute API in C++, rows of tiles in the vector unit: broadcasts and reductions in Dst, sums from row to row, Welford's means and
 * variances. Part of api_compute.h. */
#ifndef TENSIX_API_ROWS_H
#define TENSIX_API_ROWS_H

#include <array>

#include "sfpu_pool.h"

/* As for the rows of sfpu_functions.def: x_init notes that it was called, and what needs it checks (sfpu.h). */
#define SFPU_NOTES_INIT(init, x) \
  SFPU_STATE_OWN(x) inline void init() { MATH(SFPU_NOTE_OWN(x)) }

/* --- a row or a column of another tile with each of this one --- */

SFPU_NOTES_INIT(sfpu_bcast_row_init, sfpu_bcast)
SFPU_NOTES_INIT(sfpu_bcast_col_init, sfpu_bcast)
template <BroadcastType broadcast> inline void sfpu_bcast_init() { sfpu_bcast_row_init(); }
template <BroadcastType broadcast, EltwiseBinaryType type> inline void sfpu_bcast(uint32_t data, uint32_t vector) {
  static_assert(broadcast == BroadcastType::ROW || broadcast == BroadcastType::COL, "sfpu_bcast: rows or columns");
  constexpr uint32_t operation = type == ELWADD ? ROWS_ADD : type == ELWSUB ? ROWS_SUB : ROWS_MUL;
  MATH(SFPU_CHECK_INIT("sfpu_bcast", OWN(sfpu_bcast)))
  if (broadcast == BroadcastType::COL) {
    columns_with_column(operation, data, vector);
  } else {
    MATH(math_rows_with_row(operation, data, vector);)
  }
  (void)operation, (void)data, (void)vector;
}
#define SFPU_BCAST_NAMES(name, type) \
  inline void sfpu_##name##_bcast_row_init() { sfpu_bcast_row_init(); } \
  inline void sfpu_##name##_bcast_col_init() { sfpu_bcast_col_init(); } \
  inline void sfpu_##name##_bcast_row(uint32_t data, uint32_t row) { sfpu_bcast<BroadcastType::ROW, type>(data, row); } \
  inline void sfpu_##name##_bcast_col(uint32_t data, uint32_t column) { sfpu_bcast<BroadcastType::COL, type>(data, column); }
SFPU_BCAST_NAMES(add, ELWADD)
SFPU_BCAST_NAMES(sub, ELWSUB)
SFPU_BCAST_NAMES(mul, ELWMUL)

/* --- reductions within a tile: columns to row 0, rows to column 0 --- */

SFPU_STATE_OWN(sfpu_reduce)
template <PoolType pool, DataFormat format> inline void sfpu_reduce_init() { MATH(SFPU_NOTE_OWN(sfpu_reduce)) }
template <PoolType pool, DataFormat format, ReduceDim dim = ReduceDim::REDUCE_COL>
inline void sfpu_reduce(uint32_t dst, uint32_t ct = 1, uint32_t rt = 1) {
  static_assert(dim != ReduceDim::REDUCE_SCALAR, "sfpu_reduce: rows or columns");
  MATH(SFPU_CHECK_INIT("sfpu_reduce", OWN(sfpu_reduce)))
  KERNEL_CHECK(ct == 1 && rt == 1, "sfpu_reduce: this library reduces one tile at a time");
  constexpr uint32_t operation = pool == PoolType::MAX ? ROWS_MAX : pool == PoolType::MIN ? ROWS_MIN : ROWS_ADD;
  constexpr uint32_t scale = pool == PoolType::AVG ? 0x3d000000u : 0; /* 1 / 32 */
  if (dim == ReduceDim::REDUCE_ROW) {
    reduce_columns(operation, dst, scale);
  } else {
    MATH(math_reduce_rows(operation, dst, scale);)
  }
  (void)operation, (void)scale, (void)dst;
}
SFPU_NOTES_INIT(sfpu_sum_int_init, sfpu_sum_int)
inline void sfpu_sum_int_col(uint32_t dst) {
  MATH(SFPU_CHECK_INIT("sfpu_sum_int_col", OWN(sfpu_sum_int)))
  MATH(math_reduce_rows(ROWS_ADD, dst, 0);)
  (void)dst;
}
inline void sfpu_sum_int_row(uint32_t dst) {
  MATH(SFPU_CHECK_INIT("sfpu_sum_int_row", OWN(sfpu_sum_int)))
  reduce_columns(ROWS_ADD, dst, 0);
}

/* Tile `dst` += the tile `offset` after it, as integers. */
inline void sfpu_add_int(uint32_t dst, uint32_t offset = 2, int32_t = 8) { add_int_tile(dst, dst + offset, dst); }

SFPU_NOTES_INIT(sfpu_add_top_row_init, sfpu_add_top_row)
template <DataFormat format> inline void sfpu_add_top_row(uint32_t first, uint32_t second, uint32_t out) {
  MATH(SFPU_CHECK_INIT("sfpu_add_top_row", OWN(sfpu_add_top_row)))
  MATH(math_add_top_rows(first, second, out);)
  (void)first, (void)second, (void)out;
}
SFPU_NOTES_INIT(alt_complex_rotate90_tile_init, alt_complex_rotate90_tile)
inline void alt_complex_rotate90_tile(uint32_t dst) {
  MATH(SFPU_CHECK_INIT("alt_complex_rotate90_tile", OWN(alt_complex_rotate90_tile)))
  MATH(math_rotate_complex(dst);)
  (void)dst;
}

/* --- sums from row to row; `first` false: onto those of the tile before --- */

SFPU_NOTES_INIT(cumsum_tile_init, cumsum_tile)
inline void cumsum_tile(uint32_t dst, bool first = true) {
  MATH(SFPU_CHECK_INIT("cumsum_tile", OWN(cumsum_tile)))
  MATH(math_cumulate_rows(dst, first));
  (void)dst, (void)first;
}

/* --- moving averages from row to row and tile to tile: y = alpha * (y before) + beta * x. x in tile `dst`, y in the next --- */

static uint32_t ema_alpha __attribute__((unused)), ema_beta __attribute__((unused));
inline void ema_init(uint32_t alpha, uint32_t beta) {
  MATH(SFPU_NOTE_ANY(ema))
  ema_alpha = alpha;
  ema_beta = beta;
}
inline void ema_clear_previous_output() { MATH(SFPU_SHORT(4, 0)); }
inline void ema_tile(uint32_t dst) {
  MATH(math_average_rows(dst, ema_alpha, ema_beta);)
  (void)dst;
}

/* Row list[r] of the tile after `dst` += row r of tile `dst`. The list, one byte per row, begins 16 bytes after `list`; 255 leaves a row out. */
SFPU_NOTES_INIT(reshuffle_rows_tile_init, reshuffle_rows_tile)
inline void reshuffle_rows_tile(uint32_t dst, uint32_t list) {
  MATH(SFPU_CHECK_INIT("reshuffle_rows_tile", OWN(reshuffle_rows_tile)))
  MATH(math_scatter_rows(dst, list + 16);)
  (void)dst, (void)list;
}

/* Products of the tile's registers, each times all before it, in the order of Dst; the last has the product of each lane. */
SFPU_NOTES_INIT(tiled_prod_tile_init, tiled_prod_tile)
inline void tiled_prod_tile(uint32_t dst) {
  MATH(SFPU_CHECK_INIT("tiled_prod_tile", OWN(tiled_prod_tile)))
  MATH(math_running_product(dst);)
  (void)dst;
}

/* Row 0 of tile `dst` = the maximum of each column over the first 9 rows (num_rows up to 9) or 32, row 0 of tile `indices` = its index. Of equal
 * values one is taken. ROW_MAJOR: both tiles hold rows of 32 numbers one after the other; with accumulate the maximum over the chunks is in
 * the next tile of each. */
SFPU_STATE_OWN(max_reduce_with_indices)
template <ckernel::DataLayout layout = ckernel::DataLayout::TILE> inline void max_reduce_with_indices_init() {
  MATH(SFPU_NOTE_OWN(max_reduce_with_indices))
}
template <int num_rows = 9, ckernel::DataLayout layout = ckernel::DataLayout::TILE, bool accumulate = false,
          int iterations = 8>
inline void max_reduce_with_indices(uint32_t dst, uint32_t indices, uint32_t chunk = 0) {
  static_assert(num_rows <= 32, "max_reduce_with_indices: a tile has 32 rows");
  static_assert(!accumulate || layout == ckernel::DataLayout::ROW_MAJOR,
                "max_reduce_with_indices: only row-major tiles accumulate");
  MATH(SFPU_CHECK_INIT("max_reduce_with_indices", OWN(max_reduce_with_indices)))
  MATH(math_maximum_with_indices(dst, indices, num_rows <= 9 ? 9 : 32, layout == ckernel::DataLayout::ROW_MAJOR, accumulate,
                                 chunk);)
  (void)dst, (void)indices, (void)chunk;
}

/* --- Welford: means and variances of columns over rows. The state lies in the vector unit between the calls --- */

enum class WelfordInitMode : uint8_t { ClearStats, PreserveStats };
inline uint32_t welford_reciprocal(const uint32_t *table, uint32_t size, uint32_t index) {
  return index < size ? table[index] : __builtin_bit_cast(uint32_t, 1.0f / (float)(index + 1));
}
template <WelfordInitMode mode = WelfordInitMode::ClearStats> inline void welford_init() {
  if (mode == WelfordInitMode::ClearStats) {
    MATH(welford_clear_state();)
  }
}
inline void welford_reinit(uint32_t icb) { copy_tile_init(icb); }
inline void welford_clear() { MATH(welford_clear_state()); }
template <size_t size>
inline void welford_update_rows(uint32_t dst, uint32_t start, uint32_t first_row, uint32_t rows,
                                const std::array<uint32_t, size> &reciprocals) {
#ifdef TRISC_MATH
  uint32_t mode = sfpu_row_mode();
  KERNEL_CHECK(first_row + rows <= 32, "welford_update_rows: a tile has 32 rows");
  sfpu_begin();
  sfpu_turn_rows(dst, mode);
  for (uint32_t i = 0; i < rows; i++)
    welford_row(sfpu_row_place(dst, first_row + i), mode, welford_reciprocal(reciprocals.data(), size, start + i));
  sfpu_turn_rows(dst, mode);
  sfpu_end();
#endif
  (void)dst, (void)start, (void)first_row, (void)rows, (void)reciprocals;
}
template <size_t size>
inline void welford_update(uint32_t dst, uint32_t start, const std::array<uint32_t, size> &reciprocals) {
  welford_update_rows<size>(dst, start, 0, 32, reciprocals);
}
#ifdef TRISC_MATH
#define WELFORD_STATE(body) \
  sfpu_begin(); \
  body; \
  sfpu_end();
#else
#define WELFORD_STATE(body)
#endif
inline void welford_save_state(uint32_t dst, uint32_t group = 0) {
  WELFORD_STATE(welford_store_raw(4, dst, group); welford_store_raw(5, dst + 1, group))
  (void)dst, (void)group;
}
inline void welford_restore_state(uint32_t dst, uint32_t group = 0) {
  WELFORD_STATE(welford_load_raw(4, dst, group); welford_load_raw(5, dst + 1, group))
  (void)dst, (void)group;
}
/* Means to tile `dst`, variances to the next: M2 / (scale_idx + 1). */
template <size_t size>
inline void welford_finalize_to_row(uint32_t dst, uint32_t scale_idx, const std::array<uint32_t, size> &reciprocals) {
  WELFORD_STATE(welford_variance(welford_reciprocal(reciprocals.data(), size, scale_idx)); welford_store_row(4, dst);
                welford_store_row(5, dst + 1))
  (void)dst, (void)scale_idx, (void)reciprocals;
}
template <size_t size>
inline void welford_finalize_to_face(uint32_t dst, uint32_t group, uint32_t scale_idx,
                                     const std::array<uint32_t, size> &reciprocals) {
  WELFORD_STATE(welford_variance(welford_reciprocal(reciprocals.data(), size, scale_idx)); welford_store_raw(4, dst, group);
                welford_store_raw(5, dst + 1, group))
  (void)dst, (void)group, (void)scale_idx, (void)reciprocals;
}
template <size_t size>
inline void welford_finalize_to_face(uint32_t dst, uint32_t scale_idx, const std::array<uint32_t, size> &reciprocals) {
  welford_finalize_to_face<size>(dst, 0, scale_idx, reciprocals);
}

#endif
