/* The configuration unit: the effect of its instructions on Config, when the effect becomes visible, and when an instruction may
 * enter the pipeline. Expectations are worked out by hand from the text and table of the pages. */
#include "rig.h"
#include "scale.h"
#include "stream_set.h"

static void exec(struct tx_tile *t, unsigned thread, uint32_t word) {
  struct tx_cost cost = {0};
  t->current = (struct tx_current){.agent = thread, .word = word, .unit = TX_UNIT_CONFIG};
  tx_bodies[word >> 24](t, thread, word, &cost);
}

static void run_to(struct tx_tile *t, sim_time at) {
  tx_tile_run(t, at);
  if (t->engine.now < at) t->engine.now = at; /* nothing left to do */
}

/* Executes one instruction and advances time until its effects have landed. */
static void exec_now(struct tx_tile *t, unsigned thread, uint32_t word) {
  exec(t, thread, word);
  run_to(t, t->engine.now + 16);
}

static uint32_t wrcfg(unsigned gpr, bool four, unsigned index) {
  return OP(WRCFG, TX_PUT(WRCFG, gpr_address, gpr) | TX_PUT(WRCFG, wr128b, four) | TX_PUT(WRCFG, cfg_reg, index));
}
static uint32_t rdcfg(unsigned gpr, unsigned index) {
  return OP(RDCFG, TX_PUT(RDCFG, gpr_address, gpr) | TX_PUT(RDCFG, cfg_reg, index));
}
static uint32_t setc16(unsigned index, unsigned value) {
  return OP(SETC16, TX_PUT(SETC16, setc16_reg, index) | TX_PUT(SETC16, setc16_value, value));
}
static uint32_t rmwcib(unsigned byte, unsigned mask, unsigned data, unsigned index) {
  return (uint32_t)(TX_RMWCIB0 + byte) << 24 | TX_PUT(RMWCIB0, mask, mask) | TX_PUT(RMWCIB0, data, data) |
         TX_PUT(RMWCIB0, cfg_reg_addr, index);
}
static uint32_t streamwrcfg(unsigned select, unsigned reg, unsigned index) {
  return OP(STREAMWRCFG, TX_PUT(STREAMWRCFG, stream_id_sel, select) | TX_PUT(STREAMWRCFG, stream_reg_addr, reg) |
                             TX_PUT(STREAMWRCFG, cfg_reg, index));
}
static uint32_t shiftmask(unsigned keep, unsigned op, unsigned width, unsigned by, unsigned scratch, unsigned index) {
  return OP(CFGSHIFTMASK, TX_PUT(CFGSHIFTMASK, disable_mask_on_old_val, keep) | TX_PUT(CFGSHIFTMASK, operation, op) |
                              TX_PUT(CFGSHIFTMASK, mask_width, width) | TX_PUT(CFGSHIFTMASK, right_cshift_amt, by) |
                              TX_PUT(CFGSHIFTMASK, scratch_sel, scratch) | TX_PUT(CFGSHIFTMASK, cfg_reg, index));
}

/* --- CFGSHIFTMASK, one bit at a time --- */

/* Bit i of the operand comes from bit i + by of the scratch word when that lies within the mask. */
static unsigned bit_of(uint32_t value, unsigned i) { return value >> (i % 32) & 1u; }

static uint32_t expect_shiftmask(uint32_t old, uint32_t scratch, unsigned keep, unsigned op, unsigned width, unsigned by) {
  uint32_t result = 0;
  unsigned carry = op == 7; /* subtraction adds the complement plus one */
  for (unsigned i = 0; i < 32; i++) {
    unsigned from = (i + by) % 32, inside = from <= width;
    unsigned o = inside ? bit_of(scratch, from) : 0, v = bit_of(old, i), r;
    if (!keep && inside) v = 0;
    switch (op) {
      case 0: r = v | o; break;
      case 1: r = v & o; break;
      case 2: r = v ^ o; break;
      case 4: r = v | !o; break;
      case 5: r = v & !o; break;
      case 6: r = v ^ !o; break;
      default: {
        unsigned addend = op == 7 ? !o : o;
        r = v ^ addend ^ carry;
        carry = (v & addend) | (v & carry) | (addend & carry);
      }
    }
    result |= r << i;
  }
  return result;
}

