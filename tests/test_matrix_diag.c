/* Diagnostics of the matrix unit: each is provoked, and absent in the correct variant of the same program; and
 * what the unit rejects. */
#include "matrix_rig.h"

static void quiet(uint32_t word) {
  rig_exec(0, word);
  assert_int_equal(rig->fault.kind, SIM_FAULT_NONE);
  if (rig_found_any()) fail_msg("a correct program gets \"%s\"", rig->diag.findings[0].why);
}

static void found_once(enum tx_diag_id id, uint32_t word) {
  uint64_t before = rig_found(id), all = rig_found_any();
  rig_exec(0, word);
  assert_int_equal(rig->fault.kind, SIM_FAULT_NONE); /* goes on */
  assert_int_equal(rig_found(id), before + 1);
  assert_int_equal(rig_found_any(), all + 1); /* and nothing else is found */
}

static void ready(unsigned format) {
  rig_reset(format);
  rig_fill_near_one(format == NUM_FP16 ? 15 : 127);
}

#define GMPOOL_OK (OP(GMPOOL) | TX_PUT(GMPOOL, instr_mod19, 1))
#define GAPOOL_OK (OP(GAPOOL) | TX_PUT(GAPOOL, instr_mod19, 1))

/* --- source registers --- */

static void test_row_alignment(void **state) {
  (void)state;
  static const struct {
    uint32_t word;
    unsigned a, b; /* required alignment of the counters; 1: none */
  } rows[] = {{OP(MVMUL), 16, 8},
              {OP(DOTPV), 16, 8},
              {GAPOOL_OK, 16, 8},
              {OP(ELWADD), 8, 8},
              {OP(ELWSUB), 8, 8},
              {OP(ELWMUL), 8, 8},
              {OP(ELWADD) | TX_PUT(ELWADD, instr_mod19, 2), 8, 1},
              {OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 2), 8, 1},
              {OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 4), 1, 4},
              {OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 2), 1, 1}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned side = 0; side < 2; side++)
      for (unsigned row = 0; row < 64; row++) {
        ready(NUM_BF16);
        unsigned align = side ? rows[i].b : rows[i].a;
        *(side ? &rig->rwc[0].srcb : &rig->rwc[0].srca) = (uint8_t)row;
        if (row % align == 0) quiet(rows[i].word);
        else found_once(TX_DIAG_SRC_ROW_ALIGNMENT, rows[i].word);
      }
}

static void test_implied_format_unset(void **state) {
  (void)state;
  static const uint32_t words[] = {OP(MVMUL), OP(ELWADD), OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 2)};
  for (unsigned i = 0; i < 3; i++) {
    ready(NUM_BF16);
    quiet(words[i]);
    rig->src.bank[TX_SRCA][0].filled = 0;
    found_once(TX_DIAG_IMPLIED_FORMAT_UNSET, words[i]);
    THREAD_CONFIG(0, DISABLE_IMPLIED_SRCA_FMT_Base, 1);
    CONFIG(ALU_FORMAT_SPEC_REG0_SrcA, NUM_BF16);
    uint64_t before = rig_found_any();
    rig_exec(0, words[i]);
    assert_int_equal(rig_found_any(), before);
  }
  ready(NUM_BF16);
  rig->src.bank[TX_SRCB][0].filled = 0;
  rig_exec(0, OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 4));
  assert_true(rig_found(TX_DIAG_IMPLIED_FORMAT_UNSET) > 0);
}

