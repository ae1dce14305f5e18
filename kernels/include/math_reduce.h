/* The math core: reduction of tiles to a row, a column or one number. The pool instructions add up (or take the maximum of)
 * 16 rows of SrcA into a row of Dst; a column comes from that by transposing a face, one number by adding up the row's lanes
 * in the vector unit. ISA: GAPOOL.md, GMPOOL.md, MOVD2B.md, TRNSPSRCB.md, SFPSHFT2.md. */
#ifndef TENSIX_MATH_REDUCE_H
#define TENSIX_MATH_REDUCE_H

#include "sfpu.h"

#ifdef TRISC_MATH

static uint32_t math_reduce_pool __attribute__((unused)); /* the pool type that the last init has set */

/* Sum and average: SrcB's first row is the scale; maximum: that row is 1.0. */
TT_INLINE uint32_t pool_word(uint32_t pool, uint32_t clear, uint32_t mode, uint32_t dst) {
  return pool == POOL_MAX ? TT_OP_GMPOOL(clear, p_gpool_DIM_16X16, mode, p_gpool_INDEX_DIS, dst)
                          : TT_OP_GAPOOL(clear, p_gpool_DIM_16X16, mode, p_gpool_INDEX_DIS, dst);
}

/* Faces 0..3 of SrcA meet Dst rows 0 or 16 (columns), 0 or 32 (rows; SrcA's faces arrive transposed), or always 0 (scalar).
 */
TT_INLINE void math_reduce_init(uint32_t pool, uint32_t dim, uint32_t fidelity) {
  uint32_t phases = pool == POOL_MAX ? 1 : fidelity_phases(fidelity);
  math_check_kind();
  math_reduce_pool = pool;
  math_setup = SETUP_REDUCE;
  addr_mod_set(ADDR_MOD_0, (addr_mod_t){.srca = {.incr = 16}});
  addr_mod_set(ADDR_MOD_3,
               (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.incr = 1}});
  addr_mod_set(ADDR_MOD_4, (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.clr = 1}});
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  uint32_t dst1 = dim == REDUCE_COL ? 16 : 0, dst2 = dim == REDUCE_ROW ? 32 : 0, dst3 = dim == REDUCE_COL ? 16 : dst2;
  replay_record(REPLAY_MATH, 3);
  TT_PUSH(pool_word(pool, p_setrwc_CLR_NONE, ADDR_MOD_0, 0));
  TT_PUSH(pool_word(pool, p_setrwc_CLR_NONE, ADDR_MOD_0, dst1));
  TT_PUSH(pool_word(pool, p_setrwc_CLR_NONE, ADDR_MOD_0, dst2));
  mop_template_t mop = {.outer = phases, .inner = 1, .loop_op0 = replay_insn(REPLAY_MATH, 3)};
  mop.loop_op1 = mop.last_inner = pool_word(pool, p_setrwc_CLR_NONE, ADDR_MOD_3, dst3);
  mop.last_outer = pool_word(pool, p_setrwc_CLR_NONE, ADDR_MOD_4, dst3);
  mop_program(&mop);
  math_reset_counters();
}

/* The pool instructions define a few rows of Dst; the vector unit must not read the others (ISA: ZEROACC.md). The first tile of a reduction
 * therefore adds zeros onto all rows: those without a result become 0. */
static __attribute__((noinline, unused)) void math_define_rows(void) {
  TTI_ZEROSRC(0, 1, 0, 3);
  for (uint32_t row = 0; row < 64; row += 8) TT_PUSH(TT_OP_ELWADD(p_setrwc_CLR_NONE, 1, 0, ADDR_MOD_7, row));
}

/* The pools alone, in a function of their own: a checker compares this call with the template that the last init has set up. */
TT_INLINE void reduce_pools(uint32_t dst) {
  MATH_CHECK_SETUP(SETUP_REDUCE, "reduce", "reduce_init");
  math_set_dst_tile(dst);
  mop_run();
  KERNEL_CALLED("reduce_pools");
}

