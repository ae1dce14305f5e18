/* The scalar unit: arithmetic, SETDMAREG, REG2FLOP, loads, stores and atomics, each against its page, restated here in
 * another form (tables, byte arrays, 64-bit arithmetic); costs; waiting inside the unit; what it reports and refuses. */
#include "rig.h"
#include "scale.h"

static struct tx_cost exec(struct tx_tile *t, unsigned thread, uint32_t word) {
  struct tx_cost cost = {.thread = 1};
  t->current = (struct tx_current){.agent = thread, .word = word, .unit = TX_UNIT_SCALAR};
  tx_bodies[word >> 24](t, thread, word, &cost);
  return cost;
}

static void run_to(struct tx_tile *t, sim_time at) {
  tx_tile_run(t, at);
  if (t->engine.now < at) t->engine.now = at;
}

static void exec_now(struct tx_tile *t, unsigned thread, uint32_t word) {
  exec(t, thread, word);
  run_to(t, t->engine.now + 64);
}

static void put_word(struct tx_tile *t, uint32_t address, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) t->l1[address + i] = (uint8_t)(value >> (8 * i));
}
static uint32_t word_at(const struct tx_tile *t, uint32_t address) {
  return (uint32_t)t->l1[address] | (uint32_t)t->l1[address + 1] << 8 | (uint32_t)t->l1[address + 2] << 16 |
         (uint32_t)t->l1[address + 3] << 24;
}

static uint32_t alu(uint8_t opcode, unsigned constant, unsigned mode, unsigned result, unsigned b, unsigned a) {
  return (uint32_t)opcode << 24 | constant << 23 | mode << 18 | result << 12 | b << 6 | a;
}
static uint32_t setdmareg(unsigned half, unsigned value) { return OP(SETDMAREG, value << 8 | half); }
static uint32_t special(unsigned size, unsigned packers, unsigned source, unsigned half, unsigned result) {
  return OP(SETDMAREG, size << 22 | (packers << 7 | source << 3 | half) << 8 | 1u << 7 | result);
}
static uint32_t indirect(uint8_t opcode, unsigned top, unsigned half, unsigned increment, unsigned data, unsigned address) {
  return (uint32_t)opcode << 24 | top << 21 | half << 14 | increment << 12 | data << 6 | address;
}
static uint32_t loadind(unsigned size, unsigned half, unsigned increment, unsigned data, unsigned address) {
  return indirect(TX_LOADIND, size << 1, half, increment, data, address);
}
static uint32_t storeind_l1(unsigned size, unsigned half, unsigned increment, unsigned data, unsigned address) {
  return indirect(TX_STOREIND, 4 | size, half, increment, data, address);
}

/* --- arithmetic --- */

static uint64_t expect_alu(uint8_t opcode, unsigned mode, uint64_t a, uint64_t b) {
  switch (opcode) {
    case TX_ADDDMAREG: return (a + b) % (UINT64_C(1) << 32);
    case TX_SUBDMAREG: return ((UINT64_C(1) << 32) + a - b) % (UINT64_C(1) << 32);
    case TX_MULDMAREG: return (a % 65536) * (b % 65536);
    case TX_BITWOPDMAREG: {
      uint64_t r = 0;
      for (unsigned i = 0; i < 32; i++) {
        unsigned x = a >> i & 1u, y = b >> i & 1u, ones = x + y;
        r |= (uint64_t)(mode == 0 ? ones == 2 : mode == 1 ? ones != 0 : ones == 1) << i;
      }
      return r;
    }
    case TX_SHIFTDMAREG:
      for (uint64_t n = b % 32; n; n--) a = mode == 0 ? a * 2 % (UINT64_C(1) << 32) : a / 2;
      return a;
    default: return mode == 0 ? a > b : mode == 1 ? a < b : a == b;
  }
}

