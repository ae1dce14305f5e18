/* The unpack core: tiles from circular buffers into SrcA and SrcB.
 *
 * One UNPACR moves a whole 32x32 tile. Addresses alternate between two configuration contexts, so that the core can write
 * the next pair while the unpackers still use the last one; semaphore UNPACK_SYNC counts the contexts in use. ISA:
 * UNPACR_Regular.md, "Configuration"; BackendConfiguration.md. */
#ifndef TENSIX_UNPACK_H
#define TENSIX_UNPACK_H

#include "circular_buffer.h"
#include "dst_sync.h"

#ifdef TRISC_UNPACK

static unsigned unpack_context;

/* The registers that may hold an unpacker's operands. */
TT_INLINE void unpack_check_format(uint32_t format) {
  KERNEL_CHECK(format_tile_bytes(format) != 0, "the buffer's data format does not exist");
  KERNEL_CHECK(format != DATA_FORMAT_INT32, "the matrix unit lacks this format: SrcA and SrcB hold no INT32");
}

TT_INLINE void unpack_configure_alu(uint32_t src_a, uint32_t src_b) {
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(ALU_FORMAT_SPEC_REG0_SrcA_RMW, src_a);
  cfg_rmw(ALU_FORMAT_SPEC_REG1_SrcB_RMW, src_b);
  t6_mutex_release(mutex_REG_RMW);
}

/* Only INT8 in L1 has this choice. */
TT_INLINE void unpack_configure_signs(uint32_t format_a, uint32_t format_b) {
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(ALU_FORMAT_SPEC_REG0_SrcAUnsigned_RMW, format_a == DATA_FORMAT_UINT8);
  cfg_rmw(ALU_FORMAT_SPEC_REG0_SrcBUnsigned_RMW, format_b == DATA_FORMAT_UINT8);
  t6_mutex_release(mutex_REG_RMW);
}

TT_INLINE uint32_t unpack_tile_descriptor(uint32_t format) {
  return format_in_l1(format) | 1u << 4 /* uncompressed */ | 1024u << 16 /* datums in a row: the whole tile */;
}

/* Common start of unpacking to Src and to Dst: no unpack in flight, both contexts free, counters at the start of a tile. */
TT_INLINE void unpack_configure_start(uint32_t to_dst) {
  tensix_sync(); /* no instruction of this thread uses the old configuration any more */
  TTI_SEMINIT(2, 0, 1u << semaphore_UNPACK_SYNC);
  tensix_sync(); /* the semaphore is initialised before this core posts it */
  TTI_SETC16(CFG_STATE_ID_StateID_ADDR32, 0);
  TT_SETC16(SRCA_SET_Base_ADDR32, to_dst ? 0 : 4); /* SetOvrdWithAddr: the address selects the position in SrcA */
  TTI_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
  unpack_context = 0;
  cfg_store(UNP0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32, 0);
  cfg_store(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0);
  cfg_store(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0);
  cfg_store(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32, 0);
  cfg_store(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 0x40u | 0x40u << 16); /* row 0: unpacker 0 subtracts four rows */
  cfg_store(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, 1024u | 1024u << 16);
  TTI_SETADCXX(p_setadc_UNP_AB, 1023, 0);
  TTI_SETADCXY(p_setadc_UNP_AB, 0, 0, 0, 0, 0b1011);
  TTI_SETADCZW(p_setadc_UNP_AB, 0, 0, 0, 0, 0b1111);
}

/* Not inlined, because it is long and every init calls it. Its checks are inlined, so that they report the kernel's line. */
static __attribute__((noinline, unused)) void unpack_configure_checked(uint32_t format_a, uint32_t format_b,
                                                                       uint32_t transpose) {
  uint32_t src_a = format_in_src(format_a, DST_ACCUM_MODE), src_b = format_in_src(format_b, DST_ACCUM_MODE);
  unpack_configure_start(0);
  unpack_configure_alu(src_a, src_b);
  if (src_a == DATA_FORMAT_INT8) unpack_configure_signs(format_a, format_b);
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32, unpack_tile_descriptor(format_a));
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1, 1u | 1u << 16); /* one row, one plane */
  cfg_store(THCON_SEC1_REG0_TileDescriptor_ADDR32, unpack_tile_descriptor(format_b));
  cfg_store(THCON_SEC1_REG0_TileDescriptor_ADDR32 + 1, 1u | 1u << 16);
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32, src_a | 2u << 4 | transpose << 8);
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32 + 1, 0xf); /* no context is compressed */
  cfg_store(THCON_SEC1_REG2_Out_data_format_ADDR32, src_b | 2u << 4);
  cfg_store(THCON_SEC1_REG2_Out_data_format_ADDR32 + 1, 0xf);
}

