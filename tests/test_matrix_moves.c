/* MOVA2D, MOVB2D, MOVD2A, MOVD2B, MOVB2A, MOVDBGA2D, MOVDBGB2D: every mode, row and bit, from the pages. Modes that no
 * conformance case reaches: one-row forms (but MOVD2B's), MOVB2D 0, 1, 6, 7, MOVD2A with dest_32b_lo or FP16 in the
 * 32-bit view, the MOVDBG forms, BLOCK_DEST_MOV, FP16A_FORCE. */
#include "dst_rows.h"
#include "matrix_rig.h"

/* Bit by bit, as the pages define it: Src s | mantissa 10 | exponent 8; Dst s | mantissa 7 | exponent 8 or s | 10 | 5. */
static uint32_t field(uint32_t x, unsigned lo, unsigned width) { return x >> lo & ((1u << width) - 1u); }

static uint32_t to_dst16(uint32_t src, bool exp8) {
  uint32_t s = field(src, 18, 1), m = field(src, 8, 10), e = field(src, 0, 8);
  return exp8 ? s << 15 | m >> 3 << 8 | e : s << 15 | m << 5 | (e & 31);
}

static uint32_t to_src(uint32_t dst16, bool exp8) {
  uint32_t s = field(dst16, 15, 1);
  return exp8 ? s << 18 | field(dst16, 8, 7) << 11 | field(dst16, 0, 8)
              : s << 18 | field(dst16, 5, 10) << 8 | field(dst16, 0, 5);
}

static const unsigned exp8_formats[] = {NUM_FP32, NUM_BF16, NUM_BFP8, NUM_BFP4, NUM_BFP2, NUM_INT32, NUM_INT16};
static const unsigned exp5_formats[] = {NUM_FP16, NUM_FP8, NUM_BFP8A, NUM_BFP4A, NUM_BFP2A, NUM_INT8};

static void fill_both(void) {
  for (unsigned which = 0; which < 2; which++)
    for (unsigned bank = 0; bank < 2; bank++) rig_fill((enum tx_src_which)which, bank, 0x7ffff);
  for (unsigned which = 0; which < 2; which++)
    for (unsigned r = 0; r < 64; r++) rig->src.bank[which][0].datum[r][r % 16] &= 0x7ff00u; /* some zero exponents */
}

static uint32_t flushed(uint32_t x, bool flush) { return flush && (x & 0xff) == 0 ? 0 : x; }

static uint32_t kept(uint32_t x, unsigned format) {
  for (unsigned i = 0; i < 6; i++)
    if (exp5_formats[i] == format) return x & 0x7ff1fu;
  return format == NUM_TF32 ? x : x & 0x7f8ffu;
}

static void expect_only_rows(unsigned first, unsigned count, bool wide) {
  unsigned valid = 0;
  for (unsigned r = 0; r < 1024; r++) valid += rig->dst.valid[r] != 0;
  assert_int_equal(valid, count);
  for (unsigned r = 0; r < count; r++) assert_true(tx_dst_row_valid(rig, first + r, wide));
}

/* --- MOVA2D and MOVDBGA2D --- */

enum { FLUSH = 1, DEBUG = 2, ALIGNED = 4 }; /* rows that are multiples of eight */

static void run_mova2d(unsigned format, bool exp8, unsigned mode, unsigned flags, const struct num_fpu_ops *ops) {
  const bool flush = flags & FLUSH, debug = flags & DEBUG;
  const unsigned off = flags & ALIGNED ? 0 : 5;
  rig_reset(format);
  rig->unsaved.matrix.ops = ops;
  fill_both();
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, !flush);
  THREAD_CONFIG(2, DEST_TARGET_REG_CFG_MATH_Offset, 512);
  THREAD_CONFIG(2, ADDR_MOD_DST_SEC6_DestIncr, 9);
  rig->rwc[2].srca = (uint8_t)(48 + off);
  rig->rwc[2].dst = (uint16_t)(12 + off);
  if (debug) rig->src.bank[TX_SRCA][0].owner = TX_CLIENT_UNPACKERS; /* reads all the same */
  rig_exec(2, (debug ? OP(MOVDBGA2D) : OP(MOVA2D)) | TX_PUT(MOVA2D, src, 16) | TX_PUT(MOVA2D, instr_mod, mode) |
                  TX_PUT(MOVA2D, addr_mode, 6) | TX_PUT(MOVA2D, dst, 20));
  bool eight = mode & 2u, wide = format == NUM_TF32;
  unsigned src = (48 + off + 16) % 64, dst = 512 + 12 + off + 20, count = eight ? 8 : 1;
  if (eight) src &= 0x38, dst &= 0x3f8;
  for (unsigned r = 0; r < count; r++)
    for (unsigned c = 0; c < 16; c++) {
      uint32_t x = flushed(rig->src.bank[TX_SRCA][0].datum[src + r][c], flush), row[16];
      dst_read_row(rig, dst + r, wide, 0, row);
      uint32_t low = wide ? field(x, 8, 3) << 13 : 0;
      assert_int_equal(row[c], wide ? to_dst16(x, true) << 16 | low : to_dst16(x, exp8));
    }
  expect_only_rows(dst, count, wide);
  assert_int_equal(rig->rwc[2].dst, 21 + off);
}