static void arithmetic_is_exact_in_all_modes_and_both_forms(void **state) {
  (void)state;
  static const struct {
    uint8_t opcode, modes;
  } ops[] = {{TX_ADDDMAREG, 1},    {TX_SUBDMAREG, 1},   {TX_MULDMAREG, 1},
             {TX_BITWOPDMAREG, 3}, {TX_SHIFTDMAREG, 2}, {TX_CMPDMAREG, 3}};
  static const uint32_t corners[] = {0,      1,       2,          0x1f,       0x20,       0x3f,      0x40,
                                     0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  struct tx_tile *t = rig_tile(false);
  uint64_t seed = 1;
  for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
    for (unsigned mode = 0; mode < ops[o].modes; mode++)
      for (uint64_t round = 0; round < test_scaled(20000); round++) {
        unsigned thread = (unsigned)(rig_random(&seed) % 3), ra = (unsigned)(rig_random(&seed) % 64);
        unsigned rb = (unsigned)(rig_random(&seed) % 64), rr = (unsigned)(rig_random(&seed) % 64), constant = round & 1u;
        uint32_t *gpr = t->scalar.gpr[thread];
        gpr[ra] = round % 3 ? corners[rig_random(&seed) % 13] : (uint32_t)rig_random(&seed);
        gpr[rb] = round % 5 ? corners[rig_random(&seed) % 13] : (uint32_t)rig_random(&seed);
        uint64_t a = gpr[ra], b = constant ? rb : gpr[rb];
        struct tx_cost cost = exec(t, thread, alu(ops[o].opcode, constant, mode, rr, rb, ra));
        assert_int_equal(gpr[rr], expect_alu(ops[o].opcode, mode, a, b));
        assert_int_equal(cost.issue, constant || ra / 4 == rb / 4 ? 3 : 4);
        assert_int_equal(cost.latency, cost.issue);
      }
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  tile_give_back(t);
}

static void undefined_modes_are_faults(void **state) {
  (void)state;
  static const struct { uint8_t opcode, first; } ops[] = {{TX_BITWOPDMAREG, 3}, {TX_SHIFTDMAREG, 2}, {TX_CMPDMAREG, 3}};
  for (size_t o = 0; o < 3; o++)
    for (unsigned mode = ops[o].first; mode < 8; mode++) {
      struct tx_tile *t = rig_tile(true);
      exec(t, 0, alu(ops[o].opcode, 1, mode, 1, 2, 3));
      assert_int_equal(t->fault.kind, SIM_FAULT_UNDEFINED);
      assert_non_null(strstr(t->fault.why, tx_ops[ops[o].opcode].name));
      tile_give_back(t);
    }
}

/* Silicon (docs/evidence/time.md): 3 / 6 / 9 cycles with 1 / 2 / 3 threads; one for SETDMAREG and DMANOP. */
static void the_unit_takes_one_instruction_at_a_time(void **state) {
  (void)state;
  const struct {
    uint32_t word;
    unsigned cycles;
  } cases[] = {{alu(TX_ADDDMAREG, 1, 0, 1, 2, 3), 3},
               {alu(TX_MULDMAREG, 0, 0, 1, 2, 3), 3},
               {alu(TX_CMPDMAREG, 0, 0, 1, 4, 3), 4},
               {setdmareg(4, 9), 1},
               {OP(DMANOP, 0), 1},
               {OP(FLUSHDMA, 1), 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned threads = 1; threads <= 3; threads++) {
      struct rig *r = rig_new(true);
      for (unsigned k = 0; k < threads; k++) rig_push_times(r, k, cases[i].word, 60);
      rig_run_well(r);
      sim_time took = r->issues[r->issue_count - 1].at - r->issues[0].at;
      assert_in_range(took, (60 * threads - 1) * cases[i].cycles, (60 * threads + 3) * cases[i].cycles);
      rig_free(r);
    }
}

/* ScalarUnit.md says that the thread is held as well; silicon contradicts it on Blackhole: a parameter, off by default. */
static void holding_the_thread_is_a_parameter(void **state) {
  (void)state;
  for (uint32_t holds = 0; holds < 2; holds++) {
    struct rig *r = rig_new(true);
    r->t->params.thcon_holds_thread = holds;
    rig_push(r, 0, alu(TX_ADDDMAREG, 1, 0, 1, 2, 3));
    rig_push(r, 0, OP(NOP, 0));
    rig_run_well(r);
    assert_int_equal(rig_issued(r, 0, TX_NOP, 0)->at - rig_issued(r, 0, TX_ADDDMAREG, 0)->at, holds ? 3 : 1);
    rig_free(r);
  }
}

/* --- SETDMAREG --- */

static void setdmareg_writes_one_half(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned half = 0; half < 128; half++) {
    uint32_t value = 0x8000u + half * 257u % 0x8000u, old = t->scalar.gpr[2][half / 2] = 0xaaaa5555u;
    exec(t, 2, setdmareg(half, value));
    assert_int_equal(t->scalar.gpr[2][half / 2], half & 1u ? value << 16 | (old & 0xffffu) : (old & 0xffff0000u) | value);
  }
  tile_give_back(t);
}

static void fill_packer_state(struct tx_tile *t) {
  for (unsigned i = 0; i < 4; i++) {
    struct tx_pack_stats_of *p = &t->pack_stats.packer[i];
    p->last_tile_size = (uint16_t)(0x100 + i);
    p->last_thread = i == 2 ? 0 : 1;
    for (unsigned k = 0; k < 3; k++) p->acc_tile_size[k] = (uint16_t)(0x1000 * (k + 1) + i);
    p->all_zero_flags = 0xf0f0f0f0u + i;
    for (unsigned k = 0; k < 32; k++) p->exponent_histogram[k] = (uint8_t)(i * 64 + k);
  }
  t->pack_stats.exponent_histogram_max = 0x77;
  t->config.words[0][70] = 5u << 4 | 1u;  /* packer 0: format 5, zero compression disabled */
  t->config.words[0][98] = 6u << 4;       /* packer 1 */
  t->config.words[0][118] = 7u << 4 | 1u; /* packer 2 */
  t->config.words[0][146] = 15u << 4;     /* packer 3 */
}

/* The four words of each source as thread 1 sees them. */
static void special_form_reads_packer_state(void **state) {
  (void)state;
  static const uint32_t expected[10][4] = {
      {0x20000100, 0x20010101, 0x20020000, 0x20030103}, /* accumulated size of thread 1 : last size if thread 1's */
      {0xf0f0f0f0, 0xf0f0f0f1, 0xf0f0f0f2, 0xf0f0f0f3},
      {0x0101, 0x00150000, 0xf0f0f0f0, 0},
      {0x0102, 0x00060000, 0xf0f0f0f1, 0},
      {0x0001, 0x00170000, 0xf0f0f0f2, 0},
      {0x0104, 0x000f0000, 0xf0f0f0f3, 0},
      {0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c}, /* packer 2, bins 0..15 */
      {0x93929190, 0x97969594, 0x9b9a9998, 0x9f9e9d9c},
      {0xa, 0, 0, 0}, /* bit 0 of each packer's flags */
      {0x77, 0, 0, 0},
  };
  for (unsigned source = 0; source < 16; source++)
    for (unsigned half = 0; half < 8; half++) {
      uint32_t want[4] = {0};
      if (source < 10) memcpy(want, expected[source], sizeof want);
      struct tx_tile *t = rig_tile(true);
      fill_packer_state(t);
      for (unsigned i = 0; i < 64; i++) t->scalar.gpr[1][i] = 0xcafe0000u + i;
      exec(t, 1, special(2, 2, source, half, 2 * 21));
      for (unsigned i = 0; i < 4; i++) assert_int_equal(t->scalar.gpr[1][20 + i], want[i]);
      fill_packer_state(t);
      exec(t, 1, special(1, 2, source, half, 2 * 33 + 1));
      assert_int_equal(t->scalar.gpr[1][33], want[half / 2]);
      fill_packer_state(t);
      exec(t, 1, special(0, 2, source, half, 2 * 40 + 1));
      assert_int_equal(t->scalar.gpr[1][40], (want[half / 2] >> (half & 1u ? 16 : 0)) << 16 | 40);
      fill_packer_state(t);
      exec(t, 1, special(3, 2, source, half, 2 * 50)); /* header fields only */
      assert_int_equal(t->scalar.gpr[1][48], 0xcafe0000u | (want[0] & 0xffffu));
      assert_int_equal(t->scalar.gpr[1][49], (0xcafe0031u & 0xff00ffffu) | (want[1] & 0x00ff0000u));
      assert_int_equal(t->scalar.gpr[1][50], want[2]);
      assert_int_equal(t->scalar.gpr[1][51], 0xcafe0033u);
      assert_int_equal(t->pack_stats.packer[1].acc_tile_size[1], source == 8 ? 0 : 0x2001); /* which = packer 1 */
      assert_int_equal(t->pack_stats.packer[0].acc_tile_size[1], 0x2000);
      tile_give_back(t);
    }
}

/* --- REG2FLOP --- */

static uint32_t reg2flop(unsigned size, unsigned target, unsigned shift8, unsigned context, unsigned flop, unsigned reg) {
  return OP(REG2FLOP, size << 22 | target << 20 | shift8 << 18 | context << 16 | flop << 6 | reg);
}

static void reg2flop_writes_address_counters(void **state) {
  (void)state;
  static const struct {
    unsigned size, shift8;
    uint32_t part;
  } parts[] = {{0, 0, 0}, {1, 0, 0x87654321}, {1, 1, 0},    {2, 0, 0x4321}, {2, 1, 0},   {2, 2, 0x8765},
               {2, 3, 0}, {3, 0, 0x21},       {3, 1, 0x43}, {3, 2, 0x65},   {3, 3, 0x87}};
  static const uint32_t width[4] = {18, 13, 13, 13};
  struct tx_tile *t = rig_tile(true);
  struct tx_adc fresh[sizeof t->adc / sizeof *t->adc], expected[sizeof t->adc / sizeof *t->adc];
  memcpy(fresh, t->adc, sizeof fresh);
  t->scalar.gpr[1][7] = 0x87654321;
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
    for (unsigned flop = 0; flop < 64; flop++)
      for (unsigned who = 0; who < 5; who++) { /* own thread, or override 0..3 */
        memcpy(t->adc, fresh, sizeof fresh);
        memcpy(expected, fresh, sizeof fresh);
        struct tx_cost cost = exec(t, 1, reg2flop(parts[p].size, who ? 3 : 2, parts[p].shift8, who ? who - 1 : 0, flop, 7));
        unsigned thread = who ? who - 1 : 1, unit = flop >> 3 & 3u, dim = flop & 3u;
        if (thread < 3 && unit < 3) {
          struct tx_adc_channel *ch = &expected[thread].unit[unit][flop >> 5];
          uint32_t value = parts[p].part % (1u << width[dim]);
          if (flop & 4u) ch->cr[dim] = value;
          else ch->c[dim] = value;
        }
        assert_memory_equal(t->adc, expected, sizeof expected);
        assert_int_equal(cost.issue, 2);
      }
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  tile_give_back(t);
}

static void reg2flop_writes_thcon_configuration(void **state) {
  (void)state;
  for (unsigned size = 0; size < 4; size++) {
    struct tx_tile *t = rig_tile(true);
    t->config.thread_words[0][0] = 1;
    for (unsigned i = 0; i < 64; i++) t->scalar.gpr[0][i] = 0x900 + i;
    exec(t, 0, reg2flop(size, 0, 0, 0, 115, 6));
    run_to(t, 101);
    assert_int_equal(t->config.words[1][179], 0);
    run_to(t, 102); /* two cycles */
    for (unsigned i = 0; i < 4; i++)
      assert_int_equal(t->config.words[1][176 + i], size == 0 ? 0x904 + i : i == 3 ? 0x906 : 0);
    assert_int_equal(t->config.words[0][179], 0);
    tile_give_back(t);
  }
  const uint32_t bad[] = {reg2flop(1, 0, 0, 0, 116, 0), reg2flop(1, 1, 0, 0, 0, 0), reg2flop(1, 0, 1, 0, 0, 0),
                          reg2flop(1, 0, 0, 1, 0, 0), reg2flop(1, 2, 0, 0, 64, 0)};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct tx_tile *t = rig_tile(true);
    exec(t, 0, bad[i]);
    assert_int_equal(t->fault.kind, SIM_FAULT_UNDEFINED);
    tile_give_back(t);
  }
}

