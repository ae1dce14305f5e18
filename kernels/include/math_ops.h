/* The math core: matrix unit sequences. An init function sets address modes, records the instructions of one tile into
 * replay slots 16..31 and programs the MOP; the tile function then costs the core a few stores. Registers: RWCs.md,
 * MOPExpander.md. */
#ifndef TENSIX_MATH_OPS_H
#define TENSIX_MATH_OPS_H

#include "circular_buffer.h"
#include "dst_sync.h"

enum broadcast_type { BROADCAST_NONE, BROADCAST_COL, BROADCAST_ROW, BROADCAST_SCALAR }; /* the broadcast of SrcB's tile */
enum eltwise_type { ELWADD_TYPE, ELWSUB_TYPE, ELWMUL_TYPE };
enum pool_type { POOL_SUM, POOL_AVG, POOL_MAX };
enum reduce_dim { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

#ifdef TRISC_MATH

static uint32_t math_dst_is_a __attribute__((unused));   /* numbers in a 16-bit Dst have five exponent bits */
static uint32_t math_dst_is_int __attribute__((unused)); /* enum dst_kind */

TT_INLINE uint32_t fidelity_phases(uint32_t fidelity) { return fidelity ? fidelity : 1; } /* LoFi is 0, and one pass */

static uint32_t math_configured __attribute__((unused)); /* an init has set the formats */

/* Not inlined, because it is long and every init calls it. */
static __attribute__((noinline, unused)) void math_configure_checked(uint32_t format_a, uint32_t int8) {
  math_configured = 1;
  math_dst_is_int = int8 ? (uint32_t)DST_SIGNED : format_kind(format_a);
  if (math_dst_is_int != DST_UINT16) math_dst_is_a = format_is_a(format_in_src(format_a, DST_ACCUM_MODE));
  TTI_SETC16(CFG_STATE_ID_StateID_ADDR32, 0);
  TTI_SETC16(DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32, 0);
  TTI_SETC16(DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32, 0);
#ifndef KERNEL_AFTER_RESET /* a kernel that is the first after a reset finds them 0 */
  TTI_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
  TTI_SETC16(FIDELITY_BASE_Phase_ADDR32, 0);
#endif
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH | p_stall_WAIT_SFPU);
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(DEST_ACCESS_CFG_zeroacc_absolute_tile_mode_RMW, 0);
  cfg_rmw(ALU_ACC_CTRL_INT8_math_enabled_RMW, int8);
  cfg_rmw(ALU_ACC_CTRL_Fp32_enabled_RMW, DST_ACCUM_MODE && !int8);
  cfg_rmw(ALU_ACC_CTRL_SFPU_Fp32_enabled_RMW, DST_ACCUM_MODE);
  t6_mutex_release(mutex_REG_RMW);
}

/* Selects the arithmetic of the matrix unit for the formats of these buffers. The unpackers imply the formats of SrcA and
 * SrcB. The check is inlined, so that it reports the kernel's line. */
TT_INLINE void math_configure(uint32_t format_a, uint32_t format_b) {
  uint32_t int8 = format_is_int8(format_a) || format_is_int8(format_b);
  KERNEL_CHECK(!int8 || DST_ACCUM_MODE, "INT8 accumulates in 32 bits: compile with DST_ACCUM_MODE 1");
  math_configure_checked(format_a, int8);
}

/* An init of an operation: the formats are known. The matrix unit computes no UINT16. */
TT_INLINE void math_check_kind(void) {
  KERNEL_CHECK(math_configured, "no init has set the formats of the inputs: " KERNEL_STARTS);
  KERNEL_CHECK(math_dst_is_int != DST_UINT16, "the matrix unit copies and transposes UINT16, and computes nothing with it");
}

TT_INLINE void math_reset_counters(void) { TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F); }

/* --- matmul. ISA: MVMUL.md, RWCs.md (address modes) --- */

/* transpose: SrcA's faces arrive transposed one by one, so faces 1 and 2 are swapped. */
TT_INLINE void matmul_address_modes(uint32_t high_fidelity, uint32_t transpose) {
  addr_mod_set(ADDR_MOD_0, (addr_mod_t){.srcb = {.incr = 8}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_1, (addr_mod_t){.srca = {.incr = transpose ? 32u : 16u}, .srcb = {.cr = 1}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_2, (addr_mod_t){.srca = {.cr = 1}, .srcb = {.incr = 32, .cr = 1}, .dest = {.incr = 8}});
  addr_mod_set(
      ADDR_MOD_4,
      (addr_mod_t){.srca = {.incr = transpose ? 16u : 32u, .cr = 1}, .srcb = {.incr = 48, .cr = 1}, .dest = {.cr = 1}});
  addr_mod_set(
      ADDR_MOD_5,
      (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.incr = high_fidelity}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.clr = 1}});
}

