/* Arithmetic and control instructions of the matrix unit, every documented mode: rows, formats, banks, valid rows.
 *
 * Values are tested in test_matrix_num.c; this test selects operands and rows itself, from the pages, and computes single elements with the
 * scalar reference. Modes that no conformance case reaches: MVMUL broadcast, DOTPV, GMPOOL
 * with FP16, INT8, scale and argmax, ZEROSRC of the unpackers' bank and with -infinity, SHIFTXA, SHIFTXB, CLEARDVALID
 * keeping its bank, Dst remap and swizzle, FP16A_FORCE, the configured and overridden formats. */
#include "dst_rows.h"
#include "matrix_rig.h"

static uint32_t dst_value(unsigned row, unsigned column, enum num_fpu_dst format) {
  bool wide = format == NUM_FPU_DST_FP32 || format == NUM_FPU_DST_INT32;
  uint32_t bits[16];
  dst_read_row(rig, row, wide, 0, bits);
  return wide ? num_fpu_load(bits[column] >> 16, bits[column] & 0xffff, format) : num_fpu_load(bits[column], 0, format);
}

static struct num_fpu_mode mode_of(uint32_t mask, bool exp8, enum num_fpu_dst dst, uint32_t phase) {
  struct num_fpu_mode m = {.mask_a = mask, .mask_b = mask, .dst = dst, .phase = phase, .exp8 = exp8};
  m.bias = num_fpu_bias(&m);
  return m;
}

static const struct num_fpu_mode *bf16_mode(void) {
  static struct num_fpu_mode m;
  m = mode_of(NUM_FPU_SRC_BF16, true, NUM_FPU_DST_BF16, 0);
  return &m;
}

/* One element of SrcB x SrcA by the reference. */
static uint32_t dot_of(unsigned row_b, unsigned row_a, unsigned column, uint32_t dst, const struct num_fpu_mode *m) {
  uint32_t a[16];
  for (unsigned k = 0; k < 16; k++)
    a[k] = rig->src.bank[TX_SRCA][rig->src.matrix_bank[TX_SRCA]].datum[(row_a + k) & 63][column];
  return num_fpu_dot(a, rig->src.bank[TX_SRCB][rig->src.matrix_bank[TX_SRCB]].datum[row_b], dst, m);
}

/* --- rows --- */

/* A card rounds the row of SrcA down to 16: boopdotpng/blackhole-py, its FPU tests (errata.md A27). */
static void test_mvmul_rows(void **state) {
  (void)state;
  for (unsigned i = 0; i < 200; i++) {
    rig_reset(NUM_BF16);
    rig_fill_near_one(127);
    unsigned thread = i % 3;
    unsigned a = rig_random32() % 64, b = rig_random32() % 64, d = rig_random32() & 1023, field = rig_random32() & 1023,
             offset = rig_random32() & 1023;
    rig->rwc[thread].srca = (uint8_t)a;
    rig->rwc[thread].srcb = (uint8_t)b;
    rig->rwc[thread].dst = (uint16_t)d;
    THREAD_CONFIG(thread, DEST_TARGET_REG_CFG_MATH_Offset, offset);
    uint32_t opcode = i & 1u ? OP(MVMUL) : OP(DOTPV);
    rig_exec(thread, opcode | TX_PUT(MVMUL, dst, field));
    unsigned row = (d + field + offset) & 0x3f8;
    for (unsigned r = 0; r < 1024; r++) {
      bool mine = r >= row && r < row + 8;
      assert_int_equal(rig->dst.valid[r] != 0, mine);
      for (unsigned c = 0; mine && c < 16; c += 5)
        assert_int_equal(dst_value(r, c, NUM_FPU_DST_BF16), dot_of((b & 0x38) + r - row, a & 0x30, c, 0, bf16_mode()));
    }
  }
}

/* MVMUL.md: the one row goes to rows 0, 2, 4, 6 of Dst & 0x3f9; the others are not written. */
static void test_mvmul_broadcast(void **state) {
  (void)state;
  for (unsigned row = 0; row < 16; row++) {
    rig_reset(NUM_BF16);
    rig_fill_near_one(127);
    rig->rwc[0].srcb = (uint8_t)(row * 5 % 64);
    rig_exec(0, OP(MVMUL) | TX_PUT(MVMUL, instr_mod19, 1) | TX_PUT(MVMUL, dst, 64 + row));
    unsigned first = (64 + row) & 0x3f9;
    for (unsigned r = 60; r < 90; r++) {
      bool mine = r >= first && r < first + 7 && (r - first) % 2 == 0;
      assert_int_equal(rig->dst.valid[r] != 0, mine);
      if (mine) assert_int_equal(dst_value(r, 3, NUM_FPU_DST_BF16), dot_of(row * 5 % 64, 0, 3, 0, bf16_mode()));
    }
    assert_int_equal(rig_found(TX_DIAG_UNTESTED_MODE), 1);
  }
}

static void test_gapool_rows(void **state) {
  (void)state;
  static const uint8_t rows_a[] = {0, 8, 15, 32, 40, 63};
  for (unsigned i = 0; i < sizeof rows_a; i++) {
    rig_reset(NUM_BF16);
    rig_fill_near_one(127);
    rig->rwc[1].srcb = 0x2c; /* top half of the aligned eight: row 0x28 */
    rig->rwc[1].srca = rows_a[i];
    rig_exec(1, OP(GAPOOL) | TX_PUT(GAPOOL, instr_mod19, 1) | TX_PUT(GAPOOL, dst, 20));
    for (unsigned r = 0; r < 64; r++) {
      assert_int_equal(rig->dst.valid[r] != 0, r >= 20 && r < 24);
      if (r < 20 || r >= 24) continue;
      assert_int_equal(dst_value(r, 9, NUM_FPU_DST_BF16), dot_of(0x28 + r - 20, rows_a[i] & 0x30u, 9, 0, bf16_mode()));
    }
  }
}