/* --- loads and stores: all sizes at all alignments, offsets in both halves, all increments --- */

static const unsigned size_bytes[4] = {16, 4, 2, 1}, step[4] = {0, 2, 4, 16};

static void loads_and_stores_move_the_right_bytes(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned n = 0; n < 4 * 2 * 4 * 32; n++) {
      unsigned size = n & 3u, high = n >> 2 & 1u, increment = n >> 3 & 3u, offset = 0xfff0u + (n >> 5);
      unsigned bytes = size_bytes[size], reg = 30; /* 28 when four */
      struct tx_tile *t = rig_tile(timing);
      uint32_t base = 0x123u, address = (base * 16 + (offset & 0xffffu)) / bytes * bytes;
      for (uint32_t i = 0; i < 0x40; i++) t->l1[(address & ~0xfu) - 0x10 + i] = (uint8_t)(0x40 + i);
      t->scalar.gpr[0][3] = base;
      t->scalar.gpr[0][5] = high ? (offset & 0xffffu) << 16 | 0x1111u : 0x11110000u | (offset & 0xffffu);
      for (unsigned i = 28; i < 32; i++) t->scalar.gpr[0][i] = 0xd0d1d2d3u + i;
      struct tx_cost cost = exec(t, 0, loadind(size, 10 + high, increment, reg, 3));
      assert_int_equal(cost.issue, 3);
      assert_int_equal(t->scalar.outstanding[0], 1);
      uint32_t stepped = (offset + step[increment]) & 0xffffu;
      assert_int_equal(t->scalar.gpr[0][5], high ? stepped << 16 | 0x1111u : 0x11110000u | stepped);
      run_to(t, 200);
      assert_int_equal(t->scalar.outstanding[0], 0);
      for (unsigned i = 0; i < 16; i++) { /* byte i of GPRs 28..31 */
        uint8_t got = (uint8_t)(t->scalar.gpr[0][28 + i / 4] >> (8 * (i % 4)));
        unsigned first = size == 0 ? 0 : 8; /* GPR 28 or 30 */
        bool loaded = i >= first && i < first + bytes;
        uint8_t old = (uint8_t)((0xd0d1d2d3u + 28 + i / 4) >> (8 * (i % 4)));
        assert_int_equal(got, loaded ? t->l1[address + i - first] : old);
      }
      /* and back, to another address */
      t->scalar.gpr[0][3] = base + 0x1000;
      t->scalar.gpr[0][5] = high ? (offset & 0xffffu) << 16 : offset & 0xffffu;
      exec(t, 0, storeind_l1(size, 10 + high, increment, reg, 3));
      run_to(t, 300);
      for (uint32_t i = 0; i < 0x40; i++) {
        uint32_t at = (address & ~0xfu) - 0x10 + i;
        bool stored = at >= address && at < address + bytes;
        assert_int_equal(t->l1[at + 0x10000], stored ? t->l1[at] : 0);
      }
      assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
      tile_give_back(t);
    }
}