static void test_mova2d(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 4; mode++)
    for (unsigned flags = 0; flags < 8; flags++)
      for (size_t n = 0; num_fpu_nth(n); n++) {
        for (unsigned i = 0; i < 7; i++) run_mova2d(exp8_formats[i], true, mode, flags, num_fpu_nth(n));
        for (unsigned i = 0; i < 6; i++) run_mova2d(exp5_formats[i], false, mode, flags, num_fpu_nth(n));
        run_mova2d(NUM_TF32, true, mode, flags, num_fpu_nth(n));
      }
}

/* A pair of moves makes 32 bits out of twice 16: TF32 for the high half, then dest_32b_lo. */
static void test_low_half(void **state) {
  (void)state;
  for (unsigned which = 0; which < 2; which++) {
    for (unsigned exp8 = 0; exp8 < 2; exp8++) {
      rig_reset(NUM_TF32);
      fill_both();
      CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
      uint32_t move = which ? OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 4) : OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 2);
      unsigned rows = which ? 4 : 8, format = exp8 ? NUM_BF16 : NUM_FP16;
      rig_exec(0, move);
      uint32_t high[16], row[16];
      dst_read_row(rig, 1, true, 0, high);
      rig->src.bank[which][0].format = (uint8_t)format;
      rig_exec(0, move | 1u << 23 | 8u << 17); /* dest_32b_lo, src 8 */
      dst_read_row(rig, 1, true, 0, row);
      for (unsigned c = 0; c < 16; c++) {
        uint32_t x = rig->src.bank[which][0].datum[9][c];
        if (which) x = kept(x, format);
        assert_int_equal(row[c], (high[c] & 0xffff0000u) | to_dst16(x, exp8));
      }
      memset(rig->dst.valid, 0, sizeof rig->dst.valid); /* over an undefined row the high half is 0 */
      rig_exec(0, move | 1u << 23);
      dst_read_row(rig, rows - 1, true, 0xdead, row);
      for (unsigned c = 0; c < 16; c++) assert_int_equal(row[c] >> 16, 0);
    }
    rig_reset(NUM_TF32);
    rig_exec(0, (which ? OP(MOVB2D) : OP(MOVA2D)) | 1u << 23);
    assert_int_equal(rig->fault.kind, SIM_FAULT_UNDEFINED);
    assert_non_null(strstr(rig->fault.why, "TEN-4245"));
  }
}

/* --- MOVB2D and MOVDBGB2D --- */

static void run_movb2d(unsigned format, bool exp8, unsigned mode, bool flush, bool debug) {
  rig_reset(format);
  fill_both();
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, !flush);
  rig->rwc[0].srcb = 29;
  rig->rwc[0].dst = 7;
  if (debug) rig->src.bank[TX_SRCB][0].owner = TX_CLIENT_UNPACKERS;
  rig_exec(0, (debug ? OP(MOVDBGB2D) : OP(MOVB2D)) | TX_PUT(MOVB2D, src, 5) | TX_PUT(MOVB2D, movb2d_instr_mod, mode) |
                  TX_PUT(MOVB2D, dst, 102));
  bool one_to_eight = mode & 2u, four = !one_to_eight && (mode & 4u), column0 = mode & 1u, wide = format == NUM_TF32;
  unsigned src = 34, dst = 109, count = one_to_eight ? 8 : four ? 4 : 1;
  if (one_to_eight) dst &= 0x3f8;
  if (four) src &= 0x3c, dst &= 0x3fc;
  for (unsigned r = 0; r < count; r++)
    for (unsigned c = 0; c < 16; c++) {
      uint32_t x = rig->src.bank[TX_SRCB][0].datum[one_to_eight ? src : src + r][column0 ? 0 : c], row[16];
      x = kept(flushed(x, flush), format);
      dst_read_row(rig, dst + r, wide, 0, row);
      assert_int_equal(row[c], wide ? to_dst16(x, true) << 16 | field(x, 8, 3) << 13 : to_dst16(x, exp8));
    }
  expect_only_rows(dst, count, wide);
}