static void test_data_exponents(void **state) {
  (void)state;
  ready(NUM_FP16);
  rig->src.bank[TX_SRCA][0].datum[40][3] = 0x20; /* another block: not used, not reported */
  rig->src.bank[TX_SRCA][0].version++;
  quiet(OP(MVMUL));
  rig->src.bank[TX_SRCA][0].datum[15][3] = 0x20;
  rig->src.bank[TX_SRCA][0].version++;
  found_once(TX_DIAG_FP16_HIGH_EXPONENT, OP(MVMUL));
  ready(NUM_FP16);
  rig->src.bank[TX_SRCB][0].datum[4][3] = 0x8f;
  rig->src.bank[TX_SRCB][0].version++;
  quiet(GAPOOL_OK); /* rows 0..3 only */
  found_once(TX_DIAG_FP16_HIGH_EXPONENT, OP(MVMUL));

  rig_reset(NUM_INT8);
  CONFIG(ALU_ACC_CTRL_INT8_math_enabled, 1);
  for (unsigned which = 0; which < 2; which++)
    for (unsigned r = 0; r < 64; r++)
      for (unsigned c = 0; c < 16; c++) rig->src.bank[which][0].datum[r][c] = r & c ? (uint32_t)(r * c % 128) << 8 | 16 : 0;
  quiet(OP(MVMUL));
  quiet(OP(ELWADD));
  rig->src.bank[TX_SRCB][0].datum[7][0] = 1u << 8 | 15;
  rig->src.bank[TX_SRCB][0].version++;
  found_once(TX_DIAG_INT8_EXPONENT, OP(ELWADD));
}

static void test_foreign_banks(void **state) {
  (void)state;
  static const struct {
    uint32_t word;
    unsigned which;
  } rows[] = {{OP(MOVD2A) | TX_PUT(MOVD2A, instr_mod, 2), TX_SRCA},
              {OP(MOVD2B) | TX_PUT(MOVD2B, instr_mod, 2), TX_SRCB},
              {OP(MOVB2A) | TX_PUT(MOVB2A, instr_mod, 2), TX_SRCA},
              {OP(ZEROSRC) | 1u | 8u, TX_SRCA},
              {OP(ZEROSRC) | 2u | 8u, TX_SRCB}};
  for (unsigned i = 0; i < 5; i++) {
    ready(NUM_BF16);
    quiet(OP(MVMUL)); /* so that Dst rows 0..7 are there */
    quiet(rows[i].word);
    rig->src.bank[rows[i].which][0].owner = TX_CLIENT_UNPACKERS;
    found_once(TX_DIAG_BANK_TOUCH_FOREIGN, rows[i].word);
  }
  ready(NUM_BF16); /* the init form clears both banks of both, whichever unit owns them */
  for (unsigned which = 0; which < 2; which++)
    for (unsigned bank = 0; bank < 2; bank++) rig->src.bank[which][bank].owner = TX_CLIENT_UNPACKERS;
  quiet(OP(ZEROSRC) | 3u | 4u);
  quiet(OP(ZEROSRC) | 3u); /* the unpackers' own bank */
}

static void test_release_not_owned(void **state) {
  (void)state;
  ready(NUM_BF16);
  quiet(OP(CLEARDVALID) | TX_PUT(CLEARDVALID, cleardvalid, 3));
  quiet(OP(CLEARDVALID) | TX_PUT(CLEARDVALID, cleardvalid, 3));
  rig_exec(0, OP(CLEARDVALID) | TX_PUT(CLEARDVALID, cleardvalid, 3)); /* both banks of both were released before */
  assert_int_equal(rig_found(TX_DIAG_BANK_RELEASE_INVALID), 2);
}

static void test_zerosrc_steal(void **state) {
  (void)state;
  ready(NUM_BF16);
  rig->src.clear_at[TX_SRCA] = rig->engine.now + 1;
  quiet(OP(ZEROSRC) | 1u); /* the unpackers' bank: no conflict */
  rig->src.clear_at[TX_SRCA] = rig->engine.now + 1;
  found_once(TX_DIAG_ZEROSRC_STEAL, OP(ZEROSRC) | 1u | 8u);
  rig_exec(0, OP(ZEROSRC) | 1u | 8u); /* later: fine */
  assert_int_equal(rig_found(TX_DIAG_ZEROSRC_STEAL), 1);
}

static void test_shiftxa_bug_row(void **state) {
  (void)state;
  ready(NUM_BF16);
  rig->rwc[0].srca = 16;
  quiet(OP(ELWADD));
  quiet(OP(SHIFTXA) | 2u);
  rig->rwc[0].srca = 32; /* advanced without an instruction that uses a SrcA row */
  found_once(TX_DIAG_SHIFTXA_BUG_ROW, OP(SHIFTXA) | 2u);
}