/* LOADIND.md: seven DMANOPs are enough; fewer are not guaranteed to be. */
static void a_load_lands_late_and_an_early_reader_is_told(void **state) {
  (void)state;
  for (unsigned nops = 0; nops < 10; nops++) {
    struct rig *r = rig_new(true);
    put_word(r->t, 0x2000, 0x55);
    r->t->scalar.gpr[0][1] = 0x200;
    rig_push(r, 0, loadind(1, 20, 0, 6, 1));
    rig_push_times(r, 0, OP(DMANOP, 0), nops);
    rig_push(r, 0, alu(TX_ADDDMAREG, 1, 0, 7, 0, 6));
    rig_run_well(r);
    assert_int_equal(r->t->scalar.gpr[0][7], nops < 7 ? 0 : 0x55);
    assert_int_equal(r->t->diag.counts[TX_DIAG_GPR_READ_TOO_SOON], nops < 7);
    rig_free(r);
  }
  /* C0 and FLUSHDMA wait long enough, with either timing. */
  for (unsigned how = 0; how < 4; how++) {
    struct rig *r = rig_new(how & 1u);
    put_word(r->t, 0x2000, 0x55);
    r->t->scalar.gpr[0][1] = 0x200;
    rig_push(r, 0, loadind(1, 20, 0, 6, 1));
    rig_push(r, 0, how < 2 ? STALL(TX_B(5), 1) : OP(FLUSHDMA, how & 1u));
    rig_push(r, 0, alu(TX_ADDDMAREG, 1, 0, 7, 0, 6));
    rig_run_well(r);
    assert_int_equal(r->t->scalar.gpr[0][7], 0x55);
    assert_int_equal(r->t->diag.counts[TX_DIAG_GPR_READ_TOO_SOON], 0);
    rig_free(r);
  }
}

