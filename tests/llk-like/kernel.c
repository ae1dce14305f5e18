/* Kernels with the shapes of the vendor's low-level kernels: MOP and replay streams, some RISC-V work between tiles, unpack,
 * math and pack synchronised by semaphores only; tiles are read from and written to fixed addresses, repeatedly. LLK_OP selects
 * the kernel; argument 0 is the number of passes over its tiles. Buffers: 0 and 1 in, 16 out. */
#include "compute.h"
#include "sfpu.h"

enum {
  LLK_MATMUL,
  LLK_ELTWISE_ADD,
  LLK_ELTWISE_MUL_COL,
  LLK_ELTWISE_ADD_ROW,
  LLK_SFPU_EXP,
  LLK_SFPU_TYPECAST,
  LLK_REDUCE_COL,
  LLK_REDUCE_ROW,
  LLK_TRANSPOSE,
  LLK_TILIZE,
  LLK_UNTILIZE,
  LLK_PACK_UNTILIZE,
  LLK_DATACOPY,
  LLK_INT32_ADD
};
enum { A = 0, B = 1, OUT = 16 };

#define TILES (LLK_OP == LLK_PACK_UNTILIZE ? 16u : 8u) /* outputs of one round */
#define BLOCK \
  (LLK_OP == LLK_TILIZE || LLK_OP == LLK_UNTILIZE || LLK_OP == LLK_PACK_UNTILIZE ? 4u : 1u) /* that share a part of Dst */
#define DEPTH 4u                                                                            /* of a matmul */

/* --- typecast, row by row: BFLOAT16 to whole numbers in sign and magnitude, and back --- */

#ifdef TRISC_MATH
TT_INLINE void math_typecast_tile(void) {
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.dest = {.incr = 2}});
  math_set_dst_tile(0);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_D);
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  for (uint32_t i = 0; i < 32; i++) {
    TTI_SFPLOAD(0, InstrModLoadStore_FP16B, ADDR_MOD_7, 0);
    TTI_SFP_STOCH_RND(0, 0, 0, 0, 1, 6); /* the magnitude, to a 16-bit whole number */
    TTI_SFPCAST(1, 2, 0);                /* and back to a float */
    TTI_SFP_STOCH_RND(0, 0, 0, 2, 3, 1); /* to BFLOAT16 */
    TTI_SFPSTORE(3, InstrModLoadStore_FP16B, ADDR_MOD_6, 0);
  }
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}

/* Tile 0 += tile 1 of Dst, as INT32. */
TT_INLINE void math_int32_add(void) {
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.dest = {.incr = 2}});
  math_set_dst_tile(0);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_D);
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  for (uint32_t i = 0; i < 32; i++) {
    TTI_SFPLOAD(0, InstrModLoadStore_INT32, ADDR_MOD_7, 0);
    TTI_SFPLOAD(1, InstrModLoadStore_INT32, ADDR_MOD_7, 64);
    TTI_SFPIADD(0, 1, 0, 4);
    TTI_SFPSTORE(0, InstrModLoadStore_INT32, ADDR_MOD_6, 0);
  }
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}
#endif

/* --- pack-untilize: the packer writes row-major lines, 16 numbers of one tile at a time --- */

#ifdef TRISC_PACK
/* A MOP is one line of 32 BLOCK numbers: faces left and right of each tile; W counts tiles, Z moves to the right face and back to
 * where the line set it. */
TT_INLINE void pack_untilize_init(void) {
  addr_mod_pack_set(ADDR_MOD_0, (addr_mod_pack_t){.z_src = {.incr = 1}});
  addr_mod_pack_set(ADDR_MOD_1, (addr_mod_pack_t){.z_src = {.incr = 0}});
  mop_template_t mop = {.outer = BLOCK, .inner = 1, .loop_op0 = TT_OP_PACR(0, 0, 0, ADDR_MOD_0, 0, 0, 1, 0, 0, 0, 0, 0)};
  mop.loop_op1 = mop.last_inner = TT_OP_PACR(0, 0, 0, ADDR_MOD_1, 0, 0, 1, 0, 0, 0, 0, 0);
  mop.last_outer = TT_OP_PACR(0, 0, 0, ADDR_MOD_1, 0, 0, 1, 0, 0, 0, 0, 1);
  mop.end_op0 = TT_OP_INCADCZW(p_setadc_PAC, 0, 0, 1, 0);
  mop.end_op1 = TT_OP_ADDRCRZW(p_setadc_PAC, 0, 0, 0, 0, 0b0001);
  mop_program(&mop);
}

/* 32 lines of BLOCK tiles, to `address`. */
TT_INLINE void pack_untilize_block(uint32_t address) {
  for (uint32_t line = 0; line < 32; line++) {
    gpr_set(p_gpr_pack_OUTPUT_ADDR, ((address + line * 64 * BLOCK) >> 4) - 1);
    TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_PACK);
    cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);
    TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Z, line / 16 * 2);
    TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Y, line % 16);
    TTI_SETADCZW(p_setadc_PAC, 0, 0, 0, 0, 0b0010); /* W = 0 */
    mop_run();
  }
}
#endif

