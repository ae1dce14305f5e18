/* Row-major data to tiles and back, both cores' parts.
 *
 *   16-bit Dst   the unpacker brings lines of 32 numbers (Tileize_mode) or tiles, the math core moves row by row of 16
 *   32-bit Dst   MOVA2D writes no 32-bit rows for most formats, so the unpacker places the rows: 64 UNPACRs of one row each,
 *                into SrcA (the math core then copies the bank) or straight into Dst
 *
 * So too for numbers of 8 bits with a 16-bit Dst: Tileize_mode has other lines for them. ISA: UNPACR_Regular.md, MOVA2D.md;
 * docs/reference/tiles.md. */
#ifndef TENSIX_TILIZE_H
#define TENSIX_TILIZE_H

#include "math_ops.h"
#include "unpack.h"

/* Does the unpacker place the rows? */
TT_INLINE uint32_t tilizes_by_rows(uint32_t format) { return DST_ACCUM_MODE || format_tile_bytes(format) < 2048; }
TT_INLINE uint32_t untilizes_by_rows(uint32_t format) { return DST_ACCUM_MODE && format != DATA_FORMAT_UINT16; }

#ifdef TRISC_UNPACK

/* Rows of a row-major matrix `wt` tiles wide: 32 datums from each of 32 rows, so that SrcA rows 2r and 2r+1 hold row r of
 * the tile. After unpack_configure. */
TT_INLINE void unpack_configure_tilize_lines(uint32_t format, uint32_t wt) {
  uint32_t row_bytes = wt * format_tile_bytes(format) / 32;
  KERNEL_CHECK(row_bytes >> 4 < 4096, "tilize: a row must be smaller than 64 KiB");
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32,
            format_in_src(format_of_moves(format), DST_ACCUM_MODE) | 2u << 4 | 1u << 9 | (row_bytes >> 4) << 16);
}

/* UNPACRs of one row each: a line in L1 has `line` datums, channel 1's Y counts rows of the output. */
TT_INLINE void unpack_configure_rows(uint32_t format, uint32_t line, uint32_t to_dst) {
  uint32_t in_src = format_in_src(format_of_moves(format), DST_ACCUM_MODE), bytes = format_tile_bytes(in_src) / 1024;
  if (to_dst) bytes = 4;
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32, format_in_l1(format) | 1u << 4 | line << 16);
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1, 64u | 1u << 16); /* a tile has 64 lines and one plane */
  cfg_store(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, line | line << 16);
  cfg_store(UNP0_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, (16 * (bytes ? bytes : 1)) << UNP0_ADDR_CTRL_XY_REG_1_Ystride_SHAMT);
  cfg_store(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_MASK);
  TTI_SETADCXX(p_setadc_UNP_A, 15, 0);
}

TT_INLINE void unpack_configure_tilize(uint32_t format, uint32_t wt) {
  KERNEL_CHECK(!format_is_bfp(format), "tilize: numbers that share exponents are not row-major");
  if (!tilizes_by_rows(format)) {
    unpack_configure_tilize_lines(format, wt);
  } else {
    KERNEL_CHECK(wt < 2048, "tilize: a row must have fewer than 65536 numbers");
    unpack_configure_rows(format, 32 * wt, format_goes_to_dst(format));
  }
}

/* Unpacks the next row of L1 into the next row of the output; `last`: the last row of SrcA, after which the bank goes to the
 * matrix unit. */
#define UNPACK_NEXT_ROW(last) TTI_UNPACR(0, 0x44, 0, 0, 0, 1, last, 0, 0, 0, 0, 0, 1)

/* Face f has columns 16 (f % 2).. of the lines 16 (f / 2).. */
TT_INLINE void unpack_tilize_rows(uint32_t hand_over) {
  TTI_SETADC(p_setadc_UNP_A, p_setadc_CH_1, p_setadc_SET_Y, 0);
  for (uint32_t face = 0; face < 4; face++) {
    TT_SETADCXX(p_setadc_UNP_A, 16 * (face & 1u) + 15, 16 * (face & 1u));
    TT_SETADC(p_setadc_UNP_A, p_setadc_CH_0, p_setadc_SET_Y, 16 * (face >> 1));
    for (uint32_t row = 0; row < 15; row++) UNPACK_NEXT_ROW(0);
    if (hand_over && face == 3) UNPACK_NEXT_ROW(1);
    else UNPACK_NEXT_ROW(0);
  }
}

TT_INLINE void llk_unpack_tilize(uint32_t cb, uint32_t column, uint32_t dst) {
  uint32_t format = cb_at(cb)->format, address = unpack_column_address(cb, column);
  if (format_goes_to_dst(format)) {
    unpack_begin_to_dst(address, 64 * dst);
    unpack_tilize_rows(0);
    unpack_end_to_dst();
    return;
  }
  unpack_begin(address, 0);
  if (tilizes_by_rows(format)) unpack_tilize_rows(1);
  else UNPACK_SRCA();
  unpack_end();
  if (copy_needs_srcb(format)) unpack_zero_srcb();
}

/* Tile number `column` of a row-major block into SrcA, face by face as the matrix unit reduces it, and a whole tile into SrcB. After
 * unpack_configure and unpack_configure_rows. */