static void test_elementwise_broadcast(void **state) {
  (void)state;
  static const uint32_t opcodes[] = {OP(ELWMUL), OP(ELWADD), OP(ELWSUB)};
  for (unsigned i = 0; i < 24; i++) {
    unsigned broadcast = i % 4, op = i / 4 % 3, accumulate = op == 0 || i / 12;
    rig_reset(NUM_BF16);
    rig_fill_near_one(127);
    rig->rwc[2].srca = 24;
    rig->rwc[2].srcb = broadcast & 2 ? 43 : 40;
    rig_exec(2, OP(MVMUL) | TX_PUT(MVMUL, dst, 8)); /* a value to accumulate onto */
    uint32_t before[8][16];
    for (unsigned r = 0; r < 8; r++)
      for (unsigned c = 0; c < 16; c++) before[r][c] = dst_value(8 + r, c, NUM_FPU_DST_BF16);
    rig_exec(2, opcodes[op] | TX_PUT(ELWADD, instr_mod19, broadcast) | TX_PUT(ELWADD, dest_accum_en, op != 0 && accumulate) |
                    TX_PUT(ELWADD, dst, 8));
    for (unsigned r = 0; r < 8; r++)
      for (unsigned c = 0; c < 16; c++) {
        uint32_t a = rig->src.bank[TX_SRCA][0].datum[24 + r][c];
        uint32_t b = rig->src.bank[TX_SRCB][0].datum[broadcast & 2 ? 43 : 40 + r][broadcast & 1 ? 0 : c];
        uint32_t old = accumulate ? before[r][c] : 0;
        uint32_t want = op == 0 ? num_fpu_mul(a, b, old, bf16_mode()) : num_fpu_add(a, b, op == 2, old, bf16_mode());
        assert_int_equal(dst_value(8 + r, c, NUM_FPU_DST_BF16), want);
      }
  }
}

/* --- formats and styles --- */

/* Identifies the mode of an MVMUL by its result: computes the result in every mode and expects exactly the given one. */
static void expect_mode(uint32_t mask_a, uint32_t mask_b, bool exp8, enum num_fpu_dst dst, uint32_t phase) {
  memset(rig->dst.valid, 0, sizeof rig->dst.valid);
  rig_exec(0, OP(MVMUL));
  struct num_fpu_mode m = mode_of(mask_a, exp8, dst, phase);
  m.mask_b = mask_b;
  for (unsigned r = 0; r < 8; r++)
    for (unsigned c = 0; c < 16; c++) assert_int_equal(dst_value(r, c, dst), dot_of(r, 0, c, 0, &m));
}

static void fill_all_bits(unsigned exponent) {
  for (unsigned which = 0; which < 2; which++) {
    for (unsigned row = 0; row < 64; row++)
      for (unsigned c = 0; c < 16; c++)
        rig->src.bank[which][0].datum[row][c] = (rig_random32() & 0x7ff00u) | (exponent + rig_random32() % 5);
    rig->src.bank[which][0].version++;
  }
}

static void set_formats(unsigned a, unsigned b) {
  rig->src.bank[TX_SRCA][0].format = (uint8_t)a;
  rig->src.bank[TX_SRCB][0].format = (uint8_t)b;
}

static void test_implied_formats(void **state) {
  (void)state;
  static const struct {
    unsigned format;
    uint32_t mask;
    bool exp8;
  } rows[] = {
      {NUM_FP32, NUM_FPU_SRC_BF16, true},   {NUM_BF16, NUM_FPU_SRC_BF16, true},   {NUM_BFP8, NUM_FPU_SRC_BF16, true},
      {NUM_BFP4, NUM_FPU_SRC_BF16, true},   {NUM_BFP2, NUM_FPU_SRC_BF16, true},   {NUM_INT32, NUM_FPU_SRC_BF16, true},
      {NUM_INT16, NUM_FPU_SRC_BF16, true},  {NUM_TF32, NUM_FPU_SRC_TF32, true},   {NUM_FP16, NUM_FPU_SRC_FP16, false},
      {NUM_FP8, NUM_FPU_SRC_FP16, false},   {NUM_BFP8A, NUM_FPU_SRC_FP16, false}, {NUM_BFP4A, NUM_FPU_SRC_FP16, false},
      {NUM_BFP2A, NUM_FPU_SRC_FP16, false}, {NUM_INT8, NUM_FPU_SRC_FP16, false}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (unsigned wide = 0; wide < 2; wide++) {
      rig_reset(rows[i].format);
      fill_all_bits(rows[i].exp8 ? 125 : 13);
      CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide);
      enum num_fpu_dst narrow = rows[i].exp8 ? NUM_FPU_DST_BF16 : NUM_FPU_DST_FP16;
      expect_mode(rows[i].mask, rows[i].mask, rows[i].exp8, wide ? NUM_FPU_DST_FP32 : narrow, 0);
    }
  }
  rig_reset(NUM_BF16); /* SrcB's bits depend on SrcB's own format */
  fill_all_bits(125);
  set_formats(NUM_BF16, NUM_TF32);
  expect_mode(NUM_FPU_SRC_BF16, NUM_FPU_SRC_TF32, true, NUM_FPU_DST_BF16, 0);
}

static void test_configured_formats(void **state) {
  (void)state;
  rig_reset(NUM_FP16);
  fill_all_bits(125);
  THREAD_CONFIG(0, DISABLE_IMPLIED_SRCA_FMT_Base, 1);
  THREAD_CONFIG(0, DISABLE_IMPLIED_SRCB_FMT_Base, 1);
  CONFIG(ALU_FORMAT_SPEC_REG0_SrcA, NUM_TF32);
  CONFIG(ALU_FORMAT_SPEC_REG1_SrcB, NUM_BF16);
  CONFIG(ALU_FORMAT_SPEC_REG_SrcA_val, NUM_BF16);
  CONFIG(ALU_FORMAT_SPEC_REG_SrcB_val, NUM_TF32);
  expect_mode(NUM_FPU_SRC_TF32, NUM_FPU_SRC_BF16, true, NUM_FPU_DST_BF16, 0);
  CONFIG(ALU_FORMAT_SPEC_REG_SrcA_override, 1);
  CONFIG(ALU_FORMAT_SPEC_REG_SrcB_override, 1);
  expect_mode(NUM_FPU_SRC_BF16, NUM_FPU_SRC_TF32, true, NUM_FPU_DST_BF16, 0);
}

static void test_fp16a_force(void **state) {
  (void)state;
  rig_reset(NUM_TF32);
  fill_all_bits(13);
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
  THREAD_CONFIG(0, FP16A_FORCE_Enable, 1);
  expect_mode(NUM_FPU_SRC_FP16, NUM_FPU_SRC_FP16, false, NUM_FPU_DST_FP16, 0); /* the 32-bit view is off too */
}

static void test_fidelity_phase(void **state) {
  (void)state;
  for (unsigned base = 0; base < 4; base++)
    for (unsigned phase = 0; phase < 4; phase++) {
      rig_reset(NUM_TF32);
      fill_all_bits(125);
      CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
      THREAD_CONFIG(0, FIDELITY_BASE_Phase, base);
      rig->rwc[0].fidelity = (uint8_t)phase;
      expect_mode(NUM_FPU_SRC_TF32, NUM_FPU_SRC_TF32, true, NUM_FPU_DST_FP32, (base + phase) & 3);
    }
}

