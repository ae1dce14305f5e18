/* The vector unit on rows of a tile: 32 columns as the 32 lanes of a register. A load takes four rows of eight columns;
 * SFPTRANSP turns the four loads of four rows into one row each. sfpu_turn_rows does that to a tile in Dst, where it is,
 * and undoes it when called again: between the two calls row r is one load or store. SFPTRANSP also transposes L4 to L7;
 * eight of them restore the original order, so values kept there from call to call are preserved. ISA: SFPTRANSP.md,
 * SFPLOAD.md */
#ifndef TENSIX_SFPU_ROWS_H
#define TENSIX_SFPU_ROWS_H

#include "sfpu.h"
#include "transpose_dest.h"

enum { ROWS_ADD, ROWS_SUB, ROWS_MUL, ROWS_MAX, ROWS_MIN };

#ifdef TRISC_MATH

TT_INLINE uint32_t sfpu_group_place(uint32_t tile, uint32_t group) {
  return sfpu_place(tile) + 32 * (group / 4) + 4 * (group % 4);
}
/* Columns 0 2 .. 14, 1 3 .. 15 of the left face and of the right one; turned: rows 0 to 3 of the group. */
TT_INLINE uint32_t sfpu_quarter(uint32_t quarter) { return 16 * (quarter / 2) + 2 * (quarter % 2); }
TT_INLINE uint32_t sfpu_row_place(uint32_t tile, uint32_t row) {
  return sfpu_group_place(tile, row / 4) + sfpu_quarter(row % 4);
}

TT_INLINE void sfpu_load_group(uint32_t tile, uint32_t group, uint32_t mode) {
  for (uint32_t i = 0; i < 4; i++) TT_SFPLOAD(i, mode, ADDR_MOD_7, sfpu_group_place(tile, group) + sfpu_quarter(i));
}
TT_INLINE void sfpu_store_group(uint32_t tile, uint32_t group, uint32_t mode) {
  for (uint32_t i = 0; i < 4; i++) TT_SFPSTORE(i, mode, ADDR_MOD_7, sfpu_group_place(tile, group) + sfpu_quarter(i));
}
TT_INLINE uint32_t sfpu_row_mode(void) {
  KERNEL_CHECK(math_dst_is_int != DST_SIGNED,
               "functions of rows take integers in two's complement, and INT8 leaves sign and "
               "magnitude in Dst: typecast_tile<Int8, Int32> before it");
  return sfpu_dst_mode();
}
TT_INLINE void sfpu_turn_rows(uint32_t tile, uint32_t mode) {
  for (uint32_t group = 0; group < 8; group++) {
    sfpu_load_group(tile, group, mode);
    TTI_SFPTRANSP(0, 0, 0, 0);
    sfpu_store_group(tile, group, mode);
  }
}
/* A register to a row; rounded to a 16-bit Dst. Changes L7. */
TT_INLINE void sfpu_store_row(uint32_t reg, uint32_t mode, uint32_t place) {
  if (DST_ACCUM_MODE || math_dst_is_int) {
    TT_SFPSTORE(reg, mode, ADDR_MOD_7, place);
    return;
  }
  TT_SFPLOADI(7, 2, math_dst_is_a ? 0x1000 : 0x8000);
  TT_SFPIADD(0, reg, 7, 4);
  TT_SFPSTORE(7, mode, ADDR_MOD_7, place);
}

/* L0 = L0 op L1; L0 op= is what is left of the operation's sign: L0 - L1. Changes L2. */
TT_INLINE void sfpu_row_operation(uint32_t operation) {
  if (math_dst_is_int && operation == ROWS_ADD) SFPU_IADD(0, 1);
  else if (operation == ROWS_ADD) SFPU_ADD(0, 0, 1);
  else if (operation == ROWS_SUB) SFPU_SUB(0, 0, 1);
  else if (operation == ROWS_MUL) SFPU_MUL(0, 0, 1);
  else {
    SFPU_MOVE(2, 1);
    if (operation == ROWS_MAX) SFPU_MAX(0, 2);
    else SFPU_MIN(0, 2);
  }
}
/* Row 0 of a tile into L1. */
TT_INLINE void sfpu_load_row_0(uint32_t tile, uint32_t mode) {
  sfpu_load_group(tile, 0, mode);
  TTI_SFPTRANSP(0, 0, 0, 0);
  SFPU_MOVE(1, 0);
}