/* --- Dst --- */

static void test_fidelity_in_add(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    uint32_t word = i ? OP(ELWSUB) : OP(ELWADD);
    ready(NUM_BF16);
    quiet(word);
    THREAD_CONFIG(0, FIDELITY_BASE_Phase, 3);
    rig->rwc[0].fidelity = 1; /* 3 + 1 = 0 */
    quiet(word);
    rig->rwc[0].fidelity = 2;
    found_once(TX_DIAG_FIDELITY_IN_ADD, word);
    uint64_t before = rig_found_any();
    rig_exec(0, OP(ELWMUL));
    assert_int_equal(rig_found_any(), before);
  }
}

static void test_elwmul_accumulate(void **state) {
  (void)state;
  ready(NUM_BF16);
  quiet(OP(ELWMUL));
  quiet(OP(ELWADD) | TX_PUT(ELWADD, dest_accum_en, 1));
  found_once(TX_DIAG_ELWMUL_ACCUM, OP(ELWMUL) | TX_PUT(ELWMUL, dest_accum_en, 1));
}

static void test_dst_alignment(void **state) {
  (void)state;
  static const struct {
    uint32_t word;
    unsigned align;
  } rows[] = {{OP(MVMUL), 8}, {OP(DOTPV), 8}, {OP(ELWADD), 8}, {OP(ELWSUB), 8}, {OP(ELWMUL), 8}, {GAPOOL_OK, 4}};
  for (unsigned i = 0; i < 6; i++)
    for (unsigned row = 0; row < 16; row++) {
      ready(NUM_BF16);
      if (row % rows[i].align == 0) quiet(rows[i].word | row);
      else found_once(TX_DIAG_DST_ALIGNMENT, rows[i].word | row);
    }
}

static void test_untested_modes(void **state) {
  (void)state;
  ready(NUM_BF16);
  for (unsigned c = 0; c < 16; c++) rig->src.bank[TX_SRCB][0].datum[0][c] = 127;
  quiet(GMPOOL_OK);
  quiet(GAPOOL_OK);
  found_once(TX_DIAG_UNTESTED_MODE, OP(MVMUL) | TX_PUT(MVMUL, instr_mod19, 1));
  found_once(TX_DIAG_UNTESTED_MODE, OP(GMPOOL));
  found_once(TX_DIAG_UNTESTED_MODE, OP(GAPOOL));
  found_once(TX_DIAG_UNTESTED_MODE, GMPOOL_OK | TX_PUT(GMPOOL, max_pool_index_en, 1));
}

/* The same mode at 64 rows is one finding, counted; another mode is another one. */
static void test_untested_mode_once(void **state) {
  (void)state;
  ready(NUM_BF16);
  uint32_t places = rig->diag.finding_count;
  quiet(OP(MOVA2D) | TX_PUT(MOVA2D, src, 5) | TX_PUT(MOVA2D, dst, 5)); /* one row: documented, by the path of eight */
  for (unsigned row = 0; row < 64; row++)
    found_once(TX_DIAG_UNTESTED_MODE,
               OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 1) | TX_PUT(MOVA2D, src, row) | TX_PUT(MOVA2D, dst, row));
  assert_int_equal(rig->diag.finding_count, places + 1);
  assert_int_equal(rig->diag.findings[places].count, 64);
  assert_string_equal(rig->diag.findings[places].why, "MOVA2D mode 1");
  found_once(TX_DIAG_UNTESTED_MODE, OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 3));
  assert_int_equal(rig->diag.finding_count, places + 2);
}

static void test_gmpool_scale(void **state) {
  (void)state;
  ready(NUM_BF16);
  for (unsigned c = 0; c < 16; c++) rig->src.bank[TX_SRCB][0].datum[0][c] = 127;
  quiet(GMPOOL_OK);
  rig->src.bank[TX_SRCB][0].datum[0][11] = 128;
  found_once(TX_DIAG_GMPOOL_SCALE, GMPOOL_OK);
}