TT_INLINE void math_reduce_tile(uint32_t dst) {
  reduce_pools(dst);
  if (!(dst_reducing >> dst & 1u)) math_define_rows();
  dst_reducing |= 1u << dst;
  TTI_SETRWC(p_setrwc_CLR_AB, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}

/* --- a face of Dst, transposed in place. ISA: MOVD2B.md, TRNSPSRCB.md, MOVB2D.md --- */

/* Rows `row`..+15 of the tile, 16 bits wide, through SrcB. */
TT_INLINE void math_transpose_face_16b(uint32_t row) {
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_MATH | p_stall_SRCB_VLD); /* the bank after the one being released */
  for (uint32_t i = 0; i < 16; i += 4) TT_MOVD2B(0, 16 + i, ADDR_MOD_7, p_movd2b_MOV_4_ROWS, row + i);
  TTI_TRNSPSRCB;
  for (uint32_t i = 0; i < 16; i += 4) TT_MOVB2D(0, 16 + i, ADDR_MOD_7, p_movb2d_MOV_4_ROWS, row + i);
}

/* The moves below carry halves of 32-bit numbers, not whole numbers: all are treated as BFLOAT16, and a zero exponent field
 * is not flushed. */
TT_INLINE void math_opaque_moves(uint32_t on) {
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH | p_stall_WAIT_SFPU);
  TT_SETC16(DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32, on);
  TT_SETC16(DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32, on);
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(ALU_FORMAT_SPEC_REG_SrcA_val_RMW, DATA_FORMAT_BFLOAT16);
  cfg_rmw(ALU_FORMAT_SPEC_REG_SrcA_override_RMW, on);
  cfg_rmw(ALU_FORMAT_SPEC_REG_SrcB_val_RMW, DATA_FORMAT_BFLOAT16);
  cfg_rmw(ALU_FORMAT_SPEC_REG_SrcB_override_RMW, on);
  cfg_rmw(ALU_ACC_CTRL_Zero_Flag_disabled_src_RMW, on);
  t6_mutex_release(mutex_REG_RMW);
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_CFGEXU);
}

/* The same for 32 bits: high halves by SrcB into SrcA, low halves stay in SrcB, then both back. A 32-bit row 8 b + i lies in
 * the 16-bit rows 16 b + i and 16 b + 8 + i (Dst.md); the halves are written as 16-bit rows, so that no flag of MOVB2D is
 * needed that silicon ignores (MOVB2D_LOW_FP32 in docs/evidence/errata.md), and after both have been read, as LLK does. Wants a bank
 * of each and math_opaque_moves. */
TT_INLINE void math_transpose_face_32b(uint32_t dst, uint32_t row) {
  math_set_dst_tile(dst);
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_MATH | p_stall_SRCA_VLD | p_stall_SRCB_VLD);
  for (uint32_t i = 0; i < 16; i += 4) TT_MOVD2B(0, 16 + i, ADDR_MOD_7, p_movd2b_MOV_4_ROWS, row + i);
  TTI_TRNSPSRCB;
  for (uint32_t i = 0; i < 16; i += 4) TT_MOVB2A(i, ADDR_MOD_7, p_movb2a_MOV_4_ROWS, 16 + i);
  for (uint32_t i = 0; i < 16; i += 4) TT_MOVD2B(1, 16 + i, ADDR_MOD_7, p_movd2b_MOV_4_ROWS, row + i);
  TTI_TRNSPSRCB;
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 2 * (dst_base() + 64 * dst));
  for (uint32_t i = 0; i < 16; i += 8) TT_MOVA2D(0, i, ADDR_MOD_7, p_mova2d_MOV_8_ROWS, 2 * (row + i));
  for (uint32_t i = 0; i < 16; i += 4)
    TT_MOVB2D(0, 16 + i, ADDR_MOD_7, p_movb2d_MOV_4_ROWS, 2 * (row + (i & 8u)) + 8 + (i & 4u));
}