/* Each row of tile `data` op row 0 of tile `row`. */
TT_INLINE void math_rows_with_row(uint32_t operation, uint32_t data, uint32_t row) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  sfpu_turn_rows(data, mode);
  sfpu_load_row_0(row, mode);
  SFPU_MOVE(3, 1);
  for (uint32_t r = 0; r < 32; r++) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_row_place(data, r));
    SFPU_MOVE(1, 3);
    sfpu_row_operation(operation);
    sfpu_store_row(0, mode, sfpu_row_place(data, r));
  }
  sfpu_turn_rows(data, mode);
  sfpu_end();
}

/* Row 0 of the tile = all rows together, times `scale` (FLOAT32; 0: as it is). Integers: two's complement, sums only. */
TT_INLINE void math_reduce_rows(uint32_t operation, uint32_t tile, uint32_t scale) {
  uint32_t mode = sfpu_row_mode();
  KERNEL_CHECK(!math_dst_is_int || operation == ROWS_ADD, "of integers in Dst this library adds rows only");
  sfpu_begin();
  sfpu_turn_rows(tile, mode);
  TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_row_place(tile, 0));
  for (uint32_t r = 1; r < 32; r++) {
    TT_SFPLOAD(1, mode, ADDR_MOD_7, sfpu_row_place(tile, r));
    sfpu_row_operation(operation);
  }
  if (scale) {
    TT_SFPLOADI(1, 10, scale & 0xffffu);
    TT_SFPLOADI(1, 8, scale >> 16);
    SFPU_MUL(0, 0, 1);
  }
  sfpu_store_row(0, mode, sfpu_row_place(tile, 0));
  sfpu_turn_rows(tile, mode);
  sfpu_end();
}

/* Row r = the sum of rows 0 to r, and of what the tile before left in L4. */
TT_INLINE void math_cumulate_rows(uint32_t tile, uint32_t first) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  if (first) SFPU_SHORT(4, 0);
  sfpu_turn_rows(tile, mode);
  for (uint32_t r = 0; r < 32; r++) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_row_place(tile, r));
    if (math_dst_is_int) SFPU_IADD(4, 0);
    else SFPU_ADD(4, 4, 0);
    sfpu_store_row(4, mode, sfpu_row_place(tile, r));
  }
  sfpu_turn_rows(tile, mode);
  sfpu_end();
}

/* Row 0 of tile `out` = row 0 of `first` + row 0 of `second`; rows 1 to 3 likewise, as a load holds four. */
TT_INLINE void math_add_top_rows(uint32_t first, uint32_t second, uint32_t out) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  for (uint32_t i = 0; i < 4; i++) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_place(first) + sfpu_quarter(i));
    TT_SFPLOAD(1, mode, ADDR_MOD_7, sfpu_place(second) + sfpu_quarter(i));
    sfpu_row_operation(ROWS_ADD);
    sfpu_store_row(0, mode, sfpu_place(out) + sfpu_quarter(i));
  }
  sfpu_end();
}

/* Pairs of columns as complex numbers, times i: (a, b) becomes (-b, a). */
TT_INLINE void math_rotate_complex(uint32_t tile) {
  uint32_t mode = sfpu_row_mode();
  sfpu_begin();
  for (uint32_t i = 0; i < 64; i += 4) {
    TT_SFPLOAD(0, mode, ADDR_MOD_7, sfpu_place(tile) + i);
    TT_SFPLOAD(1, mode, ADDR_MOD_7, sfpu_place(tile) + i + 2);
    SFPU_NEGATE(1, 1);
    TT_SFPSTORE(1, mode, ADDR_MOD_7, sfpu_place(tile) + i);
    TT_SFPSTORE(0, mode, ADDR_MOD_7, sfpu_place(tile) + i + 2);
  }
  sfpu_end();
}