static uint32_t rdcfg(unsigned gpr, unsigned index) { return OP(RDCFG, gpr << 16 | index); }

/* An RDCFG, then an instruction of the scalar unit: in which cycle after the RDCFG it passed. */
static sim_time distance_behind_rdcfg(struct rig *r, uint32_t word) {
  rig_push(r, 0, rdcfg(6, 30));
  rig_push(r, 0, word);
  rig_run_well(r);
  assert_int_equal(r->issue_count, 2);
  assert_int_equal(r->t->diag.counts[TX_DIAG_GPR_READ_TOO_SOON], 0);
  return r->issues[1].at - r->issues[0].at;
}

/* Silicon: the new value in 64 of 64; LLK's matmul advances its tile address with these two. */
static void adddmareg_behind_rdcfg_gets_the_new_value(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    for (unsigned operand = 0; operand < 2; operand++) {
      struct rig *r = rig_new(timing);
      tx_config_write(r->t, 0, 30, 0x1000);
      r->t->scalar.gpr[0][6] = 7;
      r->t->scalar.gpr[0][5] = 0x20;
      sim_time distance = distance_behind_rdcfg(r, alu(TX_ADDDMAREG, 0, 0, 7, operand ? 6 : 5, operand ? 5 : 6));
      assert_int_equal(r->t->scalar.gpr[0][7], 0x1020);
      assert_int_equal(distance, timing ? 2 : 1);
      rig_free(r);
    }
  }
}