/* The address modes of the 16 MVMULs, four bits each, first lowest; the last depends on the next operation. */
#define MATMUL_MODES 0x5010201040102010ull

TT_INLINE void matmul_mop(uint32_t fidelity, uint32_t clear) {
  uint32_t high = fidelity != 0;
  replay_record(REPLAY_MATH, 16);
  for (uint32_t i = 0; i < 15; i++) TT_MVMUL(p_setrwc_CLR_NONE, 0, (uint32_t)(MATMUL_MODES >> (4 * i)) & 7u, 0);
  TT_MVMUL(high ? p_setrwc_CLR_NONE : clear, 0, ADDR_MOD_5, 0);
  mop_template_t mop = {.outer = 1, .inner = fidelity_phases(fidelity), .loop_op0 = replay_insn(REPLAY_MATH, 16)};
  if (high) mop.end_op0 = TT_OP_SETRWC(clear, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  mop_program(&mop);
}

/* Throttled: NOPs between the MVMULs. Slots of half a phase (levels 1 to 3) or a quarter (4, 5) without its last MVMUL,
 * first slot in bit 0; 1 is an MVMUL. MVMULs per slots: 8/11, 8/12, 8/16, 4/10, 4/12. The levels are LLK's. */
TT_INLINE uint32_t throttle_slots(uint32_t level) {
  return level == 1 ? 10 : level == 2 ? 11 : level == 3 ? 15 : level == 4 ? 9 : 11;
}
TT_INLINE uint32_t throttle_pattern(uint32_t level) {
  return level == 1 ? 0x2dbu : level == 2 ? 0x5b5u : level == 3 ? 0x1555u : level == 4 ? 0x49u : 0x49u;
}

TT_INLINE void matmul_mop_throttled(uint32_t fidelity, uint32_t level, uint32_t clear) {
  uint32_t high = fidelity != 0, slots = throttle_slots(level), pattern = throttle_pattern(level), done = 0;
  replay_record(REPLAY_MATH, slots);
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (pattern >> slot & 1) TT_MVMUL(p_setrwc_CLR_NONE, 0, (uint32_t)(MATMUL_MODES >> (4 * done++)) & 7u, 0);
    else TT_PUSH(TT_OP_NOP);
  }
  mop_template_t mop = {.inner = 2, .loop_op0 = replay_insn(REPLAY_MATH, slots)};
  if (level > 3) {
    mop.outer = 2;
    mop.loop_op1 = TT_OP_MVMUL(p_setrwc_CLR_NONE, 0, ADDR_MOD_2, 0);
    mop.last_inner = TT_OP_MVMUL(p_setrwc_CLR_NONE, 0, ADDR_MOD_4, 0);
    mop.last_outer = TT_OP_MVMUL(high ? p_setrwc_CLR_NONE : clear, 0, ADDR_MOD_5, 0);
  } else {
    mop.outer = fidelity_phases(fidelity);
    mop.loop_op1 = TT_OP_MVMUL(p_setrwc_CLR_NONE, 0, ADDR_MOD_4, 0);
    mop.last_inner = TT_OP_MVMUL(p_setrwc_CLR_NONE, 0, ADDR_MOD_5, 0);
    mop.last_outer = TT_OP_MVMUL(clear, 0, high ? ADDR_MOD_6 : ADDR_MOD_5, 0);
  }
  mop_program(&mop);
}

/* The MOP frees the side that changes from tile to tile: SrcA when A (in0, SrcB) is reused along a row, else SrcB. */
TT_INLINE void math_matmul_init_transposed(uint32_t fidelity, uint32_t throttle, uint32_t reuse_a, uint32_t transpose) {
  uint32_t clear = reuse_a ? p_setrwc_CLR_A : p_setrwc_CLR_B;
  KERNEL_CHECK(fidelity == 0 || (fidelity >= 2 && fidelity <= 4), "MATH_FIDELITY is LoFi 0, HiFi2 2, HiFi3 3 or HiFi4 4");
  KERNEL_CHECK(throttle <= MM_THROTTLE_MAX, "MM_THROTTLE is 0 to 5");
  math_check_kind();
  math_setup = SETUP_MATMUL;
  matmul_address_modes(fidelity != 0, transpose);
  if (throttle) matmul_mop_throttled(fidelity, throttle, clear);
  else matmul_mop(fidelity, clear);
  math_reset_counters();
  tt_store(LAUNCH_FIELD(throttle), throttle);
}
TT_INLINE void math_matmul_init(uint32_t fidelity, uint32_t throttle, uint32_t reuse_a) {
  math_matmul_init_transposed(fidelity, throttle, reuse_a, 0);
}