static void test_state_banks(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  fill_all_bits(125);
  rig->config.words[1][TX_CFG_ALU_ACC_CTRL_Fp32_enabled_ADDR] |= 1u << TX_CFG_ALU_ACC_CTRL_Fp32_enabled_SHIFT;
  expect_mode(NUM_FPU_SRC_BF16, NUM_FPU_SRC_BF16, true, NUM_FPU_DST_BF16, 0);
  THREAD_CONFIG(0, CFG_STATE_ID_StateID, 1);
  expect_mode(NUM_FPU_SRC_BF16, NUM_FPU_SRC_BF16, true, NUM_FPU_DST_FP32, 0);
}

/* INT8: exact dot products; the four phases sum to the whole product (values up to 255 x 1023). */
static void test_int8_matmul(void **state) {
  (void)state;
  for (unsigned round = 0; round < 20; round++) {
    rig_reset(NUM_INT8);
    CONFIG(ALU_ACC_CTRL_INT8_math_enabled, 1);
    int a[16][16], b[8][16];
    for (unsigned r = 0; r < 16; r++)
      for (unsigned c = 0; c < 16; c++) {
        a[r][c] = (int)(rig_random32() % 511) - 255;
        rig->src.bank[TX_SRCA][0].datum[r][c] =
            a[r][c] ? (a[r][c] < 0 ? 1u << 18 : 0) | (uint32_t)abs(a[r][c]) << 8 | 16 : 0;
        if (r >= 8) continue;
        b[r][c] = (int)(rig_random32() % 2047) - 1023;
        rig->src.bank[TX_SRCB][0].datum[r][c] =
            b[r][c] ? (b[r][c] < 0 ? 1u << 18 : 0) | (uint32_t)abs(b[r][c]) << 8 | 16 : 0;
      }
    rig->src.bank[TX_SRCA][0].version++;
    rig->src.bank[TX_SRCB][0].version++;
    for (unsigned phase = 0; phase < 4; phase++) {
      rig->rwc[0].fidelity = (uint8_t)phase;
      rig_exec(0, OP(MVMUL));
    }
    for (unsigned r = 0; r < 8; r++)
      for (unsigned c = 0; c < 16; c++) {
        int want = 0;
        for (unsigned k = 0; k < 16; k++) want += b[r][k] * a[k][c];
        uint32_t bits = want < 0 ? 0x80000000u | (uint32_t)-want : (uint32_t)want;
        assert_int_equal(dst_value(r, c, NUM_FPU_DST_INT32), bits);
      }
    assert_int_equal(rig_found_any(), 0);
  }
}

/* --- clear_dvalid and address modes --- */

static void test_clear_dvalid(void **state) {
  (void)state;
  static const uint32_t opcodes[] = {OP(MVMUL), OP(DOTPV), OP(ELWADD), OP(ELWSUB), OP(ELWMUL), OP(GMPOOL), OP(GAPOOL)};
  for (unsigned i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
    for (unsigned clear = 0; clear < 4; clear++) {
      rig_reset(NUM_BF16);
      uint32_t mode = opcodes[i] == OP(GMPOOL) || opcodes[i] == OP(GAPOOL) ? TX_PUT(GMPOOL, instr_mod19, 1) : 0;
      rig_exec(0, opcodes[i] | mode | clear << 22);
      for (unsigned which = 0; which < 2; which++) {
        bool released = clear >> which & 1u;
        assert_int_equal(rig->src.matrix_bank[which], released);
        assert_int_equal(rig->src.bank[which][0].owner, released ? TX_CLIENT_UNPACKERS : TX_CLIENT_MATRIX);
      }
    }
  }
}

/* A release happens when the instruction has run, so not before an interlock lets it start. */
static void test_release_waits_for_the_block(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  rig_exec_only(0, OP(ELWADD));
  rig->engine.now++;
  struct tx_cost cost = rig_exec_only(0, OP(ELWADD) | TX_PUT(ELWADD, clear_dvalid, 3));
  assert_int_equal(cost.hold, 5);
  rig_wait(5);
  assert_int_equal(rig->src.matrix_bank[0], 0);
  rig_wait(1);
  assert_int_equal(rig->src.matrix_bank[0], 1);
}

/* Sixteen MVMULs of a 32x32 tile and the counters after each, with LLK's address modes 0, 1, 2, 4, 5. */
static void test_rwc_trace_of_a_tile(void **state) {
  (void)state;
  static const struct {
    unsigned mode, srcb, srca, dst; /* rows that it works on */
    unsigned a, a_cr, b, b_cr, d;   /* counters after it */
  } trace[16] = {
      {0, 0, 0, 0, 0, 0, 8, 0, 8},         {1, 8, 0, 8, 16, 0, 0, 0, 16},       {0, 0, 16, 16, 16, 0, 8, 0, 24},
      {2, 8, 16, 24, 0, 0, 32, 32, 32},    {0, 32, 0, 32, 0, 0, 40, 32, 40},    {1, 40, 0, 40, 16, 0, 32, 32, 48},
      {0, 32, 16, 48, 16, 0, 40, 32, 56},  {4, 40, 16, 56, 32, 32, 16, 16, 0},  {0, 16, 32, 0, 32, 32, 24, 16, 8},
      {1, 24, 32, 8, 48, 32, 16, 16, 16},  {0, 16, 48, 16, 48, 32, 24, 16, 24}, {2, 24, 48, 24, 32, 32, 48, 48, 32},
      {0, 48, 32, 32, 32, 32, 56, 48, 40}, {1, 56, 32, 40, 48, 32, 48, 48, 48}, {0, 48, 48, 48, 48, 32, 56, 48, 56},
      {5, 56, 48, 56, 0, 0, 0, 0, 0},
  };
  static const uint16_t ab[8] = {
      8 << 8, 16 | 1 << 14, 1 << 6 | 32 << 8 | 1 << 14, 0, 32 | 1 << 6 | 48 << 8 | 1 << 14, 1 << 7 | 1 << 15};
  static const uint16_t dst[8] = {8, 8, 8, 0, 1 << 10, 1 << 11 | 1 << 13};
  rig_reset(NUM_BF16);
  rig_fill_near_one(127);
  for (unsigned i = 0; i < 8; i++) {
    rig->config.thread_words[1][TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + i] = ab[i];
    rig->config.thread_words[1][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + i] = dst[i];
  }
  uint32_t want[64][16] = {{0}};
  for (unsigned i = 0; i < 16; i++) {
    assert_int_equal(rig->rwc[1].srca, trace[i].srca);
    assert_int_equal(rig->rwc[1].srcb, trace[i].srcb);
    assert_int_equal(rig->rwc[1].dst, trace[i].dst);
    for (unsigned r = 0; r < 8; r++)
      for (unsigned c = 0; c < 16; c++) {
        uint32_t *x = &want[trace[i].dst + r][c];
        *x = dot_of(trace[i].srcb + r, trace[i].srca, c, *x, bf16_mode());
      }
    rig_exec(1, OP(MVMUL) | TX_PUT(MVMUL, addr_mode, trace[i].mode));
    const struct tx_rwc *rwc = &rig->rwc[1];
    assert_int_equal(rwc->srca, trace[i].a);
    assert_int_equal(rwc->srca_cr, trace[i].a_cr);
    assert_int_equal(rwc->srcb, trace[i].b);
    assert_int_equal(rwc->srcb_cr, trace[i].b_cr);
    assert_int_equal(rwc->dst, trace[i].d);
    assert_int_equal(rwc->dst_cr, 0);
    assert_int_equal(rwc->fidelity, i == 15);
  }
  for (unsigned r = 0; r < 64; r++)
    for (unsigned c = 0; c < 16; c++) assert_int_equal(dst_value(r, c, NUM_FPU_DST_BF16), want[r][c]);
  assert_int_equal(rig_found_any(), 0);
}