static void start(void) {
  if (LLK_OP == LLK_MATMUL) {
    mm_init(A, B, OUT);
    return;
  }
  if (LLK_OP == LLK_ELTWISE_ADD || LLK_OP == LLK_ELTWISE_MUL_COL || LLK_OP == LLK_ELTWISE_ADD_ROW ||
      LLK_OP == LLK_REDUCE_COL || LLK_OP == LLK_REDUCE_ROW)
    binary_op_init(A, B, OUT);
  else unary_op_init(A, OUT);
  if (LLK_OP == LLK_ELTWISE_ADD) eltwise_init(ELWADD_TYPE, BROADCAST_NONE);
  if (LLK_OP == LLK_ELTWISE_MUL_COL) eltwise_init(ELWMUL_TYPE, BROADCAST_COL);
  if (LLK_OP == LLK_ELTWISE_ADD_ROW) eltwise_init(ELWADD_TYPE, BROADCAST_ROW);
  if (LLK_OP == LLK_SFPU_EXP || LLK_OP == LLK_SFPU_TYPECAST || LLK_OP == LLK_DATACOPY || LLK_OP == LLK_INT32_ADD ||
      LLK_OP == LLK_PACK_UNTILIZE)
    copy_tile_init(A);
  if (LLK_OP == LLK_REDUCE_COL) reduce_init(POOL_SUM, REDUCE_COL, A, B);
  if (LLK_OP == LLK_REDUCE_ROW) reduce_init(POOL_MAX, REDUCE_ROW, A, B);
  if (LLK_OP == LLK_TRANSPOSE) transpose_wh_init(A);
  if (LLK_OP == LLK_TILIZE) tilize_init(A, BLOCK);
  if (LLK_OP == LLK_UNTILIZE) untilize_init(A, BLOCK);
}

/* Fills one part of Dst for output tile `tile` and the BLOCK - 1 after it. */
static void fill_dst(uint32_t tile) {
  switch (LLK_OP) {
    case LLK_MATMUL:
      for (uint32_t k = 0; k < DEPTH; k++) matmul_tiles(A, B, k, (tile + k) % 8, 0);
      break;
    case LLK_ELTWISE_ADD:
    case LLK_ELTWISE_MUL_COL:
    case LLK_ELTWISE_ADD_ROW: eltwise_tiles(A, B, tile, tile, 0); break;
    case LLK_SFPU_EXP:
      copy_tile(A, tile, 0);
      exp_tile(0);
      break;
    case LLK_SFPU_TYPECAST:
      copy_tile(A, tile, 0);
      MATH(math_typecast_tile();)
      break;
    case LLK_REDUCE_COL: reduce_tile(A, B, tile, 0, 0); break;
    case LLK_REDUCE_ROW:
      reduce_tile(A, B, tile, 0, 0);
      reduce_row_done(0);
      break;
    case LLK_TRANSPOSE: transpose_wh_tile(A, tile, 0); break;
    case LLK_TILIZE:
      for (uint32_t w = 0; w < BLOCK; w++) tilize_tile(A, w, w);
      break;
    case LLK_UNTILIZE:
      for (uint32_t w = 0; w < BLOCK; w++) untilize_tile(A, w, w, BLOCK);
      break;
    case LLK_PACK_UNTILIZE:
      for (uint32_t w = 0; w < BLOCK; w++) copy_tile(A, tile + w, w);
      break;
    case LLK_INT32_ADD:
      copy_tile(A, tile, 0);
      copy_tile(B, tile, 1);
      MATH(math_int32_add();)
      break;
    default: copy_tile(A, tile, 0); break;
  }
}

static void empty_dst(uint32_t tile) {
#ifdef TRISC_PACK
  uint32_t page = cb_at(OUT)->page_bytes, address = cb_at(OUT)->base + tile * page;
  if (LLK_OP == LLK_PACK_UNTILIZE) {
    pack_untilize_block(address);
    return;
  }
  for (uint32_t i = 0; i < BLOCK; i++) pack_to(i, address + i * page);
#endif
  (void)tile;
}

void kernel_main(void) {
  uint32_t rounds = get_arg_val(0);
  start();
#ifdef TRISC_PACK
  if (LLK_OP == LLK_PACK_UNTILIZE) pack_untilize_init();
#endif
  for (uint32_t round = 0; round < rounds; round++)
    for (uint32_t tile = 0; tile < TILES; tile += BLOCK) {
      (tile_regs_acquire)();
      fill_dst(tile);
      tile_regs_commit();
      (tile_regs_wait)();
      empty_dst(tile);
      tile_regs_release();
    }
}