static void test_zeroacc(void **state) {
  (void)state;
  ready(NUM_BF16);
  quiet(OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 3));
  quiet(OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 2) | 1);
  quiet(OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 1) | 63);
  found_once(TX_DIAG_ZEROACC_OUT_OF_RANGE, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 1) | 64);
  found_once(TX_DIAG_ZEROACC_INDEX, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 2) | 2);
  found_once(TX_DIAG_ZEROACC_INDEX, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 3) | 1);
  rig->dst.unpack_at = rig->engine.now + 1;
  found_once(TX_DIAG_ZEROACC_UNPACK_RACE, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 3));
}

static void test_power_on_read(void **state) {
  (void)state;
  ready(NUM_BF16);
  tx_dst_reset(rig);
  quiet(OP(ELWADD)); /* writes, does not read */
  quiet(OP(MVMUL));  /* reads what ELWADD wrote */
  rig_exec(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 64));
  assert_int_equal(rig_found(TX_DIAG_DST_UNDEFINED_READ), 8); /* eight rows, found in one place */
  assert_int_equal(rig->diag.finding_count, 1);
}

static void test_mixed_views(void **state) {
  (void)state;
  ready(NUM_BF16);
  quiet(OP(MVMUL));
  quiet(OP(MVMUL));
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
  rig_exec(0, OP(MVMUL));
  assert_int_equal(rig_found(TX_DIAG_DST_VIEW_MIXED), 8);
  rig_exec(0, OP(ZEROACC) | TX_PUT(ZEROACC, clear_mode, 3)); /* a clear makes both views valid */
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, 0);
  rig_exec(0, OP(MVMUL));
  assert_int_equal(rig_found(TX_DIAG_DST_VIEW_MIXED), 8);
}

/* Moves of bits over the halves of 32-bit rows leave 32-bit rows; moves of numbers, or onto other rows, do not. */
static void test_halves_of_wide_rows(void **state) {
  uint32_t move = OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 2);
  (void)state;
  for (unsigned opaque = 0; opaque < 2; opaque++)
    for (unsigned wide = 0; wide < 2; wide++) {
      ready(NUM_BF16);
      CONFIG(ALU_ACC_CTRL_Fp32_enabled, wide);
      quiet(OP(MVMUL)); /* rows 0 to 7 in this view */
      CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
      CONFIG(ALU_ACC_CTRL_Zero_Flag_disabled_src, opaque);
      quiet(move);
      quiet(move | TX_PUT(MOVA2D, dst, 8)); /* the low halves of the 32-bit rows 0 to 7 */
      rig_exec(0, OP(MVMUL));
      assert_int_equal(rig_found(TX_DIAG_DST_VIEW_MIXED), opaque && wide ? 0 : 8);
    }
}

static void test_remap_changed(void **state) {
  (void)state;
  ready(NUM_BF16);
  CONFIG(DEST_ACCESS_CFG_remap_addrs, 1); /* nothing live yet */
  quiet(OP(MVMUL));
  CONFIG(DEST_ACCESS_CFG_remap_addrs, 0);
  found_once(TX_DIAG_DST_REMAP_LIVE, OP(ELWADD) | TX_PUT(ELWADD, dst, 128));
}

/* ELWADD and ELWSUB that read Dst within three cycles of MOVA2D or MOVB2D to the same block: hardware does not stall
 * them. */
static void test_read_too_soon_after_a_move(void **state) {
  (void)state;
  for (unsigned gap = 1; gap < 6; gap++)
    for (unsigned other = 0; other < 3; other++) {
      ready(NUM_BF16);
      quiet(OP(ELWADD)); /* rows 0..7 are there */
      quiet(OP(ELWADD) | TX_PUT(ELWADD, dst, 8));
      rig_exec_only(0, OP(MOVA2D) | TX_PUT(MOVA2D, instr_mod, 2));
      rig->engine.now += gap;
      /* the same block, another block, the same block without reading it */
      rig_exec_only(0, OP(ELWADD) | TX_PUT(ELWADD, dest_accum_en, other != 2) | TX_PUT(ELWADD, dst, other == 1 ? 8 : 0));
      assert_int_equal(rig_found(TX_DIAG_DST_READ_TOO_SOON), gap < 4 && other == 0);
    }
}