static void shift_mask_does_all_operations_widths_and_rotations(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(false);
  uint64_t seed = 7;
  for (uint64_t round = 0; round < test_scaled(4); round++)
    for (unsigned combination = 0; combination < 2u * 8 * 32 * 32; combination++) {
      unsigned keep = combination & 1u, op = combination >> 1 & 7u, width = combination >> 4 & 31u,
               by = combination >> 9 & 31u;
      unsigned thread = (unsigned)(rig_random(&seed) % 3), section = (unsigned)(rig_random(&seed) % 4);
      uint32_t old = (uint32_t)rig_random(&seed);
      for (unsigned i = 0; i < 3; i++) tx_config_write(t, 0, 209 + i, (uint32_t)rig_random(&seed));
      uint32_t scratch = t->config.words[0][209 + (section == 3 ? thread : section)];
      tx_config_write(t, 0, 76, old);
      exec(t, thread, shiftmask(keep, op, width, by, section, 76));
      run_to(t, t->engine.now + 1);
      assert_int_equal(t->config.words[0][76], expect_shiftmask(old, scratch, keep, op, width, by));
      assert_int_equal(t->config.words[1][76], 0);
    }
  tile_give_back(t);
}

/* LLK's use: base address += scratch of the own thread. */
static void shift_mask_adds_the_own_scratch_register(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  tx_config_write(t, 0, 211, 0x40);
  tx_config_write(t, 0, 76, 0x1230);
  exec_now(t, 2, shiftmask(1, 3, 31, 0, 3, 76));
  assert_int_equal(t->config.words[0][76], 0x1270);
  tile_give_back(t);
}

/* --- the other instructions --- */

static void rmwcib_changes_the_masked_bits_of_one_byte(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(false);
  uint64_t seed = 11;
  for (uint64_t round = 0; round < test_scaled(20000); round++) {
    unsigned byte = (unsigned)(rig_random(&seed) % 4), mask = (unsigned)(rig_random(&seed) & 0xff);
    unsigned data = (unsigned)(rig_random(&seed) & 0xff), index = (unsigned)(rig_random(&seed) % TX_CFG_WORDS);
    uint32_t old = (uint32_t)rig_random(&seed), expected = 0;
    t->config.words[0][index] = old &= t->config.assigned[index];
    data &= t->config.assigned[index] >> (8 * byte);
    for (unsigned i = 0; i < 32; i++) {
      bool taken = i / 8 == byte && (mask >> (i % 8) & 1u);
      expected |= (taken ? data >> (i % 8) & 1u : bit_of(old, i)) << i;
    }
    exec(t, 0, rmwcib(byte, mask, data, index));
    run_to(t, t->engine.now + 1);
    assert_int_equal(t->config.words[0][index], expected);
  }
  tile_give_back(t);
}

/* The masks are the values that the golden model returns after a write of all ones. */
static void bits_that_no_field_names_read_as_zero(void **state) {
  static const uint32_t kept[][2] = {{3, 0x1fffffff},   {17, 0x3ffff},     {18, 0xf},         {24, 0x1ffffff},
                                     {64, 0xffffffff},  {65, 0xffffffff},  {71, 0xffdfffff},  {73, 0xffff1fff},
                                     {76, 0xffffffff},  {112, 0xffffffff}, {113, 0xffffffff}, {121, 0xffff1fff},
                                     {209, 0xffffffff}, {220, 0xf}};
  (void)state;
  for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++) {
    struct tx_tile *t = rig_tile(false);
    unsigned index = kept[i][0];
    t->scalar.gpr[1][4] = 0xffffffff;
    exec_now(t, 1, wrcfg(4, false, index));
    exec_now(t, 1, rdcfg(40, index));
    assert_int_equal(t->scalar.gpr[1][40], kept[i][1]);
    tx_config_write(t, 0, index, 0);
    for (unsigned byte = 0; byte < 4; byte++) exec_now(t, 1, rmwcib(byte, 0xff, 0xff, index));
    assert_int_equal(tx_config_word(t, 1, index), kept[i][1]);
    tile_give_back(t);
  }
}