/* --- GMPOOL --- */

static int64_t order_of(uint32_t value) { return value >> 31 ? -(int64_t)(value & 0x7fffffff) : (int64_t)value; }

static void ones_in_srcb(unsigned exponent) {
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) rig->src.bank[TX_SRCB][0].datum[row][c] = exponent;
}

/* Plain maximum of numbers that are not zero, in every format and both views. */
static void test_gmpool_maximum(void **state) {
  (void)state;
  static const struct {
    unsigned format, wide;
    uint32_t mask;
    enum num_fpu_dst dst;
  } kinds[] = {{NUM_BF16, 0, NUM_FPU_SRC_BF16, NUM_FPU_DST_BF16},
               {NUM_BF16, 1, NUM_FPU_SRC_BF16, NUM_FPU_DST_FP32},
               {NUM_TF32, 1, NUM_FPU_SRC_TF32, NUM_FPU_DST_FP32},
               {NUM_TF32, 0, NUM_FPU_SRC_TF32, NUM_FPU_DST_BF16},
               {NUM_FP16, 0, NUM_FPU_SRC_FP16, NUM_FPU_DST_FP16}};
  for (unsigned i = 0; i < 100; i++) {
    unsigned kind = i % 5, exponent = kinds[kind].format == NUM_FP16 ? 15 : 127;
    rig_reset(kinds[kind].format);
    fill_all_bits(exponent - 5);
    ones_in_srcb(exponent);
    CONFIG(ALU_ACC_CTRL_Fp32_enabled, kinds[kind].wide);
    rig->rwc[0].srca = (uint8_t)(i % 4 * 16);
    for (unsigned pass = 0; pass < 2; pass++) { /* the second one starts from the first one's row */
      rig_exec(0, OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1) | TX_PUT(GMPOOL, dst, 36));
      rig->rwc[0].srca = (uint8_t)((rig->rwc[0].srca + 16) & 63);
    }
    for (unsigned c = 0; c < 16; c++) {
      int64_t max = INT64_MIN;
      for (unsigned r = 0; r < 32; r++) {
        uint32_t x = rig->src.bank[TX_SRCA][0].datum[(i % 4 * 16 + r) & 63][c] & kinds[kind].mask;
        uint32_t value = x >> 18 << 31 | (x & 0xff) << 23 | (x >> 8 & 0x3ff) << 13;
        if (order_of(value) > max) max = order_of(value);
      }
      /* A TF32 result loses its low bits in a 16-bit Dst, which may reorder only what is then equal. */
      uint32_t want = max < 0 ? 0x80000000u | (uint32_t)-max : (uint32_t)max;
      if (kinds[kind].dst == NUM_FPU_DST_BF16) want &= 0xffff0000u;
      assert_int_equal(dst_value(36, c, kinds[kind].dst), want);
      for (unsigned r = 37; r < 40; r++) assert_int_equal(dst_value(r, c, kinds[kind].dst), 0);
    }
    for (unsigned r = 37; r < 40; r++) assert_true(tx_dst_row_valid(rig, r, kinds[kind].wide));
  }
}

static void test_gmpool_zero_and_scale(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  ones_in_srcb(127);
  for (unsigned r = 0; r < 16; r++) {
    rig->src.bank[TX_SRCA][0].datum[r][0] = 1u << 18 | 127;                    /* -1 everywhere */
    rig->src.bank[TX_SRCA][0].datum[r][1] = r == 5 ? 0x12300 : 1u << 18 | 127; /* a denormal: +0 */
    rig->src.bank[TX_SRCA][0].datum[r][2] = 127;                               /* 1.0 */
    rig->src.bank[TX_SRCA][0].datum[r][3] = r == 9 ? 130 : 127;
  }
  rig_exec(0, OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1));
  assert_int_equal(dst_value(0, 0, NUM_FPU_DST_BF16), 0xbf800000);
  assert_int_equal(dst_value(0, 1, NUM_FPU_DST_BF16), 0);
  assert_int_equal(dst_value(0, 2, NUM_FPU_DST_BF16), 0x3f800000);
  assert_int_equal(rig_found(TX_DIAG_GMPOOL_SCALE), 0);
  /* Row i is scaled by column i of SrcB: row 4 times 8, row 9 off (exponent 0 is minus infinity). */
  rig->src.bank[TX_SRCB][0].datum[0][4] = 130;
  rig->src.bank[TX_SRCB][0].datum[0][9] = 0;
  memset(rig->dst.valid, 0, sizeof rig->dst.valid);
  rig_exec(0, OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1));
  assert_int_equal(dst_value(0, 2, NUM_FPU_DST_BF16), 0x41000000); /* 8.0 from row 4 */
  assert_int_equal(dst_value(0, 3, NUM_FPU_DST_BF16), 0x41000000); /* the 8.0 of row 9 is ignored */
  assert_int_equal(rig_found(TX_DIAG_GMPOOL_SCALE), 1);
}

/* GMPOOL.md: index = (phase >> 4) + table[row], rows visited 4..7, 0..3, 8..15, the last of equals wins; phase counts
 * from 1. */