static void test_movb2d(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 8; mode++)
    for (unsigned flags = 0; flags < 4; flags++) {
      for (unsigned i = 0; i < 7; i++) run_movb2d(exp8_formats[i], true, mode, flags & 1u, flags & 2u);
      for (unsigned i = 0; i < 6; i++) run_movb2d(exp5_formats[i], false, mode, flags & 1u, flags & 2u);
      run_movb2d(NUM_TF32, true, mode, flags & 1u, flags & 2u);
    }
}

/* The style comes from "SrcA's" format, the bits used from SrcB's own; they differ when formats are configured. */
static void test_movb2d_two_formats(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  fill_both();
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
  THREAD_CONFIG(0, DISABLE_IMPLIED_SRCA_FMT_Base, 1);
  CONFIG(ALU_FORMAT_SPEC_REG0_SrcA, NUM_TF32);
  rig_exec(0, OP(MOVB2D));
  uint32_t row[16];
  dst_read_row(rig, 0, true, 0, row);
  for (unsigned c = 0; c < 16; c++) /* 32-bit view by TF32, but the low mantissa bits dropped by BF16 */
    assert_int_equal(row[c], to_dst16(rig->src.bank[TX_SRCB][0].datum[0][c], true) << 16);
}

/* Golden model: a configured SrcB format other than FP16 and TF32 drops the low three mantissa bits in every style. */
static void test_movb2d_configured_srcb(void **state) {
  (void)state;
  for (uint32_t format = 0; format < 16; format++) {
    if (format == 12 || format == 13) continue;
    for (unsigned style = 0; style < 2; style++) {
      rig_reset(style ? NUM_FP16 : NUM_BF16);
      fill_both();
      CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
      THREAD_CONFIG(0, DISABLE_IMPLIED_SRCB_FMT_Base, 1);
      CONFIG(ALU_FORMAT_SPEC_REG1_SrcB, format);
      rig_exec(0, OP(MOVB2D));
      uint32_t row[16], mask = format == NUM_FP16 ? 0x7ff1fu : format == NUM_TF32 ? 0x7ffffu : 0x7f8ffu;
      dst_read_row(rig, 0, false, 0, row);
      for (unsigned c = 0; c < 16; c++)
        assert_int_equal(row[c], to_dst16(rig->src.bank[TX_SRCB][0].datum[0][c] & mask, !style));
    }
  }
}

/* --- MOVD2A, MOVD2B --- */

static uint32_t dst_bits[1024][16];

static void fill_dst(bool wide) {
  for (unsigned r = 0; r < 1024; r++) {
    for (unsigned c = 0; c < 16; c++) dst_bits[r][c] = rig_random32() & (wide ? 0xffffffffu : 0xffffu);
    if (!wide || r < 512) dst_write_row(rig, r, wide, dst_bits[r]);
  }
}

static uint32_t expected_datum(uint32_t x, unsigned format, bool exp8, bool wide, bool low) {
  if (!wide) return to_src(x, exp8);
  if (format == NUM_TF32) return low ? x & 0x1fff : to_src(x >> 16, true) | field(x, 13, 3) << 8;
  return to_src(low ? x & 0xffff : x >> 16, exp8);
}

