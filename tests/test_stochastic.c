/* Stochastic rounding in the matrix unit and in the packer, against a generator and limits written out here from VectorUnit.md and
 * SFPSTOCHRND_FloatFloat.md. */
#include "matrix_rig.h"
#include "tensix/num/prng.h"

/* VectorUnit.md, AdvancePRNG: the bit from the top is the complement of the parity of four taps. */
static uint32_t advance(uint32_t *state) {
  uint32_t old = *state, taps = (old >> 31) + (old >> 21 & 1u) + (old >> 1 & 1u) + (old & 1u);
  *state = old / 2 + (taps % 2 ? 0 : 0x80000000u);
  return old;
}

static void seed_states(uint32_t seed, unsigned count, uint32_t *states) {
  for (unsigned i = 0; i < 32; i++) advance(&seed);
  for (unsigned i = count; i > 0; i--) {
    advance(&seed);
    advance(&seed);
    states[i - 1] = seed;
  }
}

static void generator_is_that_of_the_vector_unit(void **state) {
  (void)state;
  uint32_t mine = 0x1234567u, theirs = mine;
  for (unsigned i = 0; i < 100000; i++) assert_int_equal(num_prng_next(&theirs), advance(&mine));
  uint32_t all[32], lanes[32];
  tx_tile_reset(rig, true);
  tx_vector_seed_prng(rig, 77);
  memcpy(lanes, rig->vector.prng, sizeof lanes);
  seed_states(77, 32, all);
  assert_memory_equal(all, lanes, sizeof all);
}

#define BF16_ONE (127u) /* as a Src datum: exponent only */
#define SRC(exponent, mantissa7) ((mantissa7) << 11 | (exponent))

static void add_everywhere(uint32_t a, uint32_t b, bool stochastic) {
  rig_reset(NUM_BF16);
  CONFIG(ALU_ROUNDING_MODE_Fpu_srnd_en, stochastic);
  tx_config_write(rig, 0, TX_CFG_PRNG_SEED_Seed_Val_ADDR, 4711);
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) {
      rig->src.bank[TX_SRCA][0].datum[row][c] = a;
      rig->src.bank[TX_SRCB][0].datum[row][c] = b;
    }
  for (unsigned row = 0; row < 64; row += 8) rig_exec(0, OP(ELWADD) | row);
}

/* 1 + 2^-9 lies a quarter of the way from 1 to the next BF16: rounded up where a quarter is not below the limit. */
static void matrix_sums_round_by_chance(void **state) {
  (void)state;
  uint32_t prng[16];
  unsigned up = 0;
  add_everywhere(BF16_ONE, SRC(127 - 9, 0), true);
  seed_states(4711, 16, prng);
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) {
      uint32_t limit = (advance(&prng[c]) & 0x7fffffu) >> 7, more = 0x4000 >= limit;
      assert_int_equal(rig->dst.bits[row][c], more << 8 | 127);
      up += more;
    }
  assert_in_range(up, 1024 / 4 - 64, 1024 / 4 + 64);
  assert_int_equal(rig->fault.kind, SIM_FAULT_NONE);
  assert_true(rig_found(TX_DIAG_STOCHASTIC_INFERRED) > 0);
  add_everywhere(BF16_ONE, SRC(127 - 9, 0), false);
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) assert_int_equal(rig->dst.bits[row][c], 127);
  assert_int_equal(rig_found_any(), 0);
}

/* A product onto 4: each element becomes one of its two neighbours, half of them the upper one. */
static void matrix_products_stay_between_their_neighbours(void **state) {
  (void)state;
  rig_reset(NUM_BF16);
  CONFIG(ALU_ROUNDING_MODE_Fpu_srnd_en, 1);
  tx_config_write(rig, 0, TX_CFG_PRNG_SEED_Seed_Val_ADDR, 99);
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) {
      rig->src.bank[TX_SRCA][0].datum[row][c] = row % 16 ? 0 : BF16_ONE;
      rig->src.bank[TX_SRCB][0].datum[row][c] = c ? 0 : SRC(127, 2); /* 1 + 2^-6: phase 0 has all of it */
    }
  for (unsigned row = 0; row < 512; row++)
    for (unsigned c = 0; c < 16; c++) rig->dst.bits[row][c] = 127 + 2; /* 4 */
  memset(rig->dst.valid, 1, sizeof rig->dst.valid);
  unsigned up = 0;
  for (unsigned row = 0; row < 512; row += 8) rig_exec(0, OP(MVMUL) | row);
  for (unsigned row = 0; row < 512; row++)
    for (unsigned c = 0; c < 16; c++) { /* 5 + 2^-6: half a step above 5 */
      unsigned got = rig->dst.bits[row][c], five = 0x20u << 8 | 129, next = 0x21u << 8 | 129;
      assert_true(got == five || got == next);
      up += got == next;
    }
  assert_in_range(up, 8192 / 2 - 400, 8192 / 2 + 400);
}

/* --- packer --- */