static void test_gmpool_argmax(void **state) {
  (void)state;
  static const unsigned table[8] = {0, 3, 6, 1, 4, 7, 2, 5};
  for (unsigned best = 0; best < 16; best++) {
    rig_reset(NUM_BF16);
    ones_in_srcb(127);
    CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
    for (unsigned r = 0; r < 16; r++) rig->src.bank[TX_SRCA][0].datum[r][0] = r == best ? 130 : 127;
    uint32_t zero[16] = {0};
    for (unsigned r = 0; r < 4; r++) dst_write_row(rig, r, true, zero);
    rig->dst.bits[0][0] = 0x8001; /* a tiny negative number: phase 0, index 0 */
    rig_exec(0, OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1) | TX_PUT(GMPOOL, max_pool_index_en, 1));
    uint32_t bits[16];
    dst_read_row(rig, 0, true, 0, bits);
    assert_int_equal(bits[0] >> 16, 130); /* 8.0 as stored: mantissa 0, exponent 130 */
    unsigned last = 3; /* of the equal ones among the first eight, row 3 is visited last; then `best` beats it */
    unsigned index = best < 8 ? best : last;
    assert_int_equal(bits[0] & 0xffff, 0x100 | (0x10 + table[index]));
    dst_read_row(rig, 2, true, 0, bits);
    assert_int_equal(bits[0], 0x100); /* the other three rows: (old + 0x100) & 0xf00 */
  }
}

static void test_gmpool_argmax_integer_and_tf32(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 2; kind++) {
    rig_reset(kind ? NUM_TF32 : NUM_INT8);
    ones_in_srcb(kind ? 127 : 16);
    CONFIG(ALU_ACC_CTRL_INT8_math_enabled, !kind);
    CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
    for (unsigned r = 0; r < 16; r++)
      rig->src.bank[TX_SRCA][0].datum[r][7] = (r == 6 ? 900u : 1u + r) << 8 | (kind ? 127 : 16);
    rig_exec(0, OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1) | TX_PUT(GMPOOL, max_pool_index_en, 1));
    uint32_t bits[16];
    dst_read_row(rig, 0, true, 0, bits);
    assert_int_equal(bits[7],
                     2); /* undefined row: all ones, so phase (0xffffffff + 0x100) & 0xf00 = 0; index table[6] = 2 */
  }
  rig_reset(NUM_INT8); /* the value itself: sign and 13 bits of magnitude */
  ones_in_srcb(16);
  CONFIG(ALU_ACC_CTRL_INT8_math_enabled, 1);
  for (unsigned r = 0; r < 16; r++) rig->src.bank[TX_SRCA][0].datum[r][7] = 1u << 18 | (r == 6 ? 5u : 9u) << 8 | 16;
  rig_exec(0, OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1));
  uint32_t bits[16];
  dst_read_row(rig, 0, true, 0, bits);
  assert_int_equal(bits[7], 0x80000005u);
}

/* --- ZEROACC: ZEROACC.md; A14, A67, A68 of docs/evidence/errata.md --- */

static void all_rows_valid(void) { memset(rig->dst.valid, TX_DST_VALID, sizeof rig->dst.valid); }

static void expect_cleared(const uint8_t expected[1024]) {
  for (unsigned r = 0; r < 1024; r++) assert_int_equal(rig->dst.valid[r] == TX_DST_UNDEFINED, expected[r]);
}

static void test_zeroacc_one_row(void **state) {
  (void)state;
  for (unsigned wide = 0; wide < 3; wide++) { /* 16 bit, Fp32_enabled, INT8_math_enabled */
    rig_reset(NUM_BF16);
    all_rows_valid();
    CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide == 1);
    CONFIG(ALU_ACC_CTRL_INT8_math_enabled, wide == 2);
    THREAD_CONFIG(1, DEST_TARGET_REG_CFG_MATH_Offset, 256);
    rig->rwc[1].dst = 9;
    THREAD_CONFIG(1, ADDR_MOD_DST_SEC3_DestIncr, 5);
    rig_exec(1, OP(ZEROACC) | TX_PUT(ZEROACC, where, 3) | TX_PUT(ZEROACC, addr_mode, 3));
    uint8_t expected[1024] = {0};
    expected[wide ? tx_dst_adj32(rig, 268) : 268] = 1;
    expect_cleared(expected);
    assert_int_equal(rig->rwc[1].dst, 14);
  }
}

static void test_zeroacc_sixteen_rows(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4 * 80; i++) {
    unsigned where = i / 4, wide = i & 1u, half = i >> 1 & 1u;
    for (unsigned absolute = 0; absolute < 2; absolute++) {
      rig_reset(NUM_BF16);
      all_rows_valid();
      CONFIG(DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, absolute);
      THREAD_CONFIG(0, DEST_TARGET_REG_CFG_MATH_Offset, half ? (wide ? 200 : 500) : 0);
      rig->rwc[0].dst = half ? 60 : 0; /* the sum is used: 260 or 560 */
      THREAD_CONFIG(0, ADDR_MOD_DST_SEC2_DestIncr, 8);
      rig_exec(0, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 1) | TX_PUT(ZEROACC, use_32_bit_mode, wide) |
                      TX_PUT(ZEROACC, where, where) | TX_PUT(ZEROACC, addr_mode, 2));
      unsigned block = where + (half && !absolute ? (wide ? 16 : 32) : 0), blocks = wide ? 32 : 64;
      uint8_t expected[1024] = {0};
      for (unsigned r = 0; r < 16 && block < blocks; r++)
        expected[wide ? block * 32 + (r & 8) * 2 + (r & 7) : block * 16 + r] = 1;
      expect_cleared(expected);
      assert_int_equal(rig->rwc[0].dst, (half ? 60 : 0) + 8); /* also when out of range */
      assert_int_equal(rig_found(TX_DIAG_ZEROACC_OUT_OF_RANGE), block >= blocks);
    }
  }
}

static void test_zeroacc_half_and_all(void **state) {
  (void)state;
  for (unsigned mode = 2; mode < 4; mode++)
    for (unsigned where = 0; where < 2; where++) {
      rig_reset(NUM_BF16);
      all_rows_valid();
      THREAD_CONFIG(0, ADDR_MOD_DST_SEC1_DestIncr, 5);
      rig_exec(0, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, mode) | TX_PUT(ZEROACC, where, mode == 2 ? where : 0) |
                      TX_PUT(ZEROACC, use_32_bit_mode, where) | TX_PUT(ZEROACC, addr_mode, 1));
      uint8_t expected[1024];
      for (unsigned r = 0; r < 1024; r++) expected[r] = mode == 3 || r / 512 == where;
      expect_cleared(expected);
      assert_int_equal(rig->rwc[0].dst, 0); /* no address mode here */
      assert_int_equal(rig_found_any(), 0);
    }
}