static void a_thread_writes_and_reads_the_bank_it_has_chosen(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = rig_tile(timing);
    for (unsigned thread = 0; thread < 3; thread++) {
      unsigned bank = thread & 1u;
      exec_now(t, thread, setc16(0, bank));
      t->scalar.gpr[thread][9] = 0x1000 + thread;
      exec_now(t, thread, wrcfg(9, false, 20 + thread));
      assert_int_equal(t->config.words[bank][20 + thread], 0x1000 + thread);
      assert_int_equal(t->config.words[bank ^ 1][20 + thread], 0);
      exec_now(t, thread, rdcfg(63, 20 + thread));
      assert_int_equal(t->scalar.gpr[thread][63], 0x1000 + thread);
      exec_now(t, thread, wrcfg(9, false, 200)); /* not banked */
      assert_int_equal(t->config.words[0][200], 0x1000 + thread);
      assert_int_equal(t->config.words[1][200], 0x1000 + thread);
    }
    assert_int_equal(t->diag.counts[TX_DIAG_STATE_ID_UNSET], 0);
    tile_give_back(t);
  }
}

/* An effect would end the turn of the thread. */
static void without_timing_writes_take_effect_at_once(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(false);
  for (unsigned i = 0; i < 4; i++) t->scalar.gpr[1][8 + i] = 0x11 + i;
  exec(t, 1, wrcfg(9, false, 60));
  exec(t, 1, wrcfg(8, true, 64));
  exec(t, 1, rmwcib(0, 0xff, 0x77, 65));
  exec(t, 1,
       OP(REG2FLOP, TX_PUT(REG2FLOP, size_sel, 1) | TX_PUT(REG2FLOP, flop_index, 4) | TX_PUT(REG2FLOP, reg_index, 11)));
  assert_int_equal(t->engine.effect_count, 0);
  assert_int_equal(t->config.words[0][60], 0x12);
  assert_int_equal(t->config.words[0][64], 0x11);
  assert_int_equal(t->config.words[0][65], 0x77);
  assert_int_equal(t->config.words[0][67], 0x14);
  assert_int_equal(t->config.words[0][TX_CFG_THCON_BASE + 4], 0x14);
  tile_give_back(t);
}

static void wide_writes_go_to_aligned_groups(void **state) {
  (void)state;
  for (unsigned low = 0; low < 16; low++) {
    struct tx_tile *t = rig_tile(true);
    unsigned reg = 20 + low / 4, index = 64 + low % 4;
    for (unsigned i = 0; i < 64; i++) t->scalar.gpr[1][i] = 0xa0 + i;
    exec_now(t, 1, wrcfg(reg, true, index));
    for (unsigned i = 0; i < 8; i++) assert_int_equal(t->config.words[0][64 + i], i < 4 ? 0xa0 + (reg & ~3u) + i : 0);
    assert_int_equal(t->diag.counts[TX_DIAG_WRCFG_UNALIGNED], index % 4 != 0);
    tile_give_back(t);
  }
}

static void a_write_to_state_reset_clears_the_banked_words(void **state) {
  (void)state;
  for (unsigned how = 0; how < 4; how++) {
    struct tx_tile *t = rig_tile(true);
    exec_now(t, 0, setc16(0, 1));
    for (unsigned i = 0; i < TX_CFG_WORDS; i++) t->config.words[0][i] = t->config.words[1][i] = 0x55;
    const uint32_t words[4] = {wrcfg(0, false, 4), rmwcib(0, 0xff, 1, 4), shiftmask(0, 0, 31, 0, 0, 4),
                               streamwrcfg(0, 8, 4)};
    exec_now(t, 0, words[how]);
    bool resets = how != 1;
    for (unsigned i = 0; i < TX_CFG_WORDS; i++) {
      uint32_t expected = i >= 180 || !resets ? 0x55 : 0;
      if (!resets && i == 4) expected = 1;
      assert_int_equal(t->config.words[1][i], expected);
      assert_int_equal(t->config.words[0][i], 0x55);
    }
    assert_int_equal(t->diag.counts[TX_DIAG_STATE_RESET], resets);
    tile_give_back(t);
  }
}