/* One product onto the tile of Dst that begins at `row`; `end`: the reused side is free too. */
TT_INLINE void math_matmul_at(uint32_t row, uint32_t fidelity, uint32_t throttle, uint32_t reuse_a, uint32_t end) {
  TT_PUSH(TT_OP_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 0) + row);
  if (throttle > 3 && fidelity) {
    for (uint32_t phase = 0; phase < fidelity; phase++) mop_run();
    TT_SETRWC(reuse_a ? p_setrwc_CLR_A : p_setrwc_CLR_B, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  } else {
    mop_run();
  }
  if (end) TT_SETRWC(reuse_a ? p_setrwc_CLR_B : p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}

/* The row of Dst at which the tiles from `dst` on begin; `last` is the last of them. */
TT_INLINE uint32_t math_matmul_row(uint32_t dst, uint32_t last) {
  MATH_CHECK_SETUP(SETUP_MATMUL, "matmul", "mm_init, mm_block_init or a short form");
  DST_CHECK_HELD();
  DST_CHECK_TILE(last);
  return dst_base() + 64 * dst;
}

TT_INLINE void math_matmul_tile(uint32_t dst, uint32_t fidelity, uint32_t throttle) {
  math_matmul_at(math_matmul_row(dst, dst), fidelity, throttle, 1, 1);
}

TT_INLINE void math_matmul_block(uint32_t dst, uint32_t fidelity, uint32_t throttle, uint32_t ct, uint32_t rt) {
  uint32_t row = math_matmul_row(dst, dst + ct * rt - 1);
  if (ct >= rt) {
    for (uint32_t t = 0; t < rt; t++)
      for (uint32_t u = 1; u <= ct; u++, row += 64) math_matmul_at(row, fidelity, throttle, 1, u == ct);
  } else {
    for (uint32_t t = 0; t < ct; t++, row += 64)
      for (uint32_t u = 0; u < rt; u++) math_matmul_at(row + 64 * ct * u, fidelity, throttle, 0, u == rt - 1);
  }
}

/* --- eltwise. ISA: ELWADD.md, ELWSUB.md, ELWMUL.md --- */

/* ELWMUL always adds onto Dst; the others do with `onto`. */
TT_INLINE uint32_t eltwise_word(uint32_t type, uint32_t clear, uint32_t broadcast, uint32_t mode, uint32_t onto) {
  uint32_t flags = broadcast == BROADCAST_COL      ? p_elwise_SRCB_BCAST_COL
                   : broadcast == BROADCAST_ROW    ? p_elwise_SRCB_BCAST_ROW
                   : broadcast == BROADCAST_SCALAR ? p_elwise_SRCB_BCAST_ALL
                                                   : p_elwise_SRCB_NO_BCAST;
  return type == ELWADD_TYPE   ? TT_OP_ELWADD(clear, onto, flags, mode, 0)
         : type == ELWSUB_TYPE ? TT_OP_ELWSUB(clear, onto, flags, mode, 0)
                               : TT_OP_ELWMUL(clear, 0, flags, mode, 0);
}

/* Eight instructions of eight rows: SrcA and Dst walk on; SrcB repeats a face pair (column), a row of face 0 or 1 (row), or
 * its corner. */
TT_INLINE void eltwise_address_modes(uint32_t broadcast) {
  uint32_t step = broadcast == BROADCAST_NONE || broadcast == BROADCAST_COL ? 8 : 0;
  uint32_t pair = broadcast == BROADCAST_NONE ? 8 : broadcast == BROADCAST_ROW ? 16 : 0;
  uint32_t half = broadcast == BROADCAST_NONE ? 8 : broadcast == BROADCAST_COL ? 32 : 0;
  uint32_t back = broadcast != BROADCAST_NONE;
  addr_mod_set(ADDR_MOD_0, (addr_mod_t){.srca = {.incr = 8}, .srcb = {.incr = step}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_1, (addr_mod_t){.srca = {.incr = 8},
                                        .srcb = {.incr = pair, .cr = back && broadcast != BROADCAST_ROW},
                                        .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_2, (addr_mod_t){.srca = {.incr = 8}, .srcb = {.incr = half, .cr = back}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_3,
               (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.incr = 1}});
  addr_mod_set(ADDR_MOD_4, (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.clr = 1}});
}

#define EIGHT_STEP_MODES \
  0x0102010u /* address modes of the first seven steps, four bits each; the eighth step ends the phase */

TT_INLINE void math_eltwise_init(uint32_t type, uint32_t broadcast, uint32_t fidelity, uint32_t onto) {
  uint32_t phases =
      type == ELWMUL_TYPE ? fidelity_phases(fidelity) : 1; /* add and subtract take whole operands in one phase */
  math_check_kind();
  math_setup = SETUP_ELTWISE;
  eltwise_address_modes(broadcast);
  replay_record(REPLAY_MATH, 7);
  for (uint32_t i = 0; i < 7; i++)
    TT_PUSH(eltwise_word(type, p_setrwc_CLR_NONE, broadcast, EIGHT_STEP_MODES >> (4 * i) & 7u, onto));
  mop_template_t mop = {.outer = phases, .inner = 1, .loop_op0 = replay_insn(REPLAY_MATH, 7)};
  mop.loop_op1 = mop.last_inner = eltwise_word(type, p_setrwc_CLR_NONE, broadcast, ADDR_MOD_3, onto);
  mop.last_outer = eltwise_word(type, p_setrwc_CLR_AB, broadcast, ADDR_MOD_4, onto);
  mop_program(&mop);
  math_reset_counters();
}

TT_INLINE void math_check_eltwise(void) {
  MATH_CHECK_SETUP(SETUP_ELTWISE, "add, sub, mul or a broadcast",
                   "add_tiles_init, sub_tiles_init, mul_tiles_init or the broadcast's");
}
TT_INLINE void math_eltwise_tile(uint32_t dst) {
  math_check_eltwise();
  math_set_dst_tile(dst);
  mop_run();
}

/* The tile of Dst replaces SrcA (or SrcB), whose bank the unpack core hands over empty; then the operation runs as usual.
 * MOVD2A and MOVD2B truncate 32-bit numbers to TF32. A product adds onto Dst, so its tile is cleared. ISA: MOVD2A.md,
 * MOVD2B.md, ZEROACC.md */
TT_INLINE void math_eltwise_reuse_tile(uint32_t type, uint32_t to_srcb, uint32_t dst) {
  math_check_eltwise();
  math_set_dst_tile(dst);
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_MATH | p_stall_WAIT_SFPU | p_stall_SRCA_VLD | p_stall_SRCB_VLD);
  for (uint32_t row = 0; row < 64; row += 4) {
    if (to_srcb) TT_MOVD2B(0, row, ADDR_MOD_7, p_movd2b_MOV_4_ROWS, row);
    else TT_MOVD2A(0, row, ADDR_MOD_7, p_movd2a_MOV_4_ROWS, row);
  }
  for (uint32_t face = 0; face < 4 && type == ELWMUL_TYPE; face++)
    TT_ZEROACC(p_zeroacc_CLR_16, DST_ACCUM_MODE, 0, ADDR_MOD_7,
               (4 * dst + face) & (DST_ACCUM_MODE ? 15u : 31u)); /* it adds the half itself */
  mop_run();
}

/* --- copy and transpose: SrcA to Dst. ISA: MOVA2D.md. With a 32-bit Dst through ELWADD, as the unpack core adds a SrcB of
 * zeros --- */

TT_INLINE uint32_t copy_word(uint32_t last, uint32_t accumulate, uint32_t mode) {
  if (DST_ACCUM_MODE) return TT_OP_ELWADD(last ? p_setrwc_CLR_AB : p_setrwc_CLR_NONE, accumulate, 0, mode, 0);
  return TT_OP_MOVA2D(0, 0, mode, p_mova2d_MOV_8_ROWS, 0);
}

/* UINT16 by single moves: around them. */
static __attribute__((noinline, unused)) void math_keep_zero_exponents(uint32_t on) {
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH);
  cfg_rmw(ALU_ACC_CTRL_Zero_Flag_disabled_src_RMW, on);
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_CFGEXU);
}