/* --- mean and variance of each column, value by value (Welford): L4 = the means, L5 = the sums of squared differences --- */

TT_INLINE void welford_clear_state(void) {
  SFPU_SHORT(4, 0);
  SFPU_SHORT(5, 0);
}
/* One row: reciprocal = 1 / (values so far, this one included), as FLOAT32. */
TT_INLINE void welford_row(uint32_t place, uint32_t mode, uint32_t reciprocal) {
  TT_SFPLOAD(0, mode, ADDR_MOD_7, place);
  TT_SFPLOADI(6, 10, reciprocal & 0xffffu);
  TT_SFPLOADI(6, 8, reciprocal >> 16);
  SFPU_SUB(7, 0, 4);
  SFPU_MAD(4, 7, 6, 4);
  SFPU_SUB(0, 0, 4);
  SFPU_MAD(5, 7, 0, 5);
}
/* Each lane's number to rows 0 to 3 of the tile's first face, in columns 0 2 .. 14, `group` such blocks further. */
TT_INLINE void welford_store_raw(uint32_t reg, uint32_t tile, uint32_t group) {
  TT_SFPSTORE(reg, sfpu_row_mode(), ADDR_MOD_7, sfpu_place(tile) + 4 * group);
}
TT_INLINE void welford_load_raw(uint32_t reg, uint32_t tile, uint32_t group) {
  TT_SFPLOAD(reg, sfpu_row_mode(), ADDR_MOD_7, sfpu_place(tile) + 4 * group);
}
/* Register 4 or 5 to row 0 of the tile; rows 1 to 3 become 0. */
TT_INLINE void welford_store_row(uint32_t reg, uint32_t tile) {
  TT_SFPMOV(0, reg, 0, 0);
  SFPU_SHORT(1, 0);
  SFPU_SHORT(2, 0);
  SFPU_SHORT(3, 0);
  TTI_SFPTRANSP(0, 0, 0, 0);
  for (uint32_t i = 0; i < 4; i++) {
    TTI_SFPNOP;
    if (DST_ACCUM_MODE) TT_SFPSTORE(i, sfpu_row_mode(), ADDR_MOD_7, sfpu_place(tile) + sfpu_quarter(i));
    else {
      TT_SFP_STOCH_RND(0, 0, 0, i, i, math_dst_is_a ? 0 : 1); /* rounds to nearest without L7, which is in use */
      TT_SFPSTORE(i, sfpu_row_mode(), ADDR_MOD_7, sfpu_place(tile) + sfpu_quarter(i));
    }
  }
  TTI_SFPTRANSP(0, 0, 0, 0); /* L4 to L7 back */
}
TT_INLINE void welford_variance(uint32_t reciprocal) {
  TT_SFPLOADI(6, 10, reciprocal & 0xffffu);
  TT_SFPLOADI(6, 8, reciprocal >> 16);
  SFPU_MUL(5, 5, 6);
  TTI_SFPNOP;
}

#endif

/* Column by column: the tile transposed, row by row, transposed back. */
TT_INLINE void columns_with_column(uint32_t operation, uint32_t data, uint32_t column) {
  transpose_dest_tile(data, 1);
  transpose_dest_tile(column, 1);
  MATH(math_rows_with_row(operation, data, column);)
  transpose_dest_tile(column, 1);
  transpose_dest_tile(data, 1);
  (void)operation;
}
TT_INLINE void reduce_columns(uint32_t operation, uint32_t tile, uint32_t scale) {
  transpose_dest_tile(tile, 1);
  MATH(math_reduce_rows(operation, tile, scale);)
  transpose_dest_tile(tile, 1);
  (void)operation, (void)scale;
}

#endif
