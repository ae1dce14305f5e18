/* The three T cores, instruction by instruction: C = 2 A. Arguments: A, C, number of pages. */
#include "compute.h"
#include "sfpu.h"

enum { BYTES = 2048, GPR_FROM = 40, GPR_TO = 44 };
#define DST_READY (1u << semaphore_MATH_PACK)

#ifdef TRISC_UNPACK
static void unpack_one(uint32_t from) {
  gpr_set(GPR_FROM, (from >> 4) - 1);
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_UNPACK0);
  cfg_from_gpr(THCON_SEC0_REG3_Base_address_ADDR32, GPR_FROM);
  UNPACK_SRCA();
}
#endif

#ifdef TRISC_MATH
static void math_start(void) {
  addr_mod_set(ADDR_MOD_0, (addr_mod_t){.srca = {.incr = 8}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.dest = {.incr = 2}});
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  replay_record(4, 3);
  TTI_SFPLOAD(0, InstrModLoadStore_FP16B, ADDR_MOD_7, 0);
  TTI_SFPADD(10, 0, 0, 0, 0);
  TTI_SFPSTORE(0, InstrModLoadStore_FP16B, ADDR_MOD_6, 0);
  mop_template_t mop = {.outer = 1, .inner = 8, .loop_op0 = TT_OP_MOVA2D(0, 0, ADDR_MOD_0, p_mova2d_MOV_8_ROWS, 0)};
  mop.end_op0 = TT_OP_SETRWC(p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  mop_program(&mop);
}
static void math_one(uint32_t half) {
  TTI_SEMWAIT(p_stall_STALL_MATH | p_stall_STALL_SFPU | p_stall_STALL_SYNC, DST_READY, p_stall_STALL_ON_MAX);
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 512 * half);
  mop_run();
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  for (uint32_t i = 0; i < 32; i++) replay_play(4, 3);
  TTI_STALLWAIT(p_stall_STALL_SYNC | p_stall_STALL_MATH | p_stall_STALL_CFG, p_stall_MATH | p_stall_WAIT_SFPU);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  TTI_SEMPOST(DST_READY);
}
#endif

#ifdef TRISC_PACK
static void pack_one(uint32_t to, uint32_t half) {
  TTI_SEMWAIT(p_stall_STALL_TDMA, DST_READY, p_stall_STALL_ON_ZERO);
  gpr_set(GPR_TO, (to >> 4) - 1);
  gpr_set(GPR_TO + 1, 512 * half);
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_PACK);
  cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, GPR_TO);
  cfg_from_gpr(DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32, GPR_TO + 1);
  mop_run();
  TTI_STALLWAIT(p_stall_STALL_MATH | p_stall_STALL_SYNC, p_stall_PACK);
  TT_ZEROACC(p_zeroacc_CLR_HALF, 0, 0, ADDR_MOD_0, half);
  TTI_SEMGET(DST_READY);
}
#endif

void kernel_main(void) {
  unary_op_init(0, 16);
  copy_tile_init(0);
  UNPACK(TTI_STALLWAIT(p_stall_STALL_UNPACK | p_stall_STALL_CFG, p_stall_TRISC_CFG);)
  MATH(math_start();)
  for (uint32_t i = 0, pages = get_arg_val(2); i < pages; i++) {
    UNPACK(unpack_one(get_arg_val(0) + i * BYTES);)
    MATH(math_one(i & 1);)
    PACK(pack_one(get_arg_val(1) + i * BYTES, i & 1);)
  }
}