/* UINT16: the low byte is where floats have their exponent, and a number without one would become 0. The slots hold the eight moves between
 * the two changes of the flag. Not inlined: few kernels need it. ISA: MOVA2D.md, ALU_ACC_CTRL_Zero_Flag_disabled_src */
static __attribute__((noinline, unused)) void math_copy_opaque_mop(void) {
  replay_record(REPLAY_MATH, 14);
  TT_PUSH(TT_OP_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH));
  cfg_rmw(ALU_ACC_CTRL_Zero_Flag_disabled_src_RMW, 1);
  TT_PUSH(TT_OP_STALLWAIT(p_stall_STALL_MATH, p_stall_CFGEXU));
  for (uint32_t i = 0; i < 8; i++)
    TT_PUSH(TT_OP_MOVA2D(0, 0, i == 7 ? (uint32_t)ADDR_MOD_4 : EIGHT_STEP_MODES >> (4 * i) & 7u, p_mova2d_MOV_8_ROWS, 0));
  TT_PUSH(TT_OP_SETRWC(p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F));
  TT_PUSH(TT_OP_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH));
  cfg_rmw(ALU_ACC_CTRL_Zero_Flag_disabled_src_RMW, 0);
  mop_template_t mop = {.outer = 1, .inner = 1, .loop_op0 = replay_insn(REPLAY_MATH, 14)};
  mop_program(&mop);
}