/* Buffer formats for SrcA and SrcB; transpose: each 16x16 face of SrcA is transposed (Haloize_mode). */
TT_INLINE void unpack_configure(uint32_t format_a, uint32_t format_b, uint32_t transpose) {
  uint32_t src_a = format_in_src(format_a, DST_ACCUM_MODE), src_b = format_in_src(format_b, DST_ACCUM_MODE);
  unpack_check_format(format_a);
  unpack_check_format(format_b);
  KERNEL_CHECK(format_is_a(src_a) == format_is_a(src_b), "SrcA and SrcB must both have 5 or both have 8 exponent bits");
  KERNEL_CHECK((src_a == DATA_FORMAT_INT8) == (src_b == DATA_FORMAT_INT8), "SrcA and SrcB must both be INT8 or neither");
  unpack_configure_checked(format_a, format_b, transpose);
}

/* A buffer whose tiles are unpacked directly into Dst. ISA: UNPACR_Regular.md (Unpack_if_sel). */
TT_INLINE void unpack_configure_to_dst(uint32_t format) {
  uint32_t out = format == DATA_FORMAT_INT32 ? DATA_FORMAT_INT32 : DATA_FORMAT_FLOAT32;
  unpack_configure_start(1);
  unpack_configure_alu(DATA_FORMAT_BFLOAT16, DATA_FORMAT_BFLOAT16);
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32, unpack_tile_descriptor(format));
  cfg_store(THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1, 1u | 1u << 16);
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32, out | 2u << 4);
  cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32 + 1, 0x3f); /* contexts 0 and 1: not compressed, to Dst */
  cfg_store(THCON_SEC1_REG2_Out_data_format_ADDR32, DATA_FORMAT_BFLOAT16 | 2u << 4);
  cfg_store(THCON_SEC1_REG2_Out_data_format_ADDR32 + 1, 0xf);
}

/* The one buffer of a copy, unpacked to SrcA or to Dst. */
TT_INLINE void unpack_configure_one(uint32_t format, uint32_t transpose) {
  KERNEL_CHECK(format != DATA_FORMAT_INT32 || DST_ACCUM_MODE, "INT32 is held by a 32-bit Dst only: DST_ACCUM_MODE 1");
  KERNEL_CHECK(!UNPACK_TO_DST || DST_ACCUM_MODE, "UNPACK_TO_DST is for a 32-bit Dst: DST_ACCUM_MODE 1");
  if (format_goes_to_dst(format)) unpack_configure_to_dst(format);
  else unpack_configure(format_of_moves(format), format_of_moves(format), transpose);
}

/* In units of 16 bytes, less one: the unpacker skips a tile header. */
TT_INLINE uint32_t unpack_checked_address(uint32_t cb, uint32_t tile) {
  return cb_at(cb)->read16 + tile * cb_at(cb)->page16;
}
TT_INLINE uint32_t unpack_tile_address(uint32_t cb, uint32_t tile) {
  KERNEL_CHECK_VALUE(KERNEL_BUFFER_MASK >> cb & 1u, "circular buffer %u was never configured", cb);
  CB_CHECK_INDEX(cb, tile, CB_PAST_FRONT);
  return unpack_checked_address(cb, tile);
}

/* The same of a row of tile number `column` in a row-major block. */
TT_INLINE uint32_t unpack_column_address(uint32_t cb, uint32_t column) {
  CB_CHECK_INDEX(cb, column, CB_PAST_FRONT);
  return cb_at(cb)->read16 + column * (cb_at(cb)->page16 / 32);
}

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