static void run_from_dst(unsigned which, unsigned format, bool exp8, unsigned mode, bool wide, bool low, bool by_int8) {
  rig_reset(format);
  fill_both();
  fill_dst(wide);
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide && !by_int8);
  CONFIG(ALU_ACC_CTRL_INT8_math_enabled, wide && by_int8);
  rig->rwc[1].srca = rig->rwc[1].srcb = 37;
  rig->rwc[1].dst = 30;
  struct tx_src before = rig->src;
  rig_exec(1, (which ? OP(MOVD2B) : OP(MOVD2A)) | TX_PUT(MOVD2A, dest_32b_lo, low) | TX_PUT(MOVD2A, src, 6) |
                  TX_PUT(MOVD2A, instr_mod, mode) | TX_PUT(MOVD2A, dst, 77));
  bool four = mode & 2u;
  unsigned src = four ? 43 & 0x3c : 43, dst = four ? 107 & 0x3fc : 107, count = four ? 4 : 1;
  for (unsigned r = 0; r < 64; r++)
    for (unsigned c = 0; c < 16; c++) {
      bool mine = r >= src && r < src + count;
      uint32_t want =
          mine ? expected_datum(dst_bits[dst + r - src][c], format, exp8, wide, low) : before.bank[which][0].datum[r][c];
      assert_int_equal(rig->src.bank[which][0].datum[r][c], want);
    }
  assert_int_not_equal(rig->src.bank[which][0].version, before.bank[which][0].version);
  assert_int_equal(rig->fault.kind, SIM_FAULT_NONE);
}

static void test_from_dst(void **state) {
  (void)state;
  for (unsigned which = 0; which < 2; which++)
    for (unsigned mode = 0; mode < 4; mode++) {
      for (unsigned i = 0; i < 7; i++) {
        run_from_dst(which, exp8_formats[i], true, mode, false, false, false);
        run_from_dst(which, exp8_formats[i], true, mode, true, i & 1u, i & 2u);
      }
      for (unsigned i = 0; i < 6; i++) {
        run_from_dst(which, exp5_formats[i], false, mode, false, false, false);
        run_from_dst(which, exp5_formats[i], false, mode, true, i & 1u, i & 2u);
      }
      run_from_dst(which, NUM_TF32, true, mode, true, false, false);
      run_from_dst(which, NUM_TF32, true, mode, true, true, false);
    }
}

static void test_from_dst_undefined(void **state) {
  (void)state;
  for (unsigned which = 0; which < 2; which++) {
    uint32_t opcode = which ? OP(MOVD2B) : OP(MOVD2A);
    rig_reset(NUM_TF32);
    rig_exec(0, opcode);
    assert_int_equal(rig->fault.kind, SIM_FAULT_UNDEFINED); /* TF32 needs 32 bits */
    rig_reset(NUM_BF16);
    rig_exec(0, opcode | TX_PUT(MOVD2A, dest_32b_lo, 1));
    assert_int_equal(rig->fault.kind, SIM_FAULT_UNDEFINED);
    rig_reset(NUM_BF16); /* an undefined row moves as zero */
    fill_both();
    rig_exec(0, opcode);
    for (unsigned c = 0; c < 16; c++) assert_int_equal(rig->src.bank[which][0].datum[0][c], 0);
  }
}

/* --- MOVB2A --- */

static void test_movb2a(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 4; mode++)
    for (unsigned flush = 0; flush < 2; flush++) {
      rig_reset(NUM_TF32);
      fill_both();
      CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, !flush);
      rig->rwc[0].srca = 20;
      rig->rwc[0].srcb = 9;
      struct tx_src before = rig->src;
      rig_exec(0, OP(MOVB2A) | TX_PUT(MOVB2A, srca, 50) | TX_PUT(MOVB2A, srcb, 6) | TX_PUT(MOVB2A, instr_mod, mode));
      bool four = mode & 2u;
      unsigned to = four ? 6 & 0x3c : 6, from = four ? 15 & 0x3c : 15, count = four ? 4 : 1;
      for (unsigned r = 0; r < 64; r++)
        for (unsigned c = 0; c < 16; c++) {
          bool mine = r >= to && r < to + count;
          uint32_t want =
              mine ? flushed(before.bank[TX_SRCB][0].datum[from + r - to][c], flush) : before.bank[TX_SRCA][0].datum[r][c];
          assert_int_equal(rig->src.bank[TX_SRCA][0].datum[r][c], want);
        }
    }
}

/* --- common --- */

static void test_fp16a_force(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  fill_both();
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
  THREAD_CONFIG(0, FP16A_FORCE_Enable, 1);
  rig_exec(0, OP(MOVA2D));
  uint32_t row[16];
  dst_read_row(rig, 0, false, 0, row);
  for (unsigned c = 0; c < 16; c++) assert_int_equal(row[c], to_dst16(rig->src.bank[TX_SRCA][0].datum[0][c], false));
  rig_exec(0, OP(MOVD2A) | TX_PUT(MOVD2A, src, 5)); /* 16-bit view in spite of Fp32_enabled */
  for (unsigned c = 0; c < 16; c++) assert_int_equal(rig->src.bank[TX_SRCA][0].datum[5][c], to_src(row[c], false));
}