static void scalar_unit_waits_for_rdcfg_only_where_it_names_its_gpr(void **state) {
  (void)state;
  const struct {
    uint32_t word;
    unsigned distance;
  } cases[] = {
      {alu(TX_ADDDMAREG, 1, 0, 7, 6, 5), 1},                                      /* 6 is a constant here */
      {alu(TX_ADDDMAREG, 1, 0, 6, 1, 5), 2},                                      /* the later one must write last */
      {alu(TX_SUBDMAREG, 0, 0, 7, 4, 6), 2}, {OP(SETDMAREG, 0x55u << 8 | 12), 2}, /* halves 12 and 13 are GPR 6 */
      {OP(SETDMAREG, 0x55u << 8 | 14), 1},   {OP(DMANOP, 0), 1},
      {loadind(1, 20, 0, 2, 6), 2},          {loadind(1, 12, 0, 2, 1), 2},
      {loadind(1, 20, 0, 2, 1), 1},          {OP(REG2FLOP, 1u << 22 | 2u << 20 | 6), 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig *r = rig_new(true);
    assert_int_equal(distance_behind_rdcfg(r, cases[i].word), cases[i].distance);
    rig_free(r);
  }
  struct rig *r = rig_new(true);
  tx_config_write(r->t, 0, 30, 0x1000);
  distance_behind_rdcfg(r, OP(SETDMAREG, 0x55u << 8 | 12));
  assert_int_equal(r->t->scalar.gpr[0][6], 0x55);
  rig_free(r);
}

/* FLUSHDMA keeps the other threads out of the unit and its own thread from everything. */
static void flushdma_holds_unit_and_thread(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  r->t->scalar.gpr[0][1] = 0x200;
  rig_push(r, 0, loadind(1, 20, 0, 6, 1));
  rig_push(r, 0, OP(FLUSHDMA, 1));
  rig_push(r, 0, OP(NOP, 0));
  rig_push_times(r, 1, OP(NOP, 0), 5);
  rig_push(r, 1, OP(DMANOP, 0));
  rig_run_well(r);
  sim_time load = rig_issued(r, 0, TX_LOADIND, 0)->at;
  assert_int_equal(rig_issued(r, 0, TX_FLUSHDMA, 0)->at, load + 3);
  assert_int_equal(rig_issued(r, 0, TX_NOP, 0)->at, load + 11); /* the value is there at load + 10 */
  assert_int_equal(rig_issued(r, 1, TX_DMANOP, 0)->at, load + 11);
  rig_free(r);
}

static void registers_are_loaded_and_stored(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->streams.reg[5][TX_STREAM_PHASE] = 0xabcd;
  uint32_t phase = (0x40000u + 5 * 0x1000u + 29 * 4) / 4;
  exec_now(t, 1, OP(LOADREG, 9u << 18 | phase));
  assert_int_equal(t->scalar.gpr[1][9], 0xabcd);
  t->scalar.gpr[1][10] = 0x1357;
  exec_now(t, 1, OP(STOREREG, 10u << 18 | phase));
  assert_int_equal(t->streams.reg[5][TX_STREAM_PHASE], 0x1357);
  t->scalar.gpr[1][11] = 0x40000 + 5 * 0x1000 + 29 * 4 - 3; /* the low bits and bits above 20 are dropped */
  t->scalar.gpr[1][12] = 0x3f;                              /* offset >> 4 = 3 */
  t->scalar.gpr[1][13] = 0x2468;
  exec_now(t, 1, indirect(TX_STOREIND, 2, 24, 3, 13, 11));
  assert_int_equal(t->streams.reg[5][TX_STREAM_PHASE], 0x2468);
  assert_int_equal(t->scalar.gpr[1][12], 0x4f);
  assert_int_equal(t->scalar.outstanding[1], 0);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  tile_give_back(t);
}

static void bad_addresses_are_faults(void **state) {
  (void)state;
  const struct {
    uint32_t word, gpr1;
    unsigned kind;
  } cases[] = {
      {loadind(1, 20, 0, 6, 1), 0x18000, SIM_FAULT_ADDRESS},
      {loadind(0, 20, 0, 6, 1), 0x17fff, SIM_FAULT_NONE},
      {loadind(3, 20, 0, 6, 1), 0xffffff, SIM_FAULT_ADDRESS},
      {storeind_l1(1, 20, 0, 6, 1), 0x18000, SIM_FAULT_ADDRESS},
      {OP(ATINCGET, 6u << 6 | 1), 0x18000, SIM_FAULT_ADDRESS},
      {OP(ATSWAP, 0xffu << 14 | 6u << 6 | 1), 0x18000, SIM_FAULT_ADDRESS},
      {OP(LOADREG, 0x10fffu >> 2), 0, SIM_FAULT_UNDEFINED},
      {OP(STOREREG, 0), 0, SIM_FAULT_UNDEFINED},
      {OP(LOADREG, 0x11000u >> 2), 0, SIM_FAULT_UNSUPPORTED},
      {OP(STOREREG, (0x40000u + 259 * 4) >> 2), 0, SIM_FAULT_UNSUPPORTED},
      {indirect(TX_STOREIND, 2, 20, 0, 6, 1), 0, SIM_FAULT_UNDEFINED},
      {indirect(TX_STOREIND, 3, 20, 0, 6, 1), 0x40000, SIM_FAULT_UNDEFINED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tx_tile *t = rig_tile(true);
    t->scalar.gpr[0][1] = cases[i].gpr1;
    exec(t, 0, cases[i].word);
    assert_int_equal(t->fault.kind, cases[i].kind);
    tile_give_back(t);
  }
  struct tx_tile *t = rig_tile(true); /* ATCAS and ATINCGETPTR read the word when they arrive */
  t->scalar.gpr[0][1] = 0x18000;
  exec_now(t, 0, OP(ATCAS, 1));
  assert_int_equal(t->fault.kind, SIM_FAULT_ADDRESS);
  tile_give_back(t);
}

/* --- atomics --- */

static void atincget_adds_within_its_width(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (unsigned width = 0; width < 32; width++)
    for (unsigned selector = 0; selector < 4; selector++) {
      struct tx_tile *t = rig_tile(true);
      uint32_t old = (uint32_t)rig_random(&seed), by = (uint32_t)rig_random(&seed);
      put_word(t, 0x3000 + 4 * selector, old);
      t->scalar.gpr[2][1] = 0x300;
      t->scalar.gpr[2][2] = by;
      exec(t, 2, OP(ATINCGET, width << 14 | selector << 12 | 2u << 6 | 1));
      run_to(t, 126);
      assert_int_equal(t->scalar.gpr[2][2], by); /* 24 DMANOPs: the value is there for an instruction at 127 */
      assert_int_equal(t->scalar.outstanding[2], 1);
      run_to(t, 127);
      uint32_t expected = 0;
      uint64_t sum = (uint64_t)old + by;
      for (unsigned i = 0; i < 32; i++) expected |= (uint32_t)((i <= width ? sum : old) >> i & 1u) << i;
      assert_int_equal(word_at(t, 0x3000 + 4 * selector), expected);
      assert_int_equal(t->scalar.gpr[2][2], old);
      assert_int_equal(t->scalar.outstanding[2], 0);
      tile_give_back(t);
    }
}

static void atomics_are_twelve_cycles_apart(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  r->t->scalar.gpr[0][1] = 0x300;
  rig_push_times(r, 0, OP(ATSWAP, 0xffu << 14 | 4u << 6 | 1), 20);
  rig_run_well(r);
  sim_time took = rig_issued(r, 0, TX_ATSWAP, 19)->at - rig_issued(r, 0, TX_ATSWAP, 9)->at;
  assert_int_equal(took, 120);
  rig_free(r);
}

static void atswap_writes_the_masked_halves(void **state) {
  (void)state;
  for (unsigned mask = 0; mask < 256; mask++)
    for (unsigned single = 0; single < 2; single++) {
      struct tx_tile *t = rig_tile(true);
      for (unsigned i = 0; i < 16; i++) t->l1[0x4000 + i] = 0xee;
      for (unsigned i = 0; i < 4; i++) t->scalar.gpr[0][12 + i] = 0x10001000u * (i + 1) + 0x00010002u;
      t->scalar.gpr[0][1] = 0x400;
      exec_now(t, 0, OP(ATSWAP, single << 22 | mask << 14 | 14u << 6 | 1));
      for (unsigned i = 0; i < 8; i++) {
        uint32_t value = i & 1u ? t->scalar.gpr[0][12 + i / 2] >> 16 : t->scalar.gpr[0][12 + i / 2] & 0xffffu;
        if (single && i / 2 != 2) value = 0; /* only GPR 14 */
        uint32_t got = (uint32_t)t->l1[0x4000 + 2 * i] | (uint32_t)t->l1[0x4000 + 2 * i + 1] << 8;
        assert_int_equal(got, mask >> i & 1u ? value : 0xeeee);
      }
      tile_give_back(t);
    }
}

/* A FIFO of four with 3-bit counters, every pair of them: whether a push or pop succeeds, and its result. */
static void atincgetptr_pushes_and_pops(void **state) {
  (void)state;
  for (unsigned n = 0; n < 8 * 8 * 4 * 2; n++) {
    unsigned rd = n & 7u, wr = n >> 3 & 7u, selector = n >> 6 & 3u, no_increment = n >> 8;
    int held = (int)wr - (int)rd; /* the words are subtracted as 32-bit numbers */
    bool empty = held == 0, full = !empty && held % 4 == 0, pushes = selector & 1u;
    bool passes = pushes ? !full : !empty;
    struct tx_tile *t = rig_tile(true);
    const uint32_t words[4] = {rd, wr, 5, 0x86}; /* the unused two: a selector of 2 or 3 increments them */
    for (unsigned i = 0; i < 4; i++) put_word(t, 0x5000 + 4 * i, words[i]);
    t->scalar.gpr[1][3] = 0x500;
    t->scalar.gpr[1][4] = 0xffff;
    exec_now(t, 1, OP(ATINCGETPTR, no_increment << 22 | 1u << 18 | 3u << 14 | selector << 12 | 4u << 6 | 3));
    assert_int_equal(t->scalar.waiting_word != 0, !passes);
    for (unsigned i = 0; i < 4; i++) {
      uint32_t next = (words[i] & ~7u) | ((words[i] + 2) & 7u);
      assert_int_equal(word_at(t, 0x5000 + 4 * i), passes && i == selector && !no_increment ? next : words[i]);
    }
    assert_int_equal(t->scalar.gpr[1][4], passes ? words[selector] : 0xffff);
    tile_give_back(t);
  }
}

/* ATCAS as a lock: 15 cycles per attempt, woken by the store that can end it, at a multiple of its period. */
static void atcas_waits_in_the_unit_until_the_word_matches(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    put_word(r->t, 0x6004, 7);
    r->t->scalar.gpr[0][1] = 0x600;
    rig_push(r, 0, OP(ATCAS, 9u << 18 | 3u << 14 | 1u << 12 | 1));
    rig_push(r, 0, OP(NOP, 0));
    rig_push_times(r, 1, OP(NOP, 0), 100);
    rig_sync(r, 1);
    rig_store(r, 1, 0x6004, 3);
    rig_push(r, 1, OP(DMANOP, 0));
    rig_run_well(r);
    assert_int_equal(word_at(r->t, 0x6004), 9);
    sim_time cas = rig_issued(r, 0, TX_ATCAS, 0)->at, nop = rig_issued(r, 0, TX_NOP, 0)->at;
    assert_true(nop > cas + 90);
    if (timing) assert_int_equal((nop - cas) % 15, 0);
    assert_true(rig_issued(r, 1, TX_DMANOP, 0)->at >= nop); /* the unit was busy until then */
    rig_free(r);
  }
}

static void a_lock_that_is_free_costs_fifteen_cycles(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  r->t->scalar.gpr[0][1] = 0x600;
  rig_push(r, 0, OP(ATCAS, 1u << 18 | 1));
  rig_push(r, 0, OP(DMANOP, 0));
  rig_run_well(r);
  assert_int_equal(word_at(r->t, 0x6000), 1);
  assert_int_equal(rig_issued(r, 0, TX_DMANOP, 0)->at - rig_issued(r, 0, TX_ATCAS, 0)->at, 15);
  rig_free(r);
}

/* No agent will ever write the word: the hang is found at once, and the report names the unit's wait. */
static void waiting_for_ever_is_a_deadlock(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    r->t->scalar.gpr[0][1] = 0x600;
    rig_push(r, 0, OP(ATCAS, 1u << 18 | 2u << 14 | 1));
    rig_sync(r, 0);
    assert_int_equal(rig_run(r), SIM_END_BLOCKED);
    const struct sim_wait *wait = &r->t->engine.agents[TX_AGENT_SCALAR].wait;
    assert_int_equal(wait->kind, TX_BLOCKED_ADDRESS);
    assert_int_equal(wait->object, 0x6000);
    rig_free(r);
  }
}