static void words_that_trigger_something_are_noted(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->scalar.gpr[0][1] = 0xdeadbeef;
  exec_now(t, 0, wrcfg(1, false, 186));
  assert_int_equal(t->config.prng_seed, 0xdeadbeef);
  assert_int_equal(t->config.prng_seedings, 1);
  t->scalar.gpr[0][1] = 0x3f;
  exec_now(t, 0, wrcfg(1, false, 185));
  assert_int_equal(t->config.ic_invalidate, 0x1f);
  t->unpack.context_counter[0][2] = t->unpack.context_counter[0][0] = 3;
  exec_now(t, 2, setc16(41, 1u << TX_CFG_UNPACK_MISC_CFG_CfgContextCntReset_0_SHIFT));
  assert_int_equal(t->unpack.context_counter[0][2], 0);
  assert_int_equal(t->unpack.context_counter[0][0], 3);
  tile_give_back(t);
}

static void every_write_changes_the_version(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  const uint32_t words[] = {setc16(1, 0),       wrcfg(0, false, 9),          wrcfg(0, true, 8),
                            rmwcib(2, 1, 1, 9), shiftmask(0, 0, 0, 0, 0, 9), streamwrcfg(0, 29, 9),
                            wrcfg(0, false, 4)};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    uint64_t before = t->config.version;
    exec_now(t, 0, words[i]);
    assert_true(t->config.version > before);
  }
  tile_give_back(t);
}

static void stream_registers_reach_config(void **state) {
  (void)state;
  for (unsigned select = 0; select < 4; select++) {
    struct tx_tile *t = rig_tile(true);
    exec_now(t, 1, setc16(59 + select, 40 + select));
    stream_set(t, 40 + select, TX_STREAM_PHASE, 77 + select);
    stream_set(t, 40 + select, TX_STREAM_MESSAGES, 99);
    exec_now(t, 1, streamwrcfg(select, 29, 50));
    assert_int_equal(t->config.words[0][50], 77 + select);
    exec_now(t, 1, streamwrcfg(select, 259, 50));
    assert_int_equal(t->config.words[0][50], 99);
    exec(t, 1, streamwrcfg(select, 100, 50));
    assert_int_equal(t->fault.kind, SIM_FAULT_UNSUPPORTED);
    tile_give_back(t);
  }
}

static void indices_out_of_range_are_faults(void **state) {
  (void)state;
  const uint32_t words[] = {wrcfg(0, false, 224),    wrcfg(0, true, 2047), rdcfg(0, 224),
                            rmwcib(0, 1, 1, 224),    rmwcib(3, 1, 1, 255), shiftmask(0, 0, 0, 0, 0, 224),
                            streamwrcfg(0, 29, 224), setc16(68, 0),        setc16(255, 0)};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    struct tx_tile *t = rig_tile(true);
    exec(t, 0, words[i]);
    assert_int_equal(t->fault.kind, SIM_FAULT_UNDEFINED);
    assert_int_equal(t->engine.effect_count, 0);
    tile_give_back(t);
  }
}

/* --- when effects become visible: ConfigurationUnit.md's latencies --- */

