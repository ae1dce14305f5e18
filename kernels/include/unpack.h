/* The unpack core: tiles from circular buffers into SrcA and SrcB.
 *
 * One UNPACR moves a whole 32x32 tile. Addresses alternate between two configuration contexts, so that the core can write
 * the next pair while the unpackers still use the last one; semaphore UNPACK_SYNC counts the contexts in use. ISA:
 * UNPACR_Regular.md, "Configuration"; BackendConfiguration.md. */
#ifndef TENSIX_UNPACK_H
#define TENSIX_UNPACK_H

#include "circular_buffer.h"

#ifdef TRISC_UNPACK

static unsigned unpack_context;

/* Which registers a unpacker's operands may be in. */
TT_INLINE void unpack_check_format(uint32_t format) {
  KERNEL_CHECK(format_tile_bytes(format) != 0, "the buffer's data format does not exist");
  KERNEL_CHECK(format != DATA_FORMAT_INT32 && format != DATA_FORMAT_UINT16,
               "the matrix unit lacks this format: SrcA and SrcB hold no INT32 or UINT16");
}

TT_INLINE void unpack_configure_alu(uint32_t src_a, uint32_t src_b) {
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(ALU_FORMAT_SPEC_REG0_SrcA_RMW, src_a);
  cfg_rmw(ALU_FORMAT_SPEC_REG1_SrcB_RMW, src_b);
  t6_mutex_release(mutex_REG_RMW);
}

TT_INLINE uint32_t unpack_tile_descriptor(uint32_t format) {
  return format_in_l1(format) | 1u << 4 /* uncompressed */ | 1024u << 16 /* datums in a row: the whole tile */;
}

/* Buffer formats for SrcA and SrcB; transpose: each 16x16 face of SrcA is transposed on its way (Haloize_mode). */
TT_INLINE void unpack_configure(uint32_t format_a, uint32_t format_b, uint32_t transpose) {
  uint32_t src_a = format_in_src(format_a, DST_ACCUM_MODE), src_b = format_in_src(format_b, DST_ACCUM_MODE);
  unpack_check_format(format_a);
  unpack_check_format(format_b);
  KERNEL_CHECK(format_is_a(src_a) == format_is_a(src_b), "SrcA and SrcB must both have 5 or both have 8 exponent bits");
  KERNEL_CHECK((src_a == DATA_FORMAT_INT8) == (src_b == DATA_FORMAT_INT8), "SrcA and SrcB must both be INT8 or neither");
  tensix_sync(); /* nothing of this thread uses the old configuration any more */
  TTI_SEMINIT(2, 0, 1u << semaphore_UNPACK_SYNC);
  tensix_sync(); /* before this core's own posts */
  TTI_SETC16(CFG_STATE_ID_StateID_ADDR32, 0);
  TTI_SETC16(SRCA_SET_Base_ADDR32, 4); /* SetOvrdWithAddr: the address decides where in SrcA */
  TTI_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
  unpack_context = 0;
  unpack_configure_alu(src_a, src_b);
  cfg_store(UNP0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32, 0);
  cfg_store(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0);
  cfg_store(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0);
  cfg_store(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32, 0);
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32, unpack_tile_descriptor(format_a));
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1, 1u | 1u << 16); /* one row, one plane */
  cfg_store(THCON_SEC1_REG0_TileDescriptor_ADDR32, unpack_tile_descriptor(format_b));
  cfg_store(THCON_SEC1_REG0_TileDescriptor_ADDR32 + 1, 1u | 1u << 16);
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32, src_a | 2u << 4 | transpose << 8);
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32 + 1, 0xf); /* no context is compressed */
  cfg_store(THCON_SEC1_REG2_Out_data_format_ADDR32, src_b | 2u << 4);
  cfg_store(THCON_SEC1_REG2_Out_data_format_ADDR32 + 1, 0xf);
  cfg_store(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 0x40u | 0x40u << 16);
  cfg_store(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, 1024u | 1024u << 16);
  TTI_SETADCXX(p_setadc_UNP_AB, 1023, 0);
  TTI_SETADCXY(p_setadc_UNP_AB, 0, 0, 0, 0, 0b1011);
  TTI_SETADCZW(p_setadc_UNP_AB, 0, 0, 0, 0, 0b1111);
}

/* In units of 16 bytes, less one: the unpacker skips a tile header. */
TT_INLINE uint32_t unpack_tile_address(uint32_t cb, uint32_t tile) { return cb_at(cb)->read16 + tile * cb_at(cb)->page16; }