/* The faces at rows first, first + step.. of a tile. Uses up a bank of SrcA and one of SrcB. */
TT_INLINE void math_transpose_faces_32b(uint32_t dst, uint32_t first, uint32_t step) {
  math_opaque_moves(1);
  for (uint32_t row = first; row < 64; row += step) math_transpose_face_32b(dst, row);
  TTI_SETRWC(p_setrwc_CLR_AB, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  math_opaque_moves(0);
}

/* A reduced row of tiles lies in Dst rows 0 and 32: turn it into column 0. */
TT_INLINE void math_reduce_row_done(uint32_t dst) {
  if (DST_ACCUM_MODE) {
    math_transpose_faces_32b(dst, 0, 32);
  } else {
    math_set_dst_tile(dst);
    math_transpose_face_16b(0);
    math_transpose_face_16b(32);
    TTI_SETRWC(p_setrwc_CLR_B, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  }
}

/* --- sixteen numbers of a row to one --- */

/* L0 = L0 and L1 together. */
TT_INLINE void reduce_lanes(uint32_t pool) {
  if (pool == POOL_MAX) {
    SFPU_SORT(1, 0);
  } else if (math_dst_is_int) {
    TTI_SFPIADD(0, 1, 0, 4); /* flags untouched */
  } else {
    SFPU_ADD(0, 0, 1);
    TTI_SFPNOP; /* SFPSHFT2 does not wait for it */
  }
}

/* Dst row 0, 16 numbers (eight even columns, eight odd ones), to its first. Sums are in FP32, as a tree: even and odd, then
 * neighbours one, two and four lanes apart. The rest of the four rows becomes zero. */
TT_INLINE void math_reduce_scalar_done(uint32_t dst) {
  uint32_t pool = math_reduce_pool, mode = sfpu_dst_mode();
  uint32_t complement = math_dst_is_int && pool != POOL_MAX; /* Dst has sign and magnitude, SFPIADD two's complement */
  math_set_dst_tile(dst);
  math_reset_counters();
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  TTI_SFPENCC(3, 0, 0, 10); /* flags count, all lanes on */
  TT_SFPLOAD(0, mode, ADDR_MOD_7, 0);
  TT_SFPLOAD(1, mode, ADDR_MOD_7, 2);
  if (complement) TTI_SFPCAST(0, 0, 3);
  if (complement) TTI_SFPCAST(1, 1, 3);
  reduce_lanes(pool);
  for (uint32_t distance = 1; distance < 8; distance *= 2) {
    for (uint32_t i = 0; i < distance; i++) {
      TT_SFPSHFT2(0, i ? 1 : 0, 1, 3); /* L1: each eight lanes rotated by one */
      TTI_SFPNOP;
    }
    reduce_lanes(pool);
  }
  if (complement) TTI_SFPCAST(0, 0, 3);
  if (!DST_ACCUM_MODE && pool != POOL_MAX) TT_SFP_STOCH_RND(0, 0, 0, 0, 0, math_dst_is_a ? 0 : 1); /* rounds to nearest */
  TT_SFPSTORE(SFPU_ZERO, mode, ADDR_MOD_7, 0);
  TT_SFPSTORE(SFPU_ZERO, mode, ADDR_MOD_7, 2);
  TTI_SFPSETCC(0, p_sfpu_LTILEID, 0, 6); /* enables only lane 0 */
  TT_SFPSTORE(0, mode, ADDR_MOD_7, 0);
  TTI_SFPENCC(3, 0, 0, 10);
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
}

/* Before the next tile of a maximum: its number again in all 16 columns of row 0, because the zeros beside it would count, too. Their bits are
 * 0, so OR spreads a number of every format without changing it. */
TT_INLINE void math_reduce_scalar_again(uint32_t dst) {
  uint32_t mode = sfpu_dst_mode();
  if (math_reduce_pool != POOL_MAX) return;
  math_set_dst_tile(dst);
  math_reset_counters();
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  TTI_SFPENCC(3, 0, 0, 10); /* flags count, all lanes on */
  TT_SFPLOAD(0, mode, ADDR_MOD_7, 0);
  for (uint32_t distance = 1; distance < 8; distance *= 2) {
    for (uint32_t i = 0; i < distance; i++) {
      TT_SFPSHFT2(0, i ? 1 : 0, 1, 3); /* L1: each eight lanes rotated by one */
      TTI_SFPNOP;
    }
    SFPU_OR(0, 1);
  }
  TT_SFPSTORE(0, mode, ADDR_MOD_7, 0);
  TT_SFPSTORE(0, mode, ADDR_MOD_7, 2);
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
}

#endif
#endif
