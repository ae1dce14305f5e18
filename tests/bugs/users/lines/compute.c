/* Four data tiles at a time: doubled by the vector unit (two recorded sequences, one of which runs twice), then packed line by line.
 * Argument: rows of data tiles. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_C = 16, TILES = 4, LINE = 256, DOUBLE = 0, TURN = 4 };

#ifdef TRISC_MATH
static void record(void) {
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.dest = {.incr = 2}});
  replay_record(DOUBLE, 3);
  TTI_SFPLOAD(0, InstrModLoadStore_FP16B, ADDR_MOD_7, 0);
  TTI_SFPADD(10, 0, 0, 0, 0);
  TTI_SFPSTORE(0, InstrModLoadStore_FP16B, ADDR_MOD_6, 0);
  replay_record(TURN, 3);
  TTI_SFPLOAD(1, InstrModLoadStore_FP16B, ADDR_MOD_7, 0);
  TTI_SFPMOV(0, 1, 1, 1);
  TTI_SFPSTORE(1, InstrModLoadStore_FP16B, ADDR_MOD_6, 0);
}

static void each_line(uint32_t first, uint32_t words) {
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_D);
  for (uint32_t i = 0; i < 32; i++) replay_play(first, words);
}

static void change_tile(uint32_t tile) {
  math_set_dst_tile(tile);
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
  each_line(DOUBLE, 3);
  each_line(TURN, 3);
  each_line(TURN, 3);
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}
#endif

#ifdef TRISC_PACK
static void pack_start(void) {
  addr_mod_pack_set(ADDR_MOD_0, (addr_mod_pack_t){.z_src = {.incr = 1}});
  addr_mod_pack_set(ADDR_MOD_1, (addr_mod_pack_t){.z_src = {.incr = 0}});
  mop_template_t mop = {.outer = TILES, .inner = 1, .loop_op0 = TT_OP_PACR(0, 0, 0, ADDR_MOD_0, 0, 0, 1, 0, 0, 0, 0, 0)};
  mop.loop_op1 = mop.last_inner = TT_OP_PACR(0, 0, 0, ADDR_MOD_1, 0, 0, 1, 0, 0, 0, 0, 0);
  mop.last_outer = TT_OP_PACR(0, 0, 0, ADDR_MOD_1, 0, 0, 1, 0, 0, 0, 0, 1);
  mop.end_op0 = TT_OP_INCADCZW(p_setadc_PAC, 0, 0, 1, 0);
  mop.end_op1 = TT_OP_ADDRCRZW(p_setadc_PAC, 0, 0, 0, 0, 0b0001);
  mop_program(&mop);
}

static void pack_lines(uint32_t address) {
  for (uint32_t line = 0; line < 32; line++) {
    gpr_set(p_gpr_pack_OUTPUT_ADDR, ((address + line * LINE) >> 4) - 1);
    TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_PACK);
    cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);
    TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Z, line / 16 * 2);
    TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Y, line % 16);
    TTI_SETADCZW(p_setadc_PAC, 0, 0, 0, 0, 0b0010);
    mop_run();
  }
}
#endif

void kernel_main(void) {
  unary_op_init(CB_A, CB_C);
  copy_tile_init(CB_A);
  MATH(record();)
  PACK(pack_start();)
  for (uint32_t i = 0, rows = get_arg_val(0); i < rows; i++) {
    cb_wait_front(CB_A, TILES);
    tile_regs_acquire();
    for (uint32_t k = 0; k < TILES; k++) copy_tile(CB_A, k, k);
    MATH(for (uint32_t k = 0; k < TILES; k++) change_tile(k);)
    cb_pop_front(CB_A, TILES);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_C, TILES);
    PACK(pack_lines(cb_interfaces[CB_C].write);)
    cb_push_back(CB_C, TILES);
    tile_regs_release();
  }
}