static void set_up_packer(bool wide, unsigned intermediate, unsigned to, unsigned early, unsigned late) {
  unsigned bytes = wide ? 4 : 2;
  rig_reset(NUM_BF16);
  memset(rig->dst.valid, 1, sizeof rig->dst.valid);
  CONFIG(THCON_SEC0_REG1_L1_Dest_addr, 0x6000 - 1);
  CONFIG(THCON_SEC0_REG1_Disable_zero_compress, 1);
  CONFIG(THCON_SEC0_REG1_Exp_section_size, 4);
  CONFIG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
  CONFIG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  CONFIG(PCK_DEST_RD_CTRL_Read_32b_data, wide);
  CONFIG(ALU_FORMAT_SPEC_REG2_Dstacc, intermediate);
  CONFIG(THCON_SEC0_REG1_In_data_format, intermediate);
  CONFIG(THCON_SEC0_REG1_Out_data_format, to);
  CONFIG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
  CONFIG(ALU_ROUNDING_MODE_Gasket_srnd_en, early);
  CONFIG(ALU_ROUNDING_MODE_Packer_srnd_en, late);
  rig->adc[0].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 15;
  rig->config.thread_words[0][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR] = 4;
  tx_config_write(rig, 0, TX_CFG_PRNG_SEED_Seed_Val_ADDR, 1234);
}

static void pack_face(void) {
  for (unsigned i = 0; i < 4; i++) {
    uint32_t word = OP(PACR) | (i == 3 ? TX_PUT(PACR, last, 1) : 0);
    struct tx_cost cost = {.issue = 1};
    rig->current = (struct tx_current){.agent = tx_agent_of_thread(0), .word = word, .unit = TX_UNIT_PACK};
    tx_exec_PACR(rig, 0, word, &cost);
    rig_wait(100);
  }
  assert_int_equal(rig->fault.kind, SIM_FAULT_NONE);
}

/* FP32 in Dst to BF16 in L1 through the early conversion: 1 + 2^-9 again. */
static void early_conversion_rounds_by_chance(void **state) {
  (void)state;
  for (unsigned stochastic = 0; stochastic < 2; stochastic++) {
    uint32_t prng[16];
    set_up_packer(true, NUM_BF16, NUM_BF16, stochastic, 0);
    seed_states(1234, 16, prng);
    for (unsigned row = 0; row < 64; row++)
      for (unsigned c = 0; c < 16; c++) {
        bool low = row & 8u;
        rig->dst.bits[row][c] = low ? 0x4000 : 127; /* high: exponent 127; low: 2^-9 of the mantissa */
      }
    pack_face();
    for (unsigned i = 0; i < 256; i++) {
      unsigned got = rig->l1[0x60000 + 2 * i] | rig->l1[0x60001 + 2 * i] << 8;
      uint32_t limit = (advance(&prng[i % 16]) & 0x7fffffu) >> 7;
      assert_int_equal(got, 0x3f80 + (stochastic && 0x4000 >= limit));
    }
    assert_int_equal(rig_found(TX_DIAG_STOCHASTIC_INFERRED) > 0, stochastic);
  }
}

/* 1 + 2^-7 has one bit more than BFP8 holds: half a step. Round-to-nearest always rounds it up. */
static void late_conversion_rounds_by_chance(void **state) {
  (void)state;
  static const struct { uint8_t format, bits; } formats[] = {{NUM_BFP8, 8}, {NUM_BFP4, 4}, {NUM_BFP2, 2}};
  for (unsigned f = 0; f < 3; f++)
    for (unsigned stochastic = 0; stochastic < 2; stochastic++) {
      uint32_t prng[16];
      unsigned bits = formats[f].bits, up = 0;
      set_up_packer(false, NUM_BF16, formats[f].format, 0, stochastic);
      seed_states(1234, 16, prng);
      for (unsigned row = 0; row < 64; row++)
        for (unsigned c = 0; c < 16; c++) rig->dst.bits[row][c] = 0x1f00 | 127; /* 1 + 31/128: 0x9f of eight bits */
      pack_face();
      for (unsigned i = 0; i < 256; i++) { /* data after 64 bytes of exponents */
        unsigned bit = i * bits, got = rig->l1[0x60040 + bit / 8] >> bit % 8 & ((1u << bits) - 1u);
        uint32_t limit = (advance(&prng[i % 16]) & 0x7fffffu) >> 15, more = stochastic ? 0x80 >= limit : 1;
        assert_int_equal(got, (0x4f + more) >> (8 - bits));
        up += more;
      }
      if (stochastic) assert_in_range(up, 90, 170);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generator_is_that_of_the_vector_unit),
      cmocka_unit_test(matrix_sums_round_by_chance),
      cmocka_unit_test(matrix_products_stay_between_their_neighbours),
      cmocka_unit_test(early_conversion_rounds_by_chance),
      cmocka_unit_test(late_conversion_rounds_by_chance),
  };
  return cmocka_run_group_tests(tests, rig_new, rig_free);
}
