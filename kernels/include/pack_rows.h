/* The pack core: rows of 16 numbers one by one, for outputs that are not tiles. PACR with one read interface moves one row of Dst; the
 * output continues from row to row until the last instruction. ISA: PACR.md (Blackhole) */
#ifndef TENSIX_PACK_ROWS_H
#define TENSIX_PACK_ROWS_H

#include "pack.h"

#ifdef TRISC_PACK

TT_INLINE void pack_set_address(uint32_t address) {
  gpr_set(p_gpr_pack_OUTPUT_ADDR, (address >> 4) - 1); /* the packer skips one 16-byte tile header */
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_PACK);
  cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);
}

/* Row `row` of face `face` of tile `dst`, `datums` numbers of it. */
TT_INLINE void pack_one_row(uint32_t dst, uint32_t face, uint32_t row, uint32_t last) {
  DST_CHECK_HELD();
  DST_CHECK_TILE(dst);
  TT_SETADCZW(p_setadc_PAC, 0, 0, dst, face, 0b0011);
  TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Y, row);
  if (last) TTI_PACR(0, 0, 0, ADDR_MOD_3, 0, 0, 1, 0, 0, 0, 0, 1);
  else TTI_PACR(0, 0, 0, ADDR_MOD_3, 0, 0, 1, 0, 0, 0, 0, 0);
}
TT_INLINE void pack_rows_begin(uint32_t datums) {
  addr_mod_pack_set(ADDR_MOD_3, (addr_mod_pack_t){.y_src = {.incr = 0}});
  if (datums != 16) TT_SETADCXX(p_setadc_PAC, datums - 1, 0);
}
/* Restores the counters to the state of pack_mop. */
TT_INLINE void pack_rows_end(void) {
  TTI_SETADCXX(p_setadc_PAC, 15, 0);
  TTI_SETADCXY(p_setadc_PAC, 0, 0, 0, 0, 0b1011);
  TTI_SETADCZW(p_setadc_PAC, 0, 0, 0, 0, 0b1111);
}

/* Packs `ct` tiles, of which `dst` is the first in Dst, side by side as 32 rows of numbers. The first row starts at L1 address `address`,
 * and each later row starts `row_bytes` after the one before it. `datums` is the count of numbers per tile and row: 32, or at most 16. */
TT_INLINE void pack_row_major(uint32_t address, uint32_t row_bytes, uint32_t dst, uint32_t ct, uint32_t datums) {
  uint32_t halves = datums > 16 ? 2 : 1;
  uint32_t gap = row_bytes != ct * datums * (format_tile_bytes(pack_out_format) / 1024);
  pack_rows_begin(datums > 16 ? 16 : datums);
  for (uint32_t row = 0; row < 32; row++) {
    if (row == 0 || gap) pack_set_address(address + row * row_bytes);
    for (uint32_t i = 0; i < ct * halves; i++)
      pack_one_row(dst + i / halves, 2 * (row / 16) + i % halves, row % 16, i == ct * halves - 1 && (gap || row == 31));
  }
  pack_rows_end();
}

/* `rows` rows of 16 numbers of a tile in the order of Dst. */
TT_INLINE void pack_dst_rows(uint32_t address, uint32_t dst, uint32_t rows) {
  pack_set_address(address);
  pack_rows_begin(16);
  for (uint32_t row = 0; row < rows; row++) pack_one_row(dst, row / 16, row % 16, row == rows - 1);
  pack_rows_end();
}

#endif
#endif