static void writes_land_after_their_documented_latency(void **state) {
  (void)state;
  const struct {
    uint32_t word;
    unsigned latency;
  } cases[] = {{rmwcib(0, 0xff, 0x77, 30), 1},
               {wrcfg(5, false, 30), 2},
               {shiftmask(0, 0, 31, 0, 0, 30), 2},
               {streamwrcfg(0, 29, 30), 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tx_tile *t = rig_tile(true);
    t->scalar.gpr[0][5] = 0x77;
    tx_config_write(t, 0, 209, 0x77);
    stream_set(t, 0, TX_STREAM_PHASE, 0x77);
    exec(t, 0, cases[i].word);
    for (unsigned cycle = 1; cycle <= 6; cycle++) {
      run_to(t, 100 + cycle);
      assert_int_equal(t->config.words[0][30], cycle >= cases[i].latency ? 0x77 : 0);
    }
    assert_int_equal(t->config.busy_until, 100 + cases[i].latency + 1); /* C12: one cycle beyond stage 0, silicon */
    tile_give_back(t);
  }
}

static void rdcfg_delivers_after_two_cycles_and_an_early_reader_is_told(void **state) {
  (void)state;
  for (unsigned early = 0; early < 2; early++) {
    struct tx_tile *t = rig_tile(true);
    tx_config_write(t, 0, 30, 0x1234);
    exec(t, 0, rdcfg(8, 30));
    run_to(t, early ? 101 : 102);
    exec(t, 0, wrcfg(8, false, 31));
    run_to(t, 110);
    assert_int_equal(t->config.words[0][31], early ? 0 : 0x1234);
    assert_int_equal(t->diag.counts[TX_DIAG_GPR_READ_TOO_SOON], early);
    tile_give_back(t);
  }
}

/* --- the pipeline compared with a list of its stages --- */

struct in_pipe {
  int stage;
  bool older; /* entered in an earlier cycle */
};

static bool may_enter(const struct in_pipe *ops, unsigned count, int stage, bool twice) {
  for (unsigned i = 0; i < count; i++) {
    if (ops[i].stage > 0) continue;
    if (ops[i].stage == stage || (twice && ops[i].stage == 0)) return false;
    if (ops[i].older && ops[i].stage >= -3 && ops[i].stage < stage) return false;
  }
  return true;
}

static void entry_follows_the_page_for_any_mixture(void **state) {
  (void)state;
  static const struct {
    uint8_t opcode;
    int stage;
  } kinds[] = {{TX_STREAMWRCFG, -4}, {TX_WRCFG, -1}, {TX_CFGSHIFTMASK, -1}, {TX_RMWCIB0, 0}, {TX_RDCFG, 0}};
  uint64_t seed = 3;
  for (uint64_t round = 0; round < test_scaled(200); round++) {
    struct tx_tile *t = rig_tile(true);
    struct in_pipe ops[64];
    unsigned count = 0;
    for (unsigned cycle = 0; cycle < 100; cycle++) {
      unsigned attempts = (unsigned)(rig_random(&seed) % 4);
      for (unsigned a = 0; a < attempts; a++) {
        unsigned k = (unsigned)(rig_random(&seed) % 6);
        if (k == 5) { /* a core's request */
          bool entered = may_enter(ops, count, 0, false);
          assert_int_equal(tx_config_core_enter(t), entered);
          if (entered) ops[count++] = (struct in_pipe){.stage = 0};
          continue;
        }
        bool twice = kinds[k].opcode == TX_CFGSHIFTMASK, expected = may_enter(ops, count, kinds[k].stage, twice);
        struct tx_answer answer = {.ok = true};
        tx_config_ready(t, 0, (uint32_t)kinds[k].opcode << 24, &answer);
        assert_int_equal(answer.ok, expected);
        if (!answer.ok) {
          assert_true(answer.retry_at > t->engine.now && answer.retry_at <= t->engine.now + 6);
          continue;
        }
        tx_config_enter(t, kinds[k].stage, twice);
        ops[count++] = (struct in_pipe){.stage = kinds[k].stage};
        if (twice) ops[count++] = (struct in_pipe){.stage = 0}; /* its first half; the other follows one stage after */
      }
      t->engine.now++;
      unsigned kept = 0;
      for (unsigned i = 0; i < count; i++)
        if (ops[i].stage < 0) ops[kept++] = (struct in_pipe){.stage = ops[i].stage + 1, .older = true};
      count = kept;
    }
    tile_give_back(t);
  }
}

/* Distance in cycles between two instructions of one thread, worked out by hand from the page's table. */
static void pairs_of_one_thread_keep_their_distance(void **state) {
  (void)state;
  enum { S, W, M, R, D, C, KINDS };
  static const uint8_t distance[KINDS][KINDS] = {
      /*              STREAMWRCFG WRCFG CFGSHIFTMASK RMWCIB RDCFG SETC16 */
      [S /* STREAM */] = {1, 4, 5, 5, 5, 1}, [W /* WRCFG  */] = {1, 1, 2, 2, 2, 1}, [M /* SHIFT  */] = {1, 1, 2, 2, 2, 1},
      [R /* RMWCIB */] = {1, 1, 1, 1, 1, 1}, [D /* RDCFG  */] = {1, 1, 1, 1, 1, 1}, [C /* SETC16 */] = {1, 1, 1, 1, 1, 1},
  };
  for (unsigned a = 0; a < KINDS; a++)
    for (unsigned b = 0; b < KINDS; b++) {
      const uint32_t words[KINDS] = {streamwrcfg(0, 29, 30), wrcfg(1, false, 31), shiftmask(0, 0, 0, 0, 0, 32),
                                     rmwcib(1, 1, 1, 33),    rdcfg(2, 34),        setc16(1, 0)};
      struct rig *r = rig_new(true);
      rig_push(r, 1, words[a]);
      rig_push(r, 1, words[b]);
      rig_run_well(r);
      assert_int_equal(r->issue_count, 2);
      assert_int_equal(r->issues[1].at - r->issues[0].at, distance[a][b]);
      rig_free(r);
    }
}

static void long_runs_have_the_documented_throughput(void **state) {
  (void)state;
  const struct {
    uint32_t word;
    unsigned cycles;
  } cases[] = {{wrcfg(1, false, 31), 1},    {rmwcib(0, 1, 1, 31), 1},          {rdcfg(1, 31), 1},
               {streamwrcfg(0, 29, 31), 1}, {shiftmask(0, 0, 0, 0, 0, 31), 2}, {setc16(1, 0), 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned threads = 1; threads <= 3; threads++) {
      struct rig *r = rig_new(true);
      for (unsigned k = 0; k < threads; k++) rig_push_times(r, k, cases[i].word, 40);
      rig_run_well(r);
      assert_int_equal(r->issue_count, 40 * threads);
      sim_time took = r->issues[r->issue_count - 1].at - r->issues[0].at;
      unsigned shared = cases[i].word >> 24 == TX_SETC16 ? 1 : threads; /* three SETC16 per cycle, one of the others */
      assert_in_range(took, (40 * shared - 1) * cases[i].cycles, (40 * shared + 1) * cases[i].cycles);
      rig_free(r);
    }
}

/* No other instruction enters stage 0 between the halves of a CFGSHIFTMASK, nor in the cycle in which it enters. */
static void a_shift_mask_and_another_thread_never_share_stage_0(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push_times(r, 0, shiftmask(1, 3, 31, 0, 0, 30), 50);
  rig_push_times(r, 1, rmwcib(0, 0, 0, 30), 50);
  rig_run_well(r);
  for (size_t i = 0; i < r->issue_count; i++)
    for (size_t k = 0; k < r->issue_count; k++) {
      if (r->issues[i].word >> 24 != TX_CFGSHIFTMASK || r->issues[k].word >> 24 != TX_RMWCIB0) continue;
      assert_true(r->issues[k].at != r->issues[i].at && r->issues[k].at != r->issues[i].at + 1);
    }
  rig_free(r);
}

/* --- findings --- */

static void a_reader_right_after_a_write_is_reported(void **state) {
  (void)state;
  const struct {
    uint32_t write, reader;
    unsigned after;
    bool finding;
  } cases[] = {
      {wrcfg(1, false, 1), OP(MVMUL, 0), 1, true},   /* ALU format and the matrix unit */
      {wrcfg(1, false, 1), OP(MVMUL, 0), 2, false},  /* one NOP between them */
      {wrcfg(1, false, 1), OP(NOP, 0), 1, false},    /* the NOP itself */
      {wrcfg(1, false, 1), OP(SETRWC, 0), 1, false}, /* reads no Config */
      {wrcfg(1, false, 64), OP(MVMUL, 0), 1, false}, /* an unpacker's word */
      {wrcfg(1, false, 64), OP(UNPACR, 0), 1, true},
      {wrcfg(1, true, 12), OP(PACR, 0), 1, true},
      {shiftmask(1, 3, 31, 0, 3, 76), OP(UNPACR, 0), 1, true},
      {shiftmask(1, 3, 31, 0, 3, 76), OP(UNPACR, 0), 2, false},
      {rmwcib(0, 1, 1, 64), OP(UNPACR, 0), 1, false}, /* one cycle */
      {streamwrcfg(0, 29, 64), OP(UNPACR, 0), 4, true},
      {streamwrcfg(0, 29, 64), OP(UNPACR, 0), 5, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tx_tile *t = rig_tile(true);
    exec(t, 0, cases[i].write);
    run_to(t, 100 + cases[i].after);
    if (t->config.pending_until[0] > t->engine.now) tx_config_check_reader(t, 0, cases[i].reader); /* as the gate does */
    assert_int_equal(t->diag.counts[TX_DIAG_CFG_READ_TOO_SOON], cases[i].finding);
    tile_give_back(t);
  }
}

static void the_gate_asks_about_readers(void **state) {
  (void)state;
  for (unsigned nops = 0; nops < 2; nops++) {
    struct rig *r = rig_new(true);
    rig_push(r, 0, wrcfg(1, false, 220));
    rig_push_times(r, 0, OP(NOP, 0), nops);
    rig_push(r, 0, OP(XMOV, 0)); /* reads THCON words, not 220 */
    rig_push(r, 0, wrcfg(1, false, 90));
    rig_push_times(r, 0, OP(NOP, 0), nops);
    rig_push(r, 0, OP(XMOV, 0));
    rig_run(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_CFG_READ_TOO_SOON], nops ? 0 : 1);
    rig_free(r);
  }
}

static void bank_must_be_chosen_where_both_are_in_use(void **state) {
  (void)state;
  enum { ALL_IN_BANK_0, CHOSEN, OTHER_THREAD, CORE, GLOBAL, CASES };
  for (unsigned how = 0; how < CASES; how++) {
    struct tx_tile *t = rig_tile(true);
    if (how == CHOSEN) exec_now(t, 0, setc16(0, 0));
    if (how == CHOSEN || how == OTHER_THREAD || how == GLOBAL) exec_now(t, 1, setc16(0, 1));
    if (how == CORE) tx_config_write(t, 1, 21, 7);
    unsigned index = how == GLOBAL ? 209 : 20;
    exec_now(t, 0, wrcfg(1, false, index));
    exec_now(t, 0, rdcfg(1, index));
    exec_now(t, 1, wrcfg(1, false, 20));
    assert_int_equal(t->diag.counts[TX_DIAG_STATE_ID_UNSET], how == OTHER_THREAD || how == CORE ? 1 + (how == CORE) : 0);
    tile_give_back(t);
  }
}

/* With the default of one cycle in stage -4 a thread cannot overtake its own STREAMWRCFG; under contention it can. */
static void overtaking_a_stream_write_is_reported(void **state) {
  (void)state;
  for (uint32_t prepare = 1; prepare <= 3; prepare += 2) {
    struct rig *r = rig_new(true);
    r->t->params.stream_prepare_cycles = prepare;
    stream_set(r->t, 0, TX_STREAM_PHASE, 5);
    rig_push(r, 0, setc16(0, 0));
    rig_push(r, 0, streamwrcfg(0, 29, 30));
    rig_push(r, 0, rmwcib(0, 0xff, 9, 30));
    rig_run_well(r);
    sim_time distance = rig_issued(r, 0, TX_RMWCIB0, 0)->at - rig_issued(r, 0, TX_STREAMWRCFG, 0)->at;
    assert_int_equal(distance, prepare == 1 ? 5 : 1);
    assert_int_equal(r->t->config.words[0][30], prepare == 1 ? 9 : 5); /* the later one in program order loses */
    assert_int_equal(r->t->diag.counts[TX_DIAG_STREAMWRCFG_OVERTAKEN], prepare == 1 ? 0 : 1);
    rig_free(r);
  }
}

static void a_lost_update_between_threads_is_reported(void **state) {
  (void)state;
  for (unsigned intruder = 0; intruder < 3; intruder++) { /* none, between read and write, after the write */
    struct tx_tile *t = rig_tile(true);
    for (unsigned thread = 0; thread < 3; thread++) exec_now(t, thread, setc16(0, 0));
    exec_now(t, 0, rdcfg(4, 12));
    if (intruder == 1) exec_now(t, 1, rmwcib(1, 0xff, 0x80, 12));
    t->scalar.gpr[0][4] |= 1;
    exec_now(t, 0, wrcfg(4, false, 12));
    if (intruder == 2) exec_now(t, 1, rmwcib(1, 0xff, 0x80, 12));
    assert_int_equal(t->diag.counts[TX_DIAG_CFG_SHARED_RMW], intruder == 1);
    assert_int_equal(t->config.words[0][12], intruder == 2 ? 0x8001 : 1);
    tile_give_back(t);
  }
}

static void undocumented_address_mode_bits_are_reported(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  exec_now(t, 0, setc16(20, 0));
  exec_now(t, 0, setc16(28, 1));
  assert_int_equal(t->diag.counts[TX_DIAG_ADDR_MOD_AB2], 0);
  exec_now(t, 0, setc16(27, 1));
  assert_int_equal(t->diag.counts[TX_DIAG_ADDR_MOD_AB2], 1);
  tile_give_back(t);
}

/* Dst has 1024 rows; kernels set the row at which the next tile begins. */
static void a_tile_beyond_dst_is_reported(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  exec_now(t, 1, setc16(TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 15 * 64));
  exec_now(t, 1, setc16(TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR + 1, 20 * 64));
  assert_int_equal(t->diag.counts[TX_DIAG_DST_BEYOND], 0);
  exec_now(t, 1, setc16(TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR, 20 * 64));
  assert_int_equal(t->diag.counts[TX_DIAG_DST_BEYOND], 1);
  tile_give_back(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shift_mask_does_all_operations_widths_and_rotations),
      cmocka_unit_test(shift_mask_adds_the_own_scratch_register),
      cmocka_unit_test(rmwcib_changes_the_masked_bits_of_one_byte),
      cmocka_unit_test(bits_that_no_field_names_read_as_zero),
      cmocka_unit_test(a_thread_writes_and_reads_the_bank_it_has_chosen),
      cmocka_unit_test(without_timing_writes_take_effect_at_once),
      cmocka_unit_test(wide_writes_go_to_aligned_groups),
      cmocka_unit_test(a_write_to_state_reset_clears_the_banked_words),
      cmocka_unit_test(words_that_trigger_something_are_noted),
      cmocka_unit_test(every_write_changes_the_version),
      cmocka_unit_test(stream_registers_reach_config),
      cmocka_unit_test(indices_out_of_range_are_faults),
      cmocka_unit_test(writes_land_after_their_documented_latency),
      cmocka_unit_test(rdcfg_delivers_after_two_cycles_and_an_early_reader_is_told),
      cmocka_unit_test(entry_follows_the_page_for_any_mixture),
      cmocka_unit_test(pairs_of_one_thread_keep_their_distance),
      cmocka_unit_test(long_runs_have_the_documented_throughput),
      cmocka_unit_test(a_shift_mask_and_another_thread_never_share_stage_0),
      cmocka_unit_test(a_reader_right_after_a_write_is_reported),
      cmocka_unit_test(the_gate_asks_about_readers),
      cmocka_unit_test(bank_must_be_chosen_where_both_are_in_use),
      cmocka_unit_test(overtaking_a_stream_write_is_reported),
      cmocka_unit_test(a_lost_update_between_threads_is_reported),
      cmocka_unit_test(undocumented_address_mode_bits_are_reported),
      cmocka_unit_test(a_tile_beyond_dst_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