/* Addresses for the next context; then the unpackers wait until the stores have arrived. */
TT_INLINE void unpack_begin(uint32_t address_a, uint32_t address_b) {
  tt_poll(semaphore_address(semaphore_UNPACK_SYNC), 2, 0); /* fewer than two contexts in use */
  cfg_store(THCON_SEC0_REG3_Base_address_ADDR32 + unpack_context, address_a);
  cfg_store(THCON_SEC1_REG3_Base_address_ADDR32 + unpack_context, address_b);
  semaphore_post(semaphore_UNPACK_SYNC);
  TTI_STALLWAIT(p_stall_STALL_UNPACK, p_stall_TRISC_CFG);
}

TT_INLINE void unpack_end(void) {
  TTI_SEMGET(1u << semaphore_UNPACK_SYNC);
  unpack_context ^= 1;
  if (unpack_context) TTI_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0x0101);
  else TTI_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0x0000);
}

#define UNPACK_SRCA() TTI_UNPACR(0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1) /* the tile, then the bank goes to the matrix unit */
#define UNPACK_SRCB() TTI_UNPACR(1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)

/* One tile into SrcA, one into SrcB. */
TT_INLINE void llk_unpack_AB(uint32_t cb_a, uint32_t cb_b, uint32_t tile_a, uint32_t tile_b) {
  unpack_begin(unpack_tile_address(cb_a, tile_a), unpack_tile_address(cb_b, tile_b));
  UNPACK_SRCA();
  UNPACK_SRCB();
  unpack_end();
}

/* One tile into SrcA. */
TT_INLINE void llk_unpack_A(uint32_t cb, uint32_t tile) {
  unpack_begin(unpack_tile_address(cb, tile), 0);
  UNPACK_SRCA();
  unpack_end();
}

/* A bank of zeros. ISA: UNPACR_NOP_SETDVALID.md */
TT_INLINE void unpack_zero_srca(void) {
  TTI_UNPACR_NOP(p_unpacr_nop_UNP0, 0, 0, 1, 0, 0, 0, p_unpacr_nop_CLR_SRC_0, p_unpacr_nop_CLR_SRC);
}
TT_INLINE void unpack_zero_srcb(void) {
  TTI_UNPACR_NOP(p_unpacr_nop_UNP1, 0, 0, 1, 0, 0, 0, p_unpacr_nop_CLR_SRC_0, p_unpacr_nop_CLR_SRC);
}

/* Rows of a row-major matrix `wt` tiles wide: 32 datums from each of 32 rows, so that SrcA rows 2r and 2r+1 hold row r of
 * the tile. ISA: UNPACR_Regular.md, Tileize_mode. After unpack_configure. */
TT_INLINE void unpack_configure_tilize(uint32_t format, uint32_t wt) {
  uint32_t row_bytes = wt * format_tile_bytes(format) / 32;
  KERNEL_CHECK(!format_is_bfp(format) && format_tile_bytes(format) >= 2048, "tilize takes formats of 16 or 32 bits");
  KERNEL_CHECK(row_bytes >> 4 < 4096, "tilize: rows of less than 64 KiB");
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32,
            format_in_src(format, DST_ACCUM_MODE) | 2u << 4 | 1u << 9 | (row_bytes >> 4) << 16);
}

TT_INLINE void llk_unpack_tilize(uint32_t cb, uint32_t column) {
  unpack_begin(cb_at(cb)->read16 + column * (cb_at(cb)->page16 / 32), 0);
  UNPACK_SRCA();
  unpack_end();
}

/* Matmul: in0 goes to SrcB, in1 to SrcA. Seed 000 "Register files". */
TT_INLINE void llk_unpack_AB_matmul(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1) {
  unpack_begin(unpack_tile_address(cb_in1, tile1), unpack_tile_address(cb_in0, tile0));
  UNPACK_SRCB();
  UNPACK_SRCA();
  unpack_end();
}

/* A block of rt x ct output tiles for one k: one side stays in its register while the other runs (reuse A: the in0 tile of a
 * row meets all ct tiles of in1; else the other way round). Tiles of in0 are kt apart from row to row. Seed 000 "Clear SrcB
 * at reuse boundary". */
TT_INLINE void llk_unpack_AB_matmul_block(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1, uint32_t ct,
                                          uint32_t rt, uint32_t kt) {
  uint32_t reuse_a = ct >= rt;
  for (uint32_t t = 0; t < (reuse_a ? rt : ct); t++)
    for (uint32_t u = 0; u < (reuse_a ? ct : rt); u++) {
      uint32_t row = reuse_a ? t : u, column = reuse_a ? u : t;
      unpack_begin(unpack_tile_address(cb_in1, tile1 + column), unpack_tile_address(cb_in0, tile0 + row * kt));
      if (!reuse_a || u == 0) UNPACK_SRCB();
      if (reuse_a || u == 0) UNPACK_SRCA();
      unpack_end();
    }
}

#endif
#endif