static void test_zeroacc_revert(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 4; mode++)
    for (unsigned wide = 0; wide < 2; wide++) {
      rig_reset(NUM_BF16);
      rig_exec(0, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, mode) | TX_PUT(ZEROACC, clear_zero_flags, 1) |
                      TX_PUT(ZEROACC, use_32_bit_mode, wide) | TX_PUT(ZEROACC, where, mode == 1 ? 2 : 0));
      bool defined = mode == 1 && wide; /* the workaround of LLK: marks the rows valid */
      assert_int_equal(rig->fault.kind, defined ? SIM_FAULT_NONE : SIM_FAULT_UNDEFINED);
      for (unsigned r = 0; r < 16; r++)
        assert_int_equal(rig->dst.valid[64 + (r & 8) * 2 + (r & 7)] != TX_DST_UNDEFINED, defined);
    }
}

/* --- ZEROSRC: A15 of docs/evidence/errata.md --- */

static void test_zerosrc(void **state) {
  (void)state;
  for (unsigned bits = 0; bits < 32; bits++)
    for (unsigned banks = 0; banks < 4; banks++) {
      rig_reset(NUM_BF16);
      for (unsigned which = 0; which < 2; which++) {
        for (unsigned bank = 0; bank < 2; bank++) rig_fill((enum tx_src_which)which, bank, 0x7ffff);
        rig->src.matrix_bank[which] = banks & 1u;
        rig->src.unpack_bank[which] = (uint8_t)(banks >> 1);
      }
      struct tx_src before = rig->src;
      rig_exec(0, OP(ZEROSRC) | bits);
      for (unsigned which = 0; which < 2; which++)
        for (unsigned bank = 0; bank < 2; bank++) {
          bool selected = bits >> which & 1u;
          bool here = bits & 4 ? true : bank == (bits & 8 ? (banks & 1u) : banks >> 1);
          uint32_t value = which == TX_SRCA && (bits & 16) ? 0x7ffff : 0;
          const struct tx_src_bank *b = &rig->src.bank[which][bank];
          for (unsigned r = 0; r < 64; r += 21)
            for (unsigned c = 0; c < 16; c++)
              assert_int_equal(b->datum[r][c], selected && here ? value : before.bank[which][bank].datum[r][c]);
          assert_int_equal(b->version != before.bank[which][bank].version, selected && here);
        }
    }
}

/* --- SHIFTXA, SHIFTXB, TRNSPSRCB --- */

static void test_shiftxa(void **state) {
  (void)state;
  for (unsigned direction = 2; direction < 4; direction++)
    for (unsigned block = 0; block < 4; block++) {
      rig_reset(NUM_BF16);
      rig_fill_near_one(127);
      rig->rwc[0].srca = (uint8_t)(block * 16);
      rig_exec(0, OP(ELWADD)); /* computes SrcA row block * 16, on which the bug depends */
      struct tx_src before = rig->src;
      rig_exec(0, OP(SHIFTXA) | TX_PUT(SHIFTXA, shift_mode, direction));
      for (unsigned r = 0; r < 64; r++)
        for (unsigned c = 0; c < 16; c++) {
          uint32_t want = before.bank[TX_SRCA][0].datum[r][c];
          if (r < 16) {
            const uint32_t *from = before.bank[TX_SRCA][0].datum[block * 16 + r];
            want = direction == 2 ? (c ? from[c - 1] : 0) : (c < 15 ? from[c + 1] : 0);
          }
          assert_int_equal(rig->src.bank[TX_SRCA][0].datum[r][c], want);
        }
      assert_int_equal(rig_found_any(), 0);
    }
  rig_reset(NUM_BF16);
  rig_exec(0, OP(SHIFTXA));
  assert_int_equal(rig->fault.kind, SIM_FAULT_UNSUPPORTED);
}

static void test_shiftxb(void **state) {
  (void)state;
  for (unsigned zero = 0; zero < 2; zero++) {
    rig_reset(NUM_BF16);
    rig_fill_near_one(127);
    rig->rwc[0].srcb = 60;
    THREAD_CONFIG(0, ADDR_MOD_AB_SEC4_SrcBIncr, 3);
    uint32_t before[16];
    memcpy(before, rig->src.bank[TX_SRCB][0].datum[6], sizeof before);
    rig_exec(0, OP(SHIFTXB) | TX_PUT(SHIFTXB, shift_row, 10) | TX_PUT(SHIFTXB, rot_shift, zero) |
                    TX_PUT(SHIFTXB, addr_mode, 4));
    for (unsigned c = 0; c < 15; c++) assert_int_equal(rig->src.bank[TX_SRCB][0].datum[6][c], before[c + 1]);
    assert_int_equal(rig->src.bank[TX_SRCB][0].datum[6][15], zero ? 0 : before[0]);
    assert_int_equal(rig->rwc[0].srcb, 63);
  }
}

static void test_trnspsrcb(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  rig_fill_near_one(127);
  struct tx_src before = rig->src;
  rig_exec(0, OP(TRNSPSRCB));
  for (unsigned r = 0; r < 64; r++)
    for (unsigned c = 0; c < 16; c++) {
      bool inside = r >= 16 && r < 32;
      assert_int_equal(rig->src.bank[TX_SRCB][0].datum[r][c],
                       inside ? before.bank[TX_SRCB][0].datum[16 + c][r - 16] : before.bank[TX_SRCB][0].datum[r][c]);
    }
}

/* --- CLEARDVALID, GATESRCRST, CLREXPHIST --- */

static void test_cleardvalid(void **state) {
  (void)state;
  for (unsigned clear = 0; clear < 4; clear++)
    for (unsigned keep = 0; keep < 2; keep++) {
      rig_reset(NUM_BF16);
      THREAD_CONFIG(0, CLR_DVALID_SrcA_Disable, 1); /* CLEARDVALID ignores this bit */
      rig_exec(0, OP(CLEARDVALID) | TX_PUT(CLEARDVALID, cleardvalid, clear) | TX_PUT(CLEARDVALID, reset, keep * 2));
      for (unsigned which = 0; which < 2; which++) {
        bool released = clear >> which & 1u;
        assert_int_equal(rig->src.bank[which][0].owner, released ? TX_CLIENT_UNPACKERS : TX_CLIENT_MATRIX);
        assert_int_equal(rig->src.matrix_bank[which], released && !keep);
      }
    }
  rig_reset(NUM_BF16);
  rig_exec(0, OP(CLEARDVALID) | TX_PUT(CLEARDVALID, reset, 1));
  assert_int_equal(rig->fault.kind, SIM_FAULT_UNSUPPORTED);
  assert_non_null(strstr(rig->fault.why, "22383"));
}

static void test_gatesrcrst_changes_nothing(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  rig_exec_only(0, OP(GATESRCRST) | 3);
  struct tx_current current = rig->current;
  uint64_t after = tx_tile_hash(rig);
  rig_reset(NUM_BF16);
  rig->current = current;
  assert_int_equal(tx_tile_hash(rig), after);
}