/* A copy into a 32-bit Dst adds a SrcB of zeros; UINT16 is moved. */
TT_INLINE uint32_t copy_needs_srcb(uint32_t format) { return DST_ACCUM_MODE && format != DATA_FORMAT_UINT16; }

/* One tile into SrcA. */
TT_INLINE void llk_unpack_A(uint32_t cb, uint32_t tile) {
  unpack_begin(unpack_tile_address(cb, tile), 0);
  UNPACK_SRCA();
  unpack_end();
}

/* --- into Dst --- */

#define UNPACK_DST() \
  TTI_UNPACR(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1) /* unpacks to the Dst position of the counters and hands over no bank */

/* As unpack_begin; from Dst row `row` of this core's part on. Waits until the math core has left it to the unpacker. Both
 * contexts' output addresses share a word, so the thread writes it, in order, and not the core. */
TT_INLINE void unpack_begin_to_dst(uint32_t address, uint32_t row) {
  DST_CHECK_TILE(row / 64);
  uint32_t output = 0x40u + 16 * (dst_base() + row);
  tt_poll(semaphore_address(semaphore_UNPACK_SYNC), 2, 0);
  cfg_store(THCON_SEC0_REG3_Base_address_ADDR32 + unpack_context, address);
  if (unpack_context) cfg_rmw(THCON_SEC0_REG5_Dest_cntx1_address_RMW, output);
  else cfg_rmw(THCON_SEC0_REG5_Dest_cntx0_address_RMW, output);
  semaphore_post(semaphore_UNPACK_SYNC);
  TTI_STALLWAIT(p_stall_STALL_UNPACK, p_stall_TRISC_CFG); /* RMWCIB, one cycle, has ended by then */
  unpack_wait_for_dst();
}

TT_INLINE void unpack_end_to_dst(void) {
  unpack_give_dst_back();
  unpack_end();
}

TT_INLINE void llk_unpack_to_dst(uint32_t cb, uint32_t tile, uint32_t dst) {
  unpack_begin_to_dst(unpack_tile_address(cb, tile), 64 * dst);
  UNPACK_DST();
  unpack_end_to_dst();
}

/* Face by face, with faces 1 and 2 swapped. */
TT_INLINE void unpack_configure_faces(void) {
  cfg_store(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, 256u | 256u << 16);
  cfg_store(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 256 * 4);
  TTI_SETADCXX(p_setadc_UNP_A, 255, 0);
}

TT_INLINE void llk_unpack_faces_to_dst(uint32_t cb, uint32_t tile, uint32_t dst) {
  unpack_begin_to_dst(unpack_tile_address(cb, tile), 64 * dst);
  for (uint32_t face = 0; face < 4; face++) {
    TT_SETADCZW(p_setadc_UNP_A, 0, face, 0, (face & 1u) << 1 | face >> 1, 0b0101);
    UNPACK_DST();
  }
  unpack_end_to_dst();
}

/* A bank of zeros. ISA: UNPACR_NOP_SETDVALID.md */
TT_INLINE void unpack_zero_srca(void) {
  TTI_UNPACR_NOP(p_unpacr_nop_UNP0, 0, 0, 1, 0, 0, 0, p_unpacr_nop_CLR_SRC_0, p_unpacr_nop_CLR_SRC);
}
TT_INLINE void unpack_zero_srcb(void) {
  TTI_UNPACR_NOP(p_unpacr_nop_UNP1, 0, 0, 1, 0, 0, 0, p_unpacr_nop_CLR_SRC_0, p_unpacr_nop_CLR_SRC);
}

/* One tile into SrcB (or SrcA) and a bank of zeros on the other side. */
TT_INLINE void llk_unpack_one_side(uint32_t cb, uint32_t tile, uint32_t srcb) {
  uint32_t address = unpack_tile_address(cb, tile);
  unpack_begin(address, address);
  if (srcb) {
    unpack_zero_srca();
    UNPACK_SRCB();
  } else {
    UNPACK_SRCA();
    unpack_zero_srcb();
  }
  unpack_end();
}