/* LaneConfig.BLOCK_DEST_MOV: two bits per pair of columns exclude them from moves. */
static void test_blocked_columns(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  fill_both();
  fill_dst(false);
  for (unsigned i = 0; i < 8; i++) rig->vector.lane_config[i] = (i & 3u) << 9;
  rig->vector.config_any = 3u << 9; /* as SFPCONFIG leaves it */
  struct tx_src before = rig->src;
  rig_exec(0, OP(MOVA2D) | TX_PUT(MOVA2D, dst, 3));
  rig_exec(0, OP(MOVD2B) | TX_PUT(MOVD2B, dst, 9));
  rig_exec(0, OP(MOVB2A) | TX_PUT(MOVB2A, srca, 7) | TX_PUT(MOVB2A, srcb, 2));
  for (unsigned c = 0; c < 16; c++) {
    bool blocked = (c / 2 & 3u) >> (c & 1u) & 1u;
    uint32_t a = before.bank[TX_SRCA][0].datum[0][c], b = before.bank[TX_SRCB][0].datum[0][c];
    assert_int_equal(rig->dst.bits[3][c], blocked ? dst_bits[3][c] : to_dst16(flushed(a, true), true));
    assert_int_equal(rig->src.bank[TX_SRCB][0].datum[0][c], blocked ? b : to_src(dst_bits[9][c], true));
    a = before.bank[TX_SRCA][0].datum[7][c], b = before.bank[TX_SRCB][0].datum[2][c];
    assert_int_equal(rig->src.bank[TX_SRCA][0].datum[7][c], blocked ? a : flushed(b, true));
  }
}

/* SrcASrcB.md: INT16 is opaque when Zero_Flag_disabled_src is set: any 16 bits survive SrcA to Dst and Dst to SrcB. */
static void test_int16_is_opaque(void **state) {
  (void)state;
  rig_reset(NUM_INT16);
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
  for (uint32_t base = 0; base < 0x10000; base += 16) {
    for (uint32_t c = 0; c < 16; c++) rig->src.bank[TX_SRCA][0].datum[0][c] = to_src(base + c, true);
    rig_exec_only(0, OP(MOVA2D));
    rig_exec_only(0, OP(MOVD2B));
    for (uint32_t c = 0; c < 16; c++) {
      assert_int_equal(rig->dst.bits[0][c], base + c);
      assert_int_equal(rig->src.bank[TX_SRCB][0].datum[0][c], to_src(base + c, true));
    }
  }
}

/* MOVB2D.md: a format other than TF32 writes rows of the 16-bit view, also while the arithmetic is in 32 bits. 64 rows of it are 32 of
 * the 32-bit view, and the second half of a tile there stays unchanged. */
static void test_movb2d_row_broadcast_into_32_bits(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  fill_both();
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
  for (unsigned row = 0; row < 64; row += 8)
    rig_exec(0, OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 2) | TX_PUT(MOVB2D, dst, row));
  expect_only_rows(0, 64, false);
  for (unsigned row = 0; row < 64; row++) {
    bool written = row < 32;
    unsigned high = (row & 0x38u) << 1 | (row & 7u); /* Dst.md, Adj32 */
    for (unsigned c = 0; c < 16; c++)
      if (written)
        assert_int_equal(rig->dst.bits[high][c], to_dst16(rig->src.bank[TX_SRCB][0].datum[0][c] & 0x7f8ffu, true));
    assert_int_equal(rig->dst.valid[high] != 0, written);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mova2d),
      cmocka_unit_test(test_low_half),
      cmocka_unit_test(test_movb2d),
      cmocka_unit_test(test_movb2d_row_broadcast_into_32_bits),
      cmocka_unit_test(test_movb2d_two_formats),
      cmocka_unit_test(test_movb2d_configured_srcb),
      cmocka_unit_test(test_from_dst),
      cmocka_unit_test(test_from_dst_undefined),
      cmocka_unit_test(test_movb2a),
      cmocka_unit_test(test_fp16a_force),
      cmocka_unit_test(test_blocked_columns),
      cmocka_unit_test(test_int16_is_opaque),
  };
  return cmocka_run_group_tests(tests, rig_new, rig_free);
}