static void test_clrexphist(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  memset(&rig->pack_stats, 0x55, sizeof rig->pack_stats);
  rig_exec(0, OP(CLREXPHIST));
  for (unsigned i = 0; i < 32; i++) assert_int_equal(rig->pack_stats.packer[0].exponent_histogram[i], 0);
  assert_int_equal(rig->pack_stats.exponent_histogram_max, 0);
}

/* --- Dst remap and swizzle: the same matrix at the mapped rows --- */

static void test_remap_and_swizzle(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 4; mode++)
    for (unsigned wide = 0; wide < 2; wide++) {
      rig_reset(NUM_BF16);
      rig_fill_near_one(127);
      CONFIG(DEST_ACCESS_CFG_remap_addrs, mode & 1u);
      CONFIG(DEST_ACCESS_CFG_swizzle_32b, mode >> 1);
      CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide);
      struct num_fpu_mode m = mode_of(NUM_FPU_SRC_BF16, true, wide ? NUM_FPU_DST_FP32 : NUM_FPU_DST_BF16, 0);
      rig_exec(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 40));
      unsigned valid = 0;
      for (unsigned r = 0; r < 1024; r++) valid += rig->dst.valid[r] != 0;
      assert_int_equal(valid, 8);
      for (unsigned r = 0; r < 8; r++) {
        unsigned physical = wide ? tx_dst_adj32(rig, 40 + r) : tx_dst_adj16(rig, 40 + r);
        uint32_t value = dot_of(r, 0, 4, 0, &m);
        assert_int_equal(rig->dst.bits[physical][4], wide ? num_fpu_store(value, m.dst) >> 16 : num_fpu_store(value, m.dst));
        if (wide) assert_int_equal(rig->dst.bits[physical + 8][4], num_fpu_store(value, m.dst) & 0xffff);
      }
    }
}

/* A clear is of the view's rows: exactly what was written there is undefined after it. */
static void test_zeroacc_remapped(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4 * 2 * 3; i++) {
    unsigned mode = i & 3u, wide = i >> 2 & 1u, form = i >> 3; /* one row, a block, a block that is made valid again */
    rig_reset(NUM_BF16);
    all_rows_valid();
    CONFIG(DEST_ACCESS_CFG_remap_addrs, mode & 1u);
    CONFIG(DEST_ACCESS_CFG_swizzle_32b, mode >> 1);
    CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide);
    unsigned first = form ? 80 : 29, end = form ? 96 : 30;
    if (form == 2 && wide) {
      for (unsigned row = first; row < end; row++) rig->dst.valid[tx_dst_adj32(rig, row)] = TX_DST_UNDEFINED;
      rig_exec(0, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 1) | TX_PUT(ZEROACC, use_32_bit_mode, 1) |
                      TX_PUT(ZEROACC, clear_zero_flags, 1) | TX_PUT(ZEROACC, where, 5));
      for (unsigned r = 0; r < 1024; r++) assert_int_equal(rig->dst.valid[r], TX_DST_VALID);
      continue;
    }
    rig_exec(0, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, form != 0) | TX_PUT(ZEROACC, use_32_bit_mode, form && wide) |
                    TX_PUT(ZEROACC, where, form ? 5 : 29));
    unsigned cleared = 0;
    for (unsigned r = 0; r < 1024; r++) cleared += rig->dst.valid[r] == TX_DST_UNDEFINED;
    assert_int_equal(cleared, end - first);
    for (unsigned row = first; row < end; row++) assert_false(tx_dst_row_valid(rig, row, wide));
  }
}

/* --- vector and scalar code leave the same state --- */

static uint32_t random_instruction(void) {
  static const uint32_t opcodes[] = {OP(MVMUL),  OP(MVMUL),  OP(DOTPV),   OP(GAPOOL),   OP(ELWMUL), OP(ELWADD),
                                     OP(ELWSUB), OP(GMPOOL), OP(MOVD2A),  OP(MOVD2B),   OP(MOVB2A), OP(ZEROSRC),
                                     OP(MOVB2D), OP(MOVA2D), OP(ZEROACC), OP(TRNSPSRCB)};
  uint32_t opcode = opcodes[rig_random32() % 16], word = opcode | (rig_random32() & tx_ops[opcode >> 24].used & 0xffffff);
  if (opcode == OP(ZEROACC)) word &= ~TX_PUT(ZEROACC, clear_zero_flags, 1);
  if (opcode == OP(ZEROSRC)) word |= 8; /* not the unpackers' bank */
  if (opcode == OP(MOVA2D) || opcode == OP(MOVB2D) || opcode == OP(MOVD2A) || opcode == OP(MOVD2B)) word &= ~(1u << 23);
  return word;
}

static void random_program(uint64_t seed, const struct num_fpu_ops *ops, unsigned count) {
  static const unsigned formats[] = {NUM_BF16, NUM_TF32, NUM_FP16, NUM_INT8, NUM_BFP8};
  rig_random = seed * 2654435761u + 12345;
  unsigned format = formats[rig_random32() % 5];
  rig_reset(format);
  rig->unsaved.matrix.ops = ops;
  for (unsigned which = 0; which < 2; which++)
    for (unsigned bank = 0; bank < 2; bank++)
      rig_fill((enum tx_src_which)which, bank, format == NUM_FP16 ? 0x7ff1f : 0x7f8ff);
  bool wide = rig_random32() & 1u || format == NUM_TF32;
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide);
  CONFIG(ALU_ACC_CTRL_INT8_math_enabled, format == NUM_INT8);
  CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, rig_random32() % 4 == 0);
  for (unsigned i = 0; i < 8; i++) {
    rig->config.thread_words[0][TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + i] = (uint16_t)(rig_random32() & 0x3f3f);
    rig->config.thread_words[0][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + i] = (uint16_t)(rig_random32() & 0x63ff);
  }
  for (unsigned i = 0; i < count; i++) {
    rig_exec(0, random_instruction());
    for (unsigned which = 0; which < 2; which++)
      for (unsigned bank = 0; bank < 2; bank++) rig->src.bank[which][bank].owner = TX_CLIENT_MATRIX;
  }
}

static void test_versions_leave_the_same_state(void **state) {
  (void)state;
  uint64_t programs = test_scaled(150);
  for (uint64_t seed = 1; seed <= programs; seed++) {
    random_program(seed, &num_fpu_scalar, 40);
    uint64_t want = tx_tile_hash(rig);
    enum sim_fault_kind fault = (enum sim_fault_kind)rig->fault.kind;
    for (size_t n = 1; num_fpu_nth(n); n++) {
      random_program(seed, num_fpu_nth(n), 40);
      if (tx_tile_hash(rig) != want) fail_msg("program %llu: %s differs", (unsigned long long)seed, num_fpu_nth(n)->name);
    }
    assert_int_equal(fault, SIM_FAULT_NONE);
  }
}