/* A waiting ATCAS keeps the unit: a holder that needs the unit to release the lock never gets it (ATCAS.md). */
static void a_waiting_atcas_locks_the_holder_out(void **state) {
  (void)state;
  for (unsigned core_releases = 0; core_releases < 2; core_releases++) {
    struct rig *r = rig_new(true);
    for (unsigned thread = 0; thread < 2; thread++) r->t->scalar.gpr[thread][1] = 0x700;
    rig_push(r, 0, OP(ATCAS, 1u << 18 | 1)); /* 0 -> 1 */
    rig_sync(r, 0);
    rig_store(r, 0, 0x8000, 1);
    rig_poll(r, 1, 0x8000, 1, 1);
    rig_push(r, 1, OP(ATCAS, 1u << 18 | 1));
    rig_store(r, 1, 0x8004, 1);
    rig_poll(r, 0, 0x8004, 1, 1);
    rig_push_times(r, 0, OP(NOP, 0), 50);
    if (core_releases) {
      rig_sync(r, 0);
      rig_store(r, 0, 0x7000, 0);
    } else {
      rig_push(r, 0, OP(ATCAS, 0u << 18 | 1u << 14 | 1)); /* 1 -> 0 */
    }
    rig_sync(r, 0);
    rig_sync(r, 1);
    assert_int_equal(rig_run(r), core_releases ? SIM_END_DONE : SIM_END_BLOCKED);
    assert_int_equal(word_at(r->t, 0x7000), 1);
    rig_free(r);
  }
}