/* Matmul: in0 goes to SrcB, in1 to SrcA. */
TT_INLINE void llk_unpack_AB_matmul(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1) {
  unpack_begin(unpack_tile_address(cb_in1, tile1), unpack_tile_address(cb_in0, tile0));
  UNPACK_SRCB();
  UNPACK_SRCA();
  unpack_end();
}

/* Whether the tiles of a buffer lie one after the other as planes and lines of the unpacker's input, so that its counters reach
 * them all from one address: numbers without shared exponents, pages without a gap. */
TT_INLINE uint32_t unpack_counts_tiles(uint32_t cb) {
  return !format_is_bfp(cb_at(cb)->format) && cb_at(cb)->page16 * 16 == format_tile_bytes(cb_at(cb)->format);
}

#define UNPACK_SRCA_NEXT() TTI_UNPACR(0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1) /* then counter Z goes to the next tile */
#define UNPACK_LINES 8192u                                                   /* values of counter Y */

/* Unpacks a block with one address for each side: Z counts the tiles of in1, Y those of in0. */
TT_INLINE void unpack_block_by_counters(uint32_t ct, uint32_t rt, uint32_t kt) {
  if (ct >= rt) {
    for (uint32_t row = 0; row < rt; row++) {
      TT_SETADC(p_setadc_UNP_B, p_setadc_CH_0, p_setadc_SET_Y, row * kt);
      UNPACK_SRCB();
      for (uint32_t column = 0; column < ct; column++) UNPACK_SRCA_NEXT();
      TTI_SETADCZW(p_setadc_UNP_A, 0, 0, 0, 0, 0b0001);
    }
  } else {
    for (uint32_t column = 0; column < ct; column++) {
      UNPACK_SRCA_NEXT();
      for (uint32_t row = 0; row < rt; row++) {
        TT_SETADC(p_setadc_UNP_B, p_setadc_CH_0, p_setadc_SET_Y, row * kt);
        UNPACK_SRCB();
      }
    }
    TTI_SETADCZW(p_setadc_UNP_A, 0, 0, 0, 0, 0b0001);
  }
  TTI_SETADC(p_setadc_UNP_B, p_setadc_CH_0, p_setadc_SET_Y, 0);
}

/* The same with an address per product. */
TT_INLINE void unpack_block_by_addresses(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1, uint32_t ct,
                                         uint32_t rt, uint32_t kt) {
  uint32_t reuse_a = ct >= rt;
  for (uint32_t t = 0; t < (reuse_a ? rt : ct); t++)
    for (uint32_t u = 0; u < (reuse_a ? ct : rt); u++) {
      uint32_t row = reuse_a ? t : u, column = reuse_a ? u : t;
      unpack_begin(unpack_checked_address(cb_in1, tile1 + column), unpack_checked_address(cb_in0, tile0 + row * kt));
      if (!reuse_a || u == 0) UNPACK_SRCB();
      if (reuse_a || u == 0) UNPACK_SRCA();
      unpack_end();
    }
}

/* A block of rt x ct output tiles for one k: one side stays in its register while the other changes (reuse A: the in0 tile of a
 * row is multiplied with all ct tiles of in1; else vice versa). Tiles of in0 are kt apart from row to row. */
TT_INLINE void llk_unpack_AB_matmul_block(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1, uint32_t ct,
                                          uint32_t rt, uint32_t kt) {
  (void)unpack_tile_address(cb_in0, tile0 + (rt - 1) * kt); /* once for the block: the last tile of each side */
  (void)unpack_tile_address(cb_in1, tile1 + ct - 1);
  if (unpack_counts_tiles(cb_in0) && unpack_counts_tiles(cb_in1) && rt * kt <= UNPACK_LINES) {
    unpack_begin(unpack_checked_address(cb_in1, tile1), unpack_checked_address(cb_in0, tile0));
    unpack_block_by_counters(ct, rt, kt);
    unpack_end();
  } else {
    unpack_block_by_addresses(cb_in0, cb_in1, tile0, tile1, ct, rt, kt);
  }
}

#endif
#endif