/* After a restore, no decoded copy of a bank from another state with the same version may be used. */
static void test_restored_state_is_decoded_again(void **state) {
  (void)state;
  struct tx_tile *saved = malloc(sizeof *saved);
  assert_non_null(saved);
  rig_reset(NUM_BF16);
  rig_fill_near_one(127);
  memset(saved, 0, sizeof *saved);
  tx_tile_copy_state(saved, rig);
  rig_fill(TX_SRCA, 0, 0x7f87f); /* version n + 1 with other data */
  rig_exec(0, OP(MVMUL));
  tx_tile_copy_state(rig, saved);
  rig_fill_near_one(127); /* again version n + 1 */
  rig_exec(0, OP(MVMUL));
  assert_int_equal(dst_value(0, 0, NUM_FPU_DST_BF16), dot_of(0, 0, 0, 0, bf16_mode()));
  free(saved);
}

/* Random writes to the words that formats and styles depend on, and to others. */
static void write_some_configuration(void) {
  static const uint16_t config[] = {TX_CFG_ALU_FORMAT_SPEC_REG_SrcA_val_ADDR, TX_CFG_ALU_ACC_CTRL_Fp32_enabled_ADDR,
                                    TX_CFG_ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR,
                                    TX_CFG_THCON_SEC0_REG3_Base_address_ADDR, TX_CFG_THCON_SEC0_REG1_L1_Dest_addr_ADDR},
                        thread[] = {TX_CFG_CFG_STATE_ID_StateID_ADDR,
                                    TX_CFG_DISABLE_IMPLIED_SRCA_FMT_Base_ADDR,
                                    TX_CFG_DISABLE_IMPLIED_SRCB_FMT_Base_ADDR,
                                    TX_CFG_FIDELITY_BASE_Phase_ADDR,
                                    TX_CFG_FP16A_FORCE_Enable_ADDR,
                                    TX_CFG_SRCA_SET_Base_ADDR};
  uint32_t pick = rig_random32() % 24, bit = 1u << rig_random32() % 32;
  if (pick < 5) tx_config_write(rig, rig_random32() % 2, config[pick], rig->config.words[0][config[pick]] ^ bit);
  else if (pick < 11) tx_thread_config_write(rig, 1, thread[pick - 5], (uint16_t)(rig_random32() % 2));
  else if (pick == 11) rig->src.bank[rig_random32() % 2][0].format = NUM_BF16;
  else if (pick == 12) rig->src.bank[rig_random32() % 2][0].format = NUM_FP16;
}

/* What the unit keeps of the configuration for the next instruction is that of the configuration of that time. */
static void test_kept_formats_are_current(void **state) {
  (void)state;
  static const uint32_t words[] = {OP(ELWADD),
                                   OP(ELWMUL),
                                   OP(MVMUL),
                                   OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1),
                                   OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 2),
                                   OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 4),
                                   OP(MOVD2B) | TX_PUT(MOVD2B, instr_mod, 2)};
  struct tx_tile *kept = malloc(sizeof *kept), *fresh = malloc(sizeof *fresh), *saved = rig;
  tx_tile_reset(kept, true);
  tx_tile_reset(fresh, true);
  for (unsigned run = 0; run < test_scaled(60); run++) {
    uint64_t random = 0;
    rig_reset(NUM_BF16);
    rig_fill_near_one(127);
    tx_tile_copy_state(kept, rig);
    tx_tile_copy_state(fresh, rig);
    for (unsigned i = 0; i < 40 && !fresh->fault.kind; i++) {
      random = rig_random;
      for (unsigned k = 0; k < 2; k++) {
        rig = k ? fresh : kept;
        rig_random = random;
        write_some_configuration();
        if (k) tx_forget_decoded(rig);
        rig_exec(1, words[rig_random32() % (sizeof words / sizeof *words)]);
      }
      assert_memory_equal(&kept->dst, &fresh->dst, sizeof fresh->dst);
      assert_memory_equal(&kept->src, &fresh->src, sizeof fresh->src);
      assert_memory_equal(&kept->rwc, &fresh->rwc, sizeof fresh->rwc);
      assert_memory_equal(kept->diag.counts, fresh->diag.counts, sizeof fresh->diag.counts);
      assert_int_equal(kept->fault.kind, fresh->fault.kind);
    }
    rig = saved;
  }
  free(kept);
  free(fresh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mvmul_rows),
      cmocka_unit_test(test_mvmul_broadcast),
      cmocka_unit_test(test_gapool_rows),
      cmocka_unit_test(test_elementwise_broadcast),
      cmocka_unit_test(test_implied_formats),
      cmocka_unit_test(test_configured_formats),
      cmocka_unit_test(test_fp16a_force),
      cmocka_unit_test(test_fidelity_phase),
      cmocka_unit_test(test_state_banks),
      cmocka_unit_test(test_int8_matmul),
      cmocka_unit_test(test_clear_dvalid),
      cmocka_unit_test(test_release_waits_for_the_block),
      cmocka_unit_test(test_rwc_trace_of_a_tile),
      cmocka_unit_test(test_gmpool_maximum),
      cmocka_unit_test(test_gmpool_zero_and_scale),
      cmocka_unit_test(test_gmpool_argmax),
      cmocka_unit_test(test_gmpool_argmax_integer_and_tf32),
      cmocka_unit_test(test_zeroacc_one_row),
      cmocka_unit_test(test_zeroacc_sixteen_rows),
      cmocka_unit_test(test_zeroacc_half_and_all),
      cmocka_unit_test(test_zeroacc_revert),
      cmocka_unit_test(test_zerosrc),
      cmocka_unit_test(test_shiftxa),
      cmocka_unit_test(test_shiftxb),
      cmocka_unit_test(test_trnspsrcb),
      cmocka_unit_test(test_cleardvalid),
      cmocka_unit_test(test_gatesrcrst_changes_nothing),
      cmocka_unit_test(test_clrexphist),
      cmocka_unit_test(test_remap_and_swizzle),
      cmocka_unit_test(test_zeroacc_remapped),
      cmocka_unit_test(test_versions_leave_the_same_state),
      cmocka_unit_test(test_restored_state_is_decoded_again),
      cmocka_unit_test(test_kept_formats_are_current),
  };
  return cmocka_run_group_tests(tests, rig_new, rig_free);
}