/* --- STOREIND to Src --- */

static uint32_t storeind_src(unsigned b, unsigned data, unsigned address) {
  return indirect(TX_STOREIND, b, 20, 0, data, address);
}

static void storeind_writes_four_columns_of_a_source_row(void **state) {
  (void)state;
  for (unsigned b = 0; b < 2; b++)
    for (unsigned whole = 0; whole < 2; whole++)
      for (unsigned index = 0; index < 300; index++) {
        struct tx_tile *t = rig_tile(true);
        t->config.thread_words[1][5] = (uint16_t)(whole << 2); /* SRCA_SET_SetOvrdWithAddr */
        t->unpack.src_row[b][1] = 32;
        t->src.unpack_bank[b] = 1;
        t->scalar.gpr[1][3] = index;
        t->scalar.gpr[1][8] =
            0xc0490000u | 0x8000u | 0x4900u | 0x80u; /* high: -3.140625; low: the same, mantissa before exponent */
        t->scalar.gpr[1][9] = 0x3f800000u | 0x007fu; /* 1.0 twice */
        uint64_t version = t->src.bank[b][1].version;
        exec(t, 1, storeind_src(b, 10, 3));
        int row = (int)(index / 4) - (b ? 0 : 4), rows = !b && whole ? 64 : 16;
        if (row >= rows) {
          assert_int_equal(t->fault.kind, SIM_FAULT_UNDEFINED);
          tile_give_back(t);
          continue;
        }
        if (row >= 0 && rows == 16) row += 32;
        const uint32_t pi = 1u << 18 | 0x49u << 11 | 0x80u, one = 0x7f; /* sign, mantissa in ten bits, exponent */
        for (int i = 0; i < 64; i++)
          for (unsigned column = 0; column < 16; column++) {
            uint32_t expected = i == row && column / 4 == index % 4 ? column % 4 < 2 ? pi : one : 0;
            assert_int_equal(t->src.bank[b][1].datum[i][column], expected);
          }
        assert_int_equal(t->src.bank[b][1].version != version, row >= 0);
        assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
        tile_give_back(t);
      }
}

static void storeind_waits_for_the_bank(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->src.bank[TX_SRCB][0].owner = TX_CLIENT_MATRIX;
  t->scalar.gpr[0][8] = 0x3f800000u;
  exec(t, 0, storeind_src(1, 8, 3));
  run_to(t, 150);
  assert_int_equal(t->src.bank[TX_SRCB][0].datum[0][1], 0);
  assert_int_equal(t->units[TX_UNIT_SCALAR].free_at, SIM_NEVER);
  t->scalar.gpr[0][8] = 0; /* captured already */
  t->src.bank[TX_SRCB][0].owner = TX_CLIENT_UNPACKERS;
  sim_signal(&t->engine, TX_CH(TX_CH_BANK), 151);
  run_to(t, 160);
  assert_int_equal(t->src.bank[TX_SRCB][0].datum[0][1], 0x7f);
  assert_int_equal(t->units[TX_UNIT_SCALAR].free_at, 152);
  tile_give_back(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_is_exact_in_all_modes_and_both_forms),
      cmocka_unit_test(undefined_modes_are_faults),
      cmocka_unit_test(the_unit_takes_one_instruction_at_a_time),
      cmocka_unit_test(holding_the_thread_is_a_parameter),
      cmocka_unit_test(setdmareg_writes_one_half),
      cmocka_unit_test(special_form_reads_packer_state),
      cmocka_unit_test(reg2flop_writes_address_counters),
      cmocka_unit_test(reg2flop_writes_thcon_configuration),
      cmocka_unit_test(loads_and_stores_move_the_right_bytes),
      cmocka_unit_test(a_load_lands_late_and_an_early_reader_is_told),
      cmocka_unit_test(adddmareg_behind_rdcfg_gets_the_new_value),
      cmocka_unit_test(scalar_unit_waits_for_rdcfg_only_where_it_names_its_gpr),
      cmocka_unit_test(flushdma_holds_unit_and_thread),
      cmocka_unit_test(registers_are_loaded_and_stored),
      cmocka_unit_test(bad_addresses_are_faults),
      cmocka_unit_test(atincget_adds_within_its_width),
      cmocka_unit_test(atomics_are_twelve_cycles_apart),
      cmocka_unit_test(atswap_writes_the_masked_halves),
      cmocka_unit_test(atincgetptr_pushes_and_pops),
      cmocka_unit_test(atcas_waits_in_the_unit_until_the_word_matches),
      cmocka_unit_test(a_lock_that_is_free_costs_fifteen_cycles),
      cmocka_unit_test(waiting_for_ever_is_a_deadlock),
      cmocka_unit_test(a_waiting_atcas_locks_the_holder_out),
      cmocka_unit_test(storeind_writes_four_columns_of_a_source_row),
      cmocka_unit_test(storeind_waits_for_the_bank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