/* `rows` (1 or 8) rows of UINT16 from SrcA row `from` on, to row `to` of tile `dst` of a 32-bit Dst: into the lower halves, and as 16-bit rows
 * (Dst.md) into the upper ones. ISA: MOVA2D.md (dest_32b_lo) */
TT_INLINE void math_move_uint16(uint32_t dst, uint32_t from, uint32_t to, uint32_t rows) {
  uint32_t mode = rows == 8 ? p_mova2d_MOV_8_ROWS : p_mova2d_MOV_1_ROW;
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_base() + 64 * dst);
  TT_MOVA2D(1, from, ADDR_MOD_7, mode, to);
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 2 * (dst_base() + 64 * dst));
  TT_MOVA2D(0, from, ADDR_MOD_7, mode, 2 * (to & ~7u) + (to & 7u));
}

/* How copies move: by the MOP, or UINT16 into a 32-bit Dst. */
enum { COPY_BY_MOP, COPY_UINT16, COPY_UINT16_TRANSPOSED };
static uint32_t math_copy_way __attribute__((unused));
static __attribute__((noinline, unused)) void math_copy_uint16_32b(uint32_t dst) {
  math_keep_zero_exponents(1);
  for (uint32_t row = 0; row < 64; row += 8) {
    uint32_t face = row / 16, other = face == 1 ? 2 : face == 2 ? 1 : face;
    math_move_uint16(dst, (math_copy_way == COPY_UINT16_TRANSPOSED ? other : face) * 16 + row % 16, row, 8);
  }
  TTI_SETRWC(p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  math_keep_zero_exponents(0);
}

/* transpose: the faces arrive transposed; faces 1 and 2 are swapped. accumulate: a copy accumulates onto Dst (32 bits). */
static __attribute__((noinline, unused)) void math_copy_init(uint32_t transpose, uint32_t accumulate) {
  math_setup = SETUP_COPY;
  if (DST_ACCUM_MODE && math_dst_is_int == DST_UINT16) {
    addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
    math_reset_counters();
    math_copy_way = transpose ? COPY_UINT16_TRANSPOSED : COPY_UINT16;
    return;
  }
  math_copy_way = COPY_BY_MOP;
  addr_mod_set(ADDR_MOD_0, (addr_mod_t){.srca = {.incr = 8}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_1, (addr_mod_t){.srca = {.incr = transpose ? 32u : 8u, .cr = transpose}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_2, (addr_mod_t){.srca = {.incr = transpose ? 48u : 8u, .cr = transpose}, .dest = {.incr = 8}});
  addr_mod_set(ADDR_MOD_4, (addr_mod_t){.srca = {.clr = 1}, .srcb = {.clr = 1}, .dest = {.clr = 1}, .fidelity = {.clr = 1}});
  if (math_dst_is_int == DST_UINT16) {
    math_copy_opaque_mop();
    math_reset_counters();
    return;
  }
  replay_record(REPLAY_MATH, 7);
  for (uint32_t i = 0; i < 7; i++) TT_PUSH(copy_word(0, accumulate, EIGHT_STEP_MODES >> (4 * i) & 7u));
  mop_template_t mop = {
      .outer = 1, .inner = 1, .loop_op0 = replay_insn(REPLAY_MATH, 7), .loop_op1 = copy_word(1, accumulate, ADDR_MOD_4)};
  if (!DST_ACCUM_MODE) mop.end_op0 = TT_OP_SETRWC(p_setrwc_CLR_A, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
  mop_program(&mop);
  math_reset_counters();
}

TT_INLINE void math_copy_tile(uint32_t dst) {
  MATH_CHECK_SETUP(SETUP_COPY, "a copy or transpose", "copy_tile_init or transpose_wh_init");
  math_set_dst_tile(dst);
  if (DST_ACCUM_MODE && math_copy_way != COPY_BY_MOP) math_copy_uint16_32b(dst);
  else mop_run();
}

#endif
#endif