TT_INLINE void llk_unpack_tilize_with(uint32_t cb, uint32_t column, uint32_t cb_b, uint32_t tile_b) {
  unpack_begin(unpack_column_address(cb, column), unpack_tile_address(cb_b, tile_b));
  UNPACK_SRCB();
  unpack_tilize_rows(1);
  unpack_end();
}

/* Row `from` of the tile's 64 to row `to` of the output. */
TT_INLINE void unpack_one_row(uint32_t from, uint32_t to, uint32_t hand_over) {
  TT_SETADC(p_setadc_UNP_A, p_setadc_CH_0, p_setadc_SET_Y, from);
  TT_SETADC(p_setadc_UNP_A, p_setadc_CH_1, p_setadc_SET_Y, to);
  if (hand_over) UNPACK_SRCA();
  else UNPACK_DST();
}

/* Half h of the tile's row r is row (r * wt + column) * 2 + h of the block. SrcA holds 64 rows of the block at a time: `wt`
 * banks, zero where the other columns of the block go; the math core adds them onto Dst. */
TT_INLINE void unpack_untilize_banks(uint32_t column, uint32_t wt) {
  for (uint32_t r = 0; r < 32; r++) {
    uint32_t to = 2 * (r * wt + column), next = to + 2 * wt;
    if (r == 0 || to % 64 < 2 * wt)
      TTI_UNPACR_NOP(p_unpacr_nop_UNP0, 0, 0, 0, 0, 0, 0, p_unpacr_nop_CLR_SRC_0, p_unpacr_nop_CLR_SRC);
    unpack_one_row(r / 16 * 32 + r % 16, to % 64, 0);
    unpack_one_row(r / 16 * 32 + r % 16 + 16, to % 64 + 1, next / 64 != to / 64);
    if (next / 64 != to / 64) unpack_zero_srcb();
  }
}

TT_INLINE void llk_unpack_untilize(uint32_t cb, uint32_t tile, uint32_t column, uint32_t wt) {
  if (format_goes_to_dst(cb_at(cb)->format)) {
    unpack_begin_to_dst(unpack_tile_address(cb, tile), 0);
    for (uint32_t i = 0; i < 64; i++) unpack_one_row(i, ((i / 32 * 16 + i % 16) * wt + column) * 2 + (i / 16 & 1u), 0);
    unpack_end_to_dst();
  } else if (untilizes_by_rows(cb_at(cb)->format)) {
    unpack_begin(unpack_tile_address(cb, tile), 0);
    unpack_untilize_banks(column, wt);
    unpack_end();
  } else {
    llk_unpack_A(cb, tile);
  }
}

#endif
#ifdef TRISC_MATH

TT_INLINE void math_move_rows_init(void) {
  math_setup = SETUP_ROWS;
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  math_reset_counters();
}

TT_INLINE void math_check_rows(void) { MATH_CHECK_SETUP(SETUP_ROWS, "tilize or untilize", "tilize_init or untilize_init"); }

TT_INLINE void math_tilize_init(uint32_t format) {
  if (format_goes_to_dst(format)) math_unpack_to_dst_init();
  else if (tilizes_by_rows(format)) math_copy_init(0, 0);
  else math_move_rows_init();
}

TT_INLINE void math_tilize_tile(uint32_t format, uint32_t dst) {
  if (format_goes_to_dst(format)) {
    math_let_unpack_write_dst();
    return;
  }
  if (tilizes_by_rows(format)) {
    math_copy_tile(dst);
    return;
  }
  math_check_rows();
  if (format == DATA_FORMAT_UINT16) math_keep_zero_exponents(1);
  math_set_dst_tile(dst); /* SrcA row 2r + h is columns 16h..16h+15 of the tile's row r */
  for (uint32_t i = 0; i < 64; i++)
    TT_MOVA2D(0, i, ADDR_MOD_7, p_mova2d_MOV_1_ROW, 32 * (i / 32) + 16 * (i & 1) + i / 2 % 16);
  TTI_SETRWC(p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  if (format == DATA_FORMAT_UINT16) math_keep_zero_exponents(0);
}

TT_INLINE void math_untilize_init(uint32_t format) {
  if (format_goes_to_dst(format)) math_unpack_to_dst_init();
  else if (untilizes_by_rows(format)) math_copy_init(0, 1);
  else math_move_rows_init();
}

/* Tile number `column` of a block `wt` tiles wide: Dst row (r * wt + column) * 2 + h gets row r, columns 16h.. of the tile.
 */
TT_INLINE void math_untilize_tile(uint32_t format, uint32_t column, uint32_t wt) {
  if (format_goes_to_dst(format)) {
    math_let_unpack_write_dst();
    return;
  }
  for (uint32_t tile = 0; tile < wt && untilizes_by_rows(format); tile++) math_copy_tile(tile);
  if (untilizes_by_rows(format)) return;
  math_check_rows();
  if (format == DATA_FORMAT_UINT16) math_keep_zero_exponents(1);
  math_set_dst_tile(0);
  for (uint32_t i = 0; i < 64; i++) {
    uint32_t row = i / 32 * 16 + i % 16, half = i / 16 & 1, to = (row * wt + column) * 2 + half;
    if (DST_ACCUM_MODE) math_move_uint16(0, i, to, 1);
    else TT_MOVA2D(0, i, ADDR_MOD_7, p_mova2d_MOV_1_ROW, to);
  }
  TTI_SETRWC(p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  if (format == DATA_FORMAT_UINT16) math_keep_zero_exponents(0);
}

#endif
#endif