static void test_movb2d_low_fp32(void **state) {
  (void)state;
  ready(NUM_BF16);
  uint32_t word = OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 4) | TX_PUT(MOVB2D, dest_32b_lo, 1);
  quiet(word); /* as LLK does: Fp32_enabled is off around it */
  CONFIG(ALU_ACC_CTRL_Fp32_enabled, 1);
  found_once(TX_DIAG_MOVB2D_LOW_FP32, word);
}

/* --- refused --- */

static void test_refused(void **state) {
  (void)state;
  static const uint32_t arithmetic[] = {OP(MVMUL), OP(DOTPV), OP(GAPOOL), OP(ELWADD), OP(ELWSUB), OP(ELWMUL), OP(GMPOOL)};
  for (unsigned i = 0; i < 7; i++) {
    for (unsigned code = 12; code < 14; code++) {
      ready(code);
      uint64_t version = rig->src.bank[0][0].version;
      rig_exec(0, arithmetic[i] | 3u << 22);
      assert_int_equal(rig->fault.kind, SIM_FAULT_UNSUPPORTED);
      assert_int_equal(rig->dst.valid[0], TX_DST_UNDEFINED); /* nothing happened */
      assert_int_equal(rig->src.matrix_bank[0], 0);
      assert_int_equal(rig->src.bank[0][0].version, version);
    }
  }
}

/* Undocumented and disabled instructions have no body: the dispatcher raises a fault with their name. */
static void test_undocumented_have_no_body(void **state) {
  (void)state;
  static const uint8_t opcodes[] = {TX_TRNSPSRCA,  TX_RAREB,     TX_SETASHRMH0, TX_SETASHRMH1, TX_SETASHRMV,
                                    TX_SETPKEDGOF, TX_SETASHRMH, TX_CONV3S1,    TX_CONV3S2,    TX_MPOOL3S1,
                                    TX_APOOL3S1,   TX_MPOOL3S2,  TX_APOOL3S2,   TX_SETIBRWC,   TX_MFCONV3S1};
  for (unsigned i = 0; i < sizeof opcodes; i++) {
    assert_int_equal(tx_ops[opcodes[i]].state, TX_OP_UNDOC);
    assert_null(tx_bodies[opcodes[i]]);
  }
  for (unsigned i = 0; i < 256; i++)
    if (tx_ops[i].name && tx_ops[i].unit == TX_UNIT_MATRIX && tx_ops[i].state != TX_OP_UNDOC) assert_non_null(tx_bodies[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_row_alignment),
      cmocka_unit_test(test_implied_format_unset),
      cmocka_unit_test(test_data_exponents),
      cmocka_unit_test(test_foreign_banks),
      cmocka_unit_test(test_release_not_owned),
      cmocka_unit_test(test_zerosrc_steal),
      cmocka_unit_test(test_shiftxa_bug_row),
      cmocka_unit_test(test_fidelity_in_add),
      cmocka_unit_test(test_elwmul_accumulate),
      cmocka_unit_test(test_dst_alignment),
      cmocka_unit_test(test_untested_modes),
      cmocka_unit_test(test_untested_mode_once),
      cmocka_unit_test(test_gmpool_scale),
      cmocka_unit_test(test_zeroacc),
      cmocka_unit_test(test_power_on_read),
      cmocka_unit_test(test_mixed_views),
      cmocka_unit_test(test_halves_of_wide_rows),
      cmocka_unit_test(test_remap_changed),
      cmocka_unit_test(test_read_too_soon_after_a_move),
      cmocka_unit_test(test_movb2d_low_fp32),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_undocumented_have_no_body),
  };
  return cmocka_run_group_tests(tests, rig_new, rig_free);
}
