/* The regions of the address map, one after the other, against their documents; and random accesses by every core to every address. */
#include "bus_store.h"
#include "rig.h"
#include "scale.h"
#include "tensix/tile/outside.h"

enum { T0 = TX_AGENT_TRISC0, T1 = TX_AGENT_TRISC1, T2 = TX_AGENT_TRISC2, B = TX_AGENT_BRISC, NC = TX_AGENT_NCRISC };

static void pass_time(struct tx_tile *t, sim_time cycles) {
  sim_time at = t->engine.now + cycles;
  tx_tile_run(t, at);
  if (t->engine.now < at) t->engine.now = at;
}

static void check(struct tx_tile *t, struct tx_bus_answer answer, uint32_t address) {
  if (answer.result == TX_BUS_DONE && !t->fault.kind) return;
  fail_msg("0x%08x: result %d: %s", address, (int)answer.result, t->fault.why);
}

static void store_n(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value, unsigned bytes) {
  check(t, tx_bus_store_sized(t, agent, address, value, bytes), address);
  pass_time(t, 20);
  if (t->fault.kind) fail_msg("0x%08x: %s", address, t->fault.why);
}

static uint32_t load_n(struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes) {
  struct tx_bus_answer answer = tx_bus_load_sized(t, agent, address, bytes);
  check(t, answer, address);
  return answer.value;
}

static void store(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value) {
  store_n(t, agent, address, value, 4);
}
static uint32_t load(struct tx_tile *t, unsigned agent, uint32_t address) { return load_n(t, agent, address, 4); }

/* BabyRISCV/README.md (Blackhole), "Memory map": which cores see a range. T0, T1, T2, B, NC. */
static void who_sees_what(void **state) {
  (void)state;
  static const struct {
    uint32_t address;
    const char *cores;
  } rows[] = {
      {0x00000000u, "12345"}, {0x0017FFFCu, "12345"}, {0xFFB00000u, "12345"}, {0xFFB00FFCu, "12345"}, {0xFFB01000u, "45"},
      {0xFFB01FFCu, "45"},    {0xFFB11014u, "1234"},  {0xFFB121B0u, "12345"}, {0xFFB13000u, "12345"}, {0xFFB13138u, "12345"},
      {0xFFB13148u, "12345"}, {0xFFB14000u, "12345"}, {0xFFB19FFCu, "12345"}, {0xFFB1DFFCu, "12345"}, {0xFFB20000u, "12345"},
      {0xFFB30148u, "12345"}, {0xFFB40020u, "12345"}, {0xFFBD8000u, "123"},   {0xFFE00000u, "1234"},  {0xFFE80020u, "123"},
      {0xFFEC0004u, "1234"},  {0xFFEC3004u, "1234"},  {0xFFEF0000u, "1234"},  {0x00180000u, ""},      {0xFFB10000u, ""},
      {0xFFB1314Cu, ""},      {0xFFB1E000u, ""},      {0xFFB80024u, ""},      {0xFFBD0000u, ""},      {0xFFE01000u, ""},
      {0xFFEB0000u, ""},      {0xFFEC4000u, ""},      {0xFFF00000u, ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (unsigned core = 0; core < 5; core++) {
      struct tx_tile *t = rig_tile(true);
      t->current.pc = 0x6044;
      struct tx_bus_answer answer = tx_bus_load(t, T0 + core, rows[i].address);
      bool expected = strchr(rows[i].cores, (int)('1' + core)) != NULL;
      if (rows[i].address == 0xFFE80020u && core == 3) expected = true; /* BRISC's end of PC buffer 0: waits */
      if ((answer.result != TX_BUS_FAULT) != expected)
        fail_msg("0x%08x, core %u: result %d %s", rows[i].address, core, (int)answer.result, t->fault.why);
      if (!expected) { /* core, pc, address, size and the nearest region */
        assert_int_equal(t->fault.agent, T0 + core);
        assert_int_equal(t->fault.pc, 0x6044);
        assert_non_null(strstr(t->fault.why, "4 bytes"));
      }
      tile_give_back(t);
    }
}

static void sizes(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  store(t, T0, 0x1000, 0x44332211u);
  store_n(t, B, 0x1001, 0xaa, 1);
  store_n(t, NC, 0x1002, 0xbbcc, 2);
  assert_int_equal(load(t, T1, 0x1000), 0xbbccaa11u);
  assert_int_equal(load_n(t, T1, 0x1003, 1), 0xbb);
  assert_int_equal(load_n(t, T1, 0x1002, 2), 0xbbcc);
  store(t, T0, 0xFFE00010u, 0x12345678u); /* registers are readable by byte and writable by word */
  assert_int_equal(load_n(t, T0, 0xFFE00011u, 1), 0x56);
  assert_int_equal(load_n(t, T0, 0xFFE00012u, 2), 0x1234);
  assert_int_equal(tx_bus_store_sized(t, T0, 0xFFE00010u, 1, 1).result, TX_BUS_FAULT);
  assert_non_null(strstr(t->fault.why, "store of 1 byte to 0xffe00010"));
  tile_give_back(t);
  t = rig_tile(true);
  assert_int_equal(tx_bus_load_sized(t, T0, 0x1001, 2).result, TX_BUS_FAULT);
  assert_non_null(strstr(t->fault.why, "unaligned"));
  tile_give_back(t);
}

/* The fast window is each core's own; the slow one is the same memory for all cores; a T core's 4 KiB appear twice. */
static void local_rams(void **state) {
  (void)state;
  static const uint32_t slow[5] = {0xFFB18000u, 0xFFB1A000u, 0xFFB1C000u, 0xFFB14000u, 0xFFB16000u};
  struct tx_tile *t = rig_tile(true);
  for (unsigned core = 0; core < 5; core++) store(t, T0 + core, 0xFFB00040u, 0x700 + core);
  for (unsigned core = 0; core < 5; core++) {
    assert_int_equal(load(t, T0 + core, 0xFFB00040u), 0x700 + core);
    assert_int_equal(load(t, NC, slow[core] + 0x40u), 0x700 + core);
    if (core < 3) assert_int_equal(load(t, NC, slow[core] + 0x1040u), 0x700 + core);
    store_n(t, B, slow[core] + 0x43u, 0x5a, 1);
    assert_int_equal(load(t, T0 + core, 0xFFB00040u), 0x5a000700u + core);
  }
  assert_int_equal(tx_bus_load(t, T0, slow[0]).cycles, 8); /* at least 8 */
  tile_give_back(t);
}

/* --- control --- */

static void wall_clock_and_its_latch(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->engine.now = UINT64_C(0x1fffffff0);
  assert_int_equal(load(t, T0, 0xFFB121F0u), 0xfffffff0u);
  t->engine.now += 0x20; /* the low half wraps */
  assert_int_equal(load(t, T0, 0xFFB121F4u), 2);
  assert_int_equal(load(t, T0, 0xFFB121F8u), 1); /* its value at the time the low half was read */
  assert_int_equal(load(t, T0, 0xFFB121F0u), 0x10);
  assert_int_equal(load(t, T0, 0xFFB121F8u), 2);
  assert_true(tx_bus_load(t, T0, 0xFFB121F0u).moves);
  assert_int_equal(tx_bus_load(t, T0, 0xFFB121F0u).cycles, 7);
  tile_give_back(t);
}

/* DebugTimestamper.md: two 64-bit events fill 16 bytes; a buffer with one entry is then full, and the next event overflows. */
static void timestamps(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  store(t, B, 0xFFB12208u, 0x4000 / 16);
  store(t, B, 0xFFB1220Cu, 0x4000 / 16);
  store(t, B, 0xFFB12200u, 1); /* buffer 0 only */
  store(t, B, 0xFFB121FCu, 0xabc1);
  assert_int_equal(load(t, B, 0xFFB12204u), 1u << 8);
  uint32_t before = (uint32_t)t->engine.now;
  store(t, B, 0xFFB121FCu, 0xdef1);
  assert_int_equal(tx_l1_read(t, 0x4000, 4), 0xabc1);
  assert_int_equal(tx_l1_read(t, 0x4008, 4), 0xdef1);
  assert_in_range(tx_l1_read(t, 0x400c, 4), before, before + 20);
  assert_int_equal(load(t, B, 0xFFB12204u), 1u | 1u << 14);
  store(t, B, 0xFFB121FCu, 0x8);
  assert_int_equal(load(t, B, 0xFFB12204u), 1u | 1u << 4 | 1u << 14);
  store(t, B, 0xFFB12204u, 0x11);
  assert_int_equal(load(t, B, 0xFFB12204u), 0);
  store(t, B, 0xFFB121FCu, 0x1232); /* 32 bits: 16 of the token, time bits 20:5 above */
  assert_int_equal(load(t, B, 0xFFB12204u), 1u << 9);
  bus_store(t, B, 0xFFB121FCu, 0x18); /* events of different sizes do not mix */
  pass_time(t, 20);
  assert_int_equal(t->fault.kind, SIM_FAULT_UNDEFINED);
  tile_give_back(t);
}

static void performance_counters(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  struct tx_tile *t = r->t;
  rig_push_times(r, 1, OP(SETRWC, 0), 10);
  rig_store(r, 1, 0xFFB12008u, 1); /* start, after the first ten have been pushed and issued */
  rig_run_well(r);
  uint64_t before = t->units[TX_UNIT_MATRIX].accepted[1];
  assert_int_equal(before, 10);
  store(t, B, 0xFFB12018u + 8, 0);
  store(t, B, 0xFFB12018u + 8, 1); /* FPU group: start */
  for (unsigned i = 0; i < 5; i++) tx_frontend_push(t, 1, OP(SETRWC, 0), 0), tx_frontend_wake(t, 1), pass_time(t, 10);
  store(t, B, 0xFFB12018u + 4, 0u << 8);
  assert_int_equal(load(t, B, 0xFFB12124u), 5);
  store(t, B, 0xFFB12018u + 8, 2); /* stop */
  uint32_t cycles = load(t, B, 0xFFB12120u);
  pass_time(t, 100);
  assert_int_equal(load(t, B, 0xFFB12120u), cycles);
  assert_true(cycles >= 50);
  store(t, B, 0xFFB12018u + 4, 99u << 8);
  assert_int_equal(tx_bus_load(t, B, 0xFFB12124u).result, TX_BUS_FAULT);
  assert_non_null(strstr(t->fault.why, "counter 99"));
  rig_free(r);
}

/* ISA: CycleCounters.md (Wormhole's Ethernet tile): counts down to zero while bit 0 of WDT_CNTL is set. */
static void watchdog(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  assert_int_equal(load(t, B, 0xFFB121E0u), 0xffffffffu);
  store(t, B, 0xFFB121E0u, 300);
  pass_time(t, 500);
  assert_int_equal(load(t, B, 0xFFB121E0u), 300);
  assert_int_equal(load(t, B, 0xFFB121E8u), 0);
  store(t, B, 0xFFB121E4u, 1);
  uint32_t before = load(t, B, 0xFFB121E0u);
  t->engine.now += 100;
  assert_int_equal(load(t, B, 0xFFB121E0u), before - 100);
  store(t, B, 0xFFB121E4u, 0);
  before = load(t, B, 0xFFB121E0u);
  pass_time(t, 50);
  assert_int_equal(load(t, B, 0xFFB121E0u), before);
  store(t, B, 0xFFB121E4u, 1);
  pass_time(t, 400);
  assert_int_equal(load(t, B, 0xFFB121E0u), 0);
  assert_int_equal(load(t, B, 0xFFB121E8u), 1);
  store(t, B, 0xFFB121E8u, 0); /* no effect */
  assert_int_equal(load(t, B, 0xFFB121E8u), 1);
  store(t, B, 0xFFB121E0u, 1000);
  assert_int_equal(load(t, B, 0xFFB121E8u), 0);
  bus_store(t, B, 0xFFB121E4u, 3);
  pass_time(t, 20);
  assert_int_equal(t->fault.kind, SIM_FAULT_UNSUPPORTED);
  assert_non_null(strstr(t->fault.why, "WDT_CNTL"));
  tile_give_back(t);
}

static void debug_reads_of_configuration_and_pushes(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  store(t, T0, 0xFFEF0000u + 4 * 20, 0x77);
  store(t, NC, 0xFFB12058u, 20);
  assert_int_equal(load(t, NC, 0xFFB12078u), 0x77);
  assert_int_equal(load(t, NC, 0xFFB120A8u), 0x77); /* no FIFO full, all empty */
  store(t, NC, 0xFFB120A4u, OP(SEMINIT, 3u << 20 | 1u << 16 | 4u << 3));
  store(t, NC, 0xFFB120A0u, 1);
  store(t, NC, 0xFFB120A0u, 0x11);
  pass_time(t, 20);
  assert_int_equal(t->sync.sem[3].max, 3);
  assert_int_equal(t->sync.sem[3].value, 1);
  tile_give_back(t);
}

static void soft_reset_of_blocks(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->src.bank[TX_SRCA][1].owner = t->src.bank[TX_SRCB][0].owner = TX_CLIENT_MATRIX;
  t->src.bank[TX_SRCA][0].datum[5][6] = t->src.bank[TX_SRCA][0].datum[5][1] = 77;
  t->src.matrix_bank[TX_SRCA] = 1;
  store(t, T0, 0xFFEF0000u + 4 * 70, 5);
  store(t, T0, 0xFFEF0000u + 4 * 20, 6);
  store(t, B, 0xFFB121B0u, 0x47800u | 1u << 15 | 1u << 20 | 1u << 9);
  assert_int_equal(t->src.bank[TX_SRCA][1].owner, TX_CLIENT_UNPACKERS);
  assert_int_equal(t->src.bank[TX_SRCB][0].owner, TX_CLIENT_MATRIX);
  assert_int_equal(t->src.matrix_bank[TX_SRCA], 0);
  assert_int_equal(t->src.bank[TX_SRCA][0].datum[5][6], 0); /* columns 4 to 7 */
  assert_int_equal(t->src.bank[TX_SRCA][0].datum[5][1], 77);
  assert_int_equal(t->config.words[0][70], 0); /* THCON's part of Config */
  assert_int_equal(t->config.words[0][20], 6);
  store(t, B, 0xFFB121B0u, 0x47800u);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  tile_give_back(t);
}

/* --- NoC: loop-back --- */

static void noc_command(struct tx_tile *t, unsigned noc, unsigned initiator, const uint32_t w[11]) {
  uint32_t base = 0xFFB20000u + 0x10000u * noc + 0x800u * initiator;
  for (unsigned i = 0; i < 11; i++) store(t, NC, base + 4 * i, w[i]);
  assert_int_equal(load(t, NC, base + 0x40), 0);
  check(t, bus_store(t, NC, base + 0x40, 1), base + 0x40);
}

static uint32_t here(unsigned noc) { return noc ? 15u | 9u << 6 : 1u | 2u << 6; }

/* PIC.md: a software interrupt is a slot that a read empties, by any reader; a hardware interrupt cannot be written. */
static void software_interrupts_are_taken_by_reading(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  uint8_t raw[4];
  for (unsigned i = 0; i < 32; i++) {
    uint32_t address = 0xFFB13018u + 4 * i;
    store(t, T0 + i % 5, address, 0x100 + i);
    store(t, B, address, 0x200 + i); /* the most recent write takes effect */
    assert_int_equal(load(t, T0 + (i + 1) % 5, address), 0x200 + i);
    assert_int_equal(load(t, T0 + i % 5, address), 0);
    store(t, B, address, 0x300 + i);
    store(t, NC, address, 0); /* cleared by writing */
    assert_int_equal(load(t, B, address), 0);
    store(t, B, address, 0x400 + i);
    assert_true(tx_outside_read(t, address, raw, 4)); /* the NoC */
    assert_int_equal(raw[1], 4);
    assert_int_equal(load(t, B, address), 0);
  }
  for (unsigned i = 0; i < 4; i++) {
    store(t, B, 0xFFB13098u + 4 * i, 1);
    assert_int_equal(load(t, B, 0xFFB13098u + 4 * i), 0);
  }
  for (unsigned i = 0; i < 36; i++) { /* handler addresses are plain storage */
    store(t, B, 0xFFB130A8u + 4 * i, 0x5000 + i);
    assert_int_equal(load(t, NC, 0xFFB130A8u + 4 * i), 0x5000 + i);
    assert_int_equal(load(t, B, 0xFFB130A8u + 4 * i), 0x5000 + i);
  }
  tile_give_back(t);
}

static void noc_identity(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned noc = 0; noc < 2; noc++) {
    uint32_t base = 0xFFB20000u + 0x10000u * noc, id = load(t, B, base + 0x44);
    assert_int_equal(id & 0xfffu, here(noc));
    assert_int_equal(id >> 12 & 127u, 17);
    assert_int_equal(id >> 19 & 127u, 12);
    assert_int_equal(id >> 28 & 1u, noc == 0);
    assert_int_equal(load(t, B, base + 0x148) & 0xfffu, here(noc));
    assert_int_equal(load(t, B, base + 0x848) >> 8 & 0xffffu, 0x0100);
  }
  tile_give_back(t);
}

static void noc_copies_within_the_tile(void **state) {
  (void)state;
  for (unsigned noc = 0; noc < 2; noc++)
    for (unsigned timing = 0; timing < 2; timing++) {
      struct tx_tile *t = rig_tile(timing);
      uint32_t status = 0xFFB20200u + 0x10000u * noc, xy = here(noc);
      for (uint32_t i = 0; i < 40000; i++) t->l1[0x30000 + i] = (uint8_t)(i * 7 + (i >> 8));
      /* read of 40000 bytes: three packets; transaction id 5 */
      noc_command(t, noc, 1, (const uint32_t[11]){0x30000, 0, xy, 0x50000, 0, xy, 5u << 10, 0, 40000, 0, 0});
      pass_time(t, 1);
      pass_time(t, 3000);
      assert_memory_equal(t->l1 + 0x30000, t->l1 + 0x50000, 40000);
      assert_int_equal(load(t, B, status + 4 * 2), 3);
      assert_int_equal(load(t, B, status + 4 * 5), 3);
      assert_int_equal(load(t, B, status + 4 * (16 + 5)), 0);
      /* non-posted write */
      noc_command(t, noc, 0, (const uint32_t[11]){0x30000, 0, xy, 0x60000, 0, xy, 0, 0x12, 100, 0, 0});
      pass_time(t, 200);
      assert_memory_equal(t->l1 + 0x30000, t->l1 + 0x60000, 100);
      assert_int_equal(t->l1[0x60000 + 100], 0);
      assert_int_equal(load(t, B, status + 4 * 1), 1);
      assert_int_equal(load(t, B, status + 4 * 10), 1);
      /* posted write, with a mask of bytes 1 and 40 */
      noc_command(t, noc, 0, (const uint32_t[11]){0x30000, 0, xy, 0x61000, 0, xy, 0, 0x06, 2, 1u << 8, 0});
      pass_time(t, 200);
      assert_int_equal(t->l1[0x61000], 0);
      assert_int_equal(t->l1[0x61001], t->l1[0x30001]);
      assert_int_equal(t->l1[0x61000 + 40], t->l1[0x30000 + 40]);
      assert_int_equal(t->l1[0x61000 + 41], 0);
      assert_int_equal(load(t, B, status + 4 * 11), 1);
      /* inline write to a stream register: a tile counter */
      noc_command(t, noc, 2, (const uint32_t[11]){0xFFB43028u, 0, xy, 0, 0, 0, 0, 0x1a, 0xf, 0, 0x55});
      pass_time(t, 200);
      assert_int_equal(load(t, T0, 0xFFB43028u), 0x55);
      /* atomic increment by 9, answer to 0x70010 */
      t->l1[0x70000 + 8] = 200;
      noc_command(t, noc, 3, (const uint32_t[11]){0x70008, 0, xy, 0x70010, 0, xy, 0, 0x11, 1u << 12 | 31u << 2 | 2, 0, 9});
      pass_time(t, 200);
      assert_int_equal(tx_l1_read(t, 0x70008, 4), 209);
      assert_int_equal(tx_l1_read(t, 0x70010, 4), 200);
      assert_int_equal(load(t, B, status + 4 * 0), 1);
      tile_give_back(t);
    }
}

static void noc_to_elsewhere_faults(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  noc_command(t, 0, 0, (const uint32_t[11]){0x1000, 0, here(0), 0x1000, 0, 7u | 3u << 6, 0, 0x12, 64, 0, 0});
  pass_time(t, 20);
  assert_int_equal(t->fault.kind, SIM_FAULT_UNSUPPORTED);
  assert_non_null(strstr(t->fault.why, "(1,2) to (7,3)"));
  assert_int_equal(t->fault.agent, NC);
  tile_give_back(t);
  t = rig_tile(true);
  noc_command(t, 0, 0, (const uint32_t[11]){0x1000, 0, here(0), 0x1000, 0, here(0), 0, 0x32, 64, 0, 0});
  pass_time(t, 20);
  assert_non_null(strstr(t->fault.why, "broadcast"));
  tile_give_back(t);
  t = rig_tile(true);
  noc_command(t, 0, 1, (const uint32_t[11]){0x17ff00, 0, here(0), 0x1000, 0, here(0), 0, 0, 4096, 0, 0});
  pass_time(t, 500);
  assert_int_equal(t->fault.kind, SIM_FAULT_ADDRESS);
  tile_give_back(t);
}

static void circular_buffer_registers(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  store(t, B, 0xFFB40000u + 48 * 0x1000u + 10 * 4, 3); /* also sets the space counter */
  assert_int_equal(load(t, T2, 0xFFB40000u + 48 * 0x1000u + 297 * 4), 3);
  for (unsigned i = 0; i < 4; i++) store(t, T0 + i % 3, 0xFFB40000u + 48 * 0x1000u + 270 * 4, 2u << 6);
  assert_int_equal(load(t, B, 0xFFB40000u + 48 * 0x1000u + 297 * 4), 11);
  tile_give_back(t);
}

/* --- Dst through the window: the document's routines written out for values of each format --- */

static void set_format(struct tx_tile *t, unsigned thread, unsigned fmt, unsigned raw, unsigned is_unsigned) {
  uint32_t word = t->config.words[0][3] & ~(31u << (14 + 5 * thread));
  tx_config_write(t, 0, 3, word | (raw | is_unsigned << 1 | fmt << 2) << (14 + 5 * thread));
}

static void dst_window(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  set_format(t, 0, 0, 0, 0); /* FP32 */
  store(t, T0, 0xFFBD8000u + 4 * (16 * 9 + 3), 0x3f9d70a4u);
  unsigned row = tx_dst_adj32(t, 9);
  assert_int_equal(t->dst.bits[row][3], 0x1d7f);     /* sign 0, mantissa 7 bits 0x1d, exponent 0x7f */
  assert_int_equal(t->dst.bits[row + 8][3], 0x70a4); /* low half of the mantissa */
  assert_int_equal(load(t, T0, 0xFFBD8000u + 4 * (16 * 9 + 3)), 0x3f9d70a4u);
  set_format(t, 1, 1, 0, 0); /* INT32: two's complement outside, sign and magnitude inside */
  store(t, T1, 0xFFBD8000u, (uint32_t)-5);
  assert_int_equal(load(t, T1, 0xFFBD8000u), (uint32_t)-5);
  set_format(t, 1, 0, 0, 0);
  assert_int_equal(load(t, T1, 0xFFBD8000u), 0x80000005u);
  set_format(t, 1, 1, 0, 0);
  store(t, T1, 0xFFBD8000u, 0x80000000u); /* clamped */
  assert_int_equal(load(t, T1, 0xFFBD8000u), 0x80000001u);
  set_format(t, 0, 3, 0, 0); /* BF16 */
  store_n(t, T0, 0xFFBD8000u + 2 * (16 * 100 + 1), 0xc040, 2);
  assert_int_equal(t->dst.bits[100][1], 0x8000 | 0x40 << 8 | 0x80);
  assert_int_equal(load_n(t, T0, 0xFFBD8000u + 2 * (16 * 100 + 1), 2), 0xc040);
  set_format(t, 0, 2, 0, 0); /* FP16 */
  store_n(t, T0, 0xFFBD8000u, 0xbc01, 2);
  assert_int_equal(t->dst.bits[0][0], 0x8000 | 1 << 5 | 15);
  assert_int_equal(load_n(t, T0, 0xFFBD8000u, 2), 0xbc01);
  set_format(t, 0, 4, 0, 0); /* INT16 */
  store_n(t, T0, 0xFFBD8002u, 0xfffe, 2);
  assert_int_equal(t->dst.bits[0][1], 0x8002);
  assert_int_equal(load_n(t, T0, 0xFFBD8002u, 2), 0xfffe);
  set_format(t, 0, 5, 0, 1); /* UINT8 */
  store_n(t, T0, 0xFFBD8000u + 16 * 7 + 2, 200, 1);
  assert_int_equal(t->dst.bits[7][2], 200 << 5 | 16);
  assert_int_equal(load_n(t, T0, 0xFFBD8000u + 16 * 7 + 2, 1), 200);
  set_format(t, 0, 5, 0, 0); /* INT8: -3 comes back as 0x180 - 0xfd truncated: the bug */
  store_n(t, T0, 0xFFBD8000u, 0xfd, 1);
  assert_int_equal(t->dst.bits[0][0], 0x8000 | 0x83 << 5 | 16);
  set_format(t, 2, 3, 0, 0); /* T2 takes two at once */
  store(t, T2, 0xFFBD8000u + 2 * (16 * 200), 0x40003f80u);
  assert_int_equal(t->dst.bits[200][0], 0x7f);
  assert_int_equal(t->dst.bits[200][1], 0x80);
  assert_int_equal(load(t, T2, 0xFFBD8000u + 2 * (16 * 200)), 0x40003f80u);
  set_format(t, 0, 3, 0, 0);
  assert_int_equal(tx_bus_load(t, T0, 0xFFBD8000u).result, TX_BUS_FAULT); /* T0 does not */
  tile_give_back(t);
}

/* --- random accesses by every agent --- */

static uint32_t random_address(uint64_t *seed) {
  static const uint32_t bases[] = {0,           0x17fff0u,   0xFFB00000u, 0xFFB00ff0u, 0xFFB11000u, 0xFFB12000u,
                                   0xFFB121A0u, 0xFFB13100u, 0xFFB14000u, 0xFFB18ff0u, 0xFFB20000u, 0xFFB20800u,
                                   0xFFB30100u, 0xFFB30200u, 0xFFB40000u, 0xFFB70400u, 0xFFB80000u, 0xFFBD8000u,
                                   0xFFBDfff0u, 0xFFE00000u, 0xFFE40000u, 0xFFE50000u, 0xFFE80000u, 0xFFE90000u,
                                   0xFFEC0000u, 0xFFEC3000u, 0xFFEF0000u, 0xFFEF0A80u, 0xFFEFFFF0u, 0xFFFFFFF0u};
  uint64_t r = rig_random(seed);
  if (r % 16 == 0) return (uint32_t)(r >> 32);
  return bases[(r >> 8) % (sizeof bases / sizeof *bases)] + (uint32_t)(r >> 32) % (r & 0x80 ? 64 : 2048);
}

static void random_accesses_break_nothing(void **state) {
  (void)state;
  uint64_t seed = 0x5eed, rounds = test_scaled(100000), faults = 0;
  struct tx_tile *fresh = rig_tile(true), *t = rig_tile(true);
  for (uint64_t i = 0; i < rounds; i++) {
    uint64_t r = rig_random(&seed);
    uint32_t address = random_address(&seed), value = (uint32_t)rig_random(&seed);
    unsigned agent = T0 + (unsigned)(r % 5), bytes = 1u << (r >> 8) % 3;
    uint8_t raw[64] = {0};
    if (r >> 16 & 1) address &= ~(bytes - 1);
    if (r >> 17 & 3) value &= 0xffu;
    switch (r >> 20 & 7) {
      case 0: tx_outside_read(t, address, raw, (uint32_t)(r >> 24) % 64); break;
      case 1: tx_outside_write(t, address, raw, (uint32_t)(r >> 24) % 64); break;
      case 2:
      case 3: tx_bus_load_sized(t, agent, address, bytes); break;
      default: tx_bus_store_sized(t, agent, address, value, bytes); break;
    }
    if ((r >> 40) % 4 == 0 && !t->fault.kind) tx_tile_run(t, t->engine.now + 8);
    if (t->fault.kind) {
      assert_true(strlen(t->fault.why) > 10);
      faults++;
      if (faults % 64 == 0) tx_tile_copy_state(t, fresh);
      memset(&t->fault, 0, sizeof t->fault);
    }
  }
  printf("note: %llu random accesses, %llu faults\n", (unsigned long long)rounds, (unsigned long long)faults);
  free(fresh);
  tile_give_back(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_sees_what),
      cmocka_unit_test(sizes),
      cmocka_unit_test(local_rams),
      cmocka_unit_test(wall_clock_and_its_latch),
      cmocka_unit_test(timestamps),
      cmocka_unit_test(performance_counters),
      cmocka_unit_test(watchdog),
      cmocka_unit_test(debug_reads_of_configuration_and_pushes),
      cmocka_unit_test(soft_reset_of_blocks),
      cmocka_unit_test(software_interrupts_are_taken_by_reading),
      cmocka_unit_test(noc_identity),
      cmocka_unit_test(noc_copies_within_the_tile),
      cmocka_unit_test(noc_to_elsewhere_faults),
      cmocka_unit_test(circular_buffer_registers),
      cmocka_unit_test(dst_window),
      cmocka_unit_test(random_accesses_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
