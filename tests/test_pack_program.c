/* The packer behind the front end: programs pack, wait as kernels do, and read. Same bits with timing on and off; a reader that
 * does not wait gets a finding. */
#include "rig.h"

#define OUT 0x60000u
#define COPY 0x70000u
#define CFG(name) (TX_ADDR_CONFIG + 4u * TX_CFG_##name##_ADDR)

/* Rows of BF16 whose values encode their position. */
static void fill(struct tx_tile *t) {
  for (unsigned r = 0; r < TX_DST_ROWS; r++) {
    t->dst.valid[r] = 1;
    for (unsigned c = 0; c < 16; c++) t->dst.bits[r][c] = (uint16_t)((c * 7 & 0x7f) << 8 | (1 + r % 250));
  }
}

static uint16_t value_of(unsigned row, unsigned column) { return (uint16_t)((1 + row % 250) << 7 | (column * 7 & 0x7f)); }

/* Configuration of a BF16 tile by the core of thread 2, waited for with STALLWAIT. */
static void configure(struct rig *r) {
  rig_store(r, 2, CFG(ALU_FORMAT_SPEC_REG2_Dstacc), (uint32_t)NUM_BF16 << TX_CFG_ALU_FORMAT_SPEC_REG2_Dstacc_SHIFT);
  rig_store(r, 2, CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride), 32u << 16);
  rig_store(r, 2, CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride), 512);
  rig_store(r, 2, CFG(PCK_EDGE_OFFSET_SEC0_mask), 0xffff);
  rig_store(r, 2, CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane), 16u << 8);
  rig_store(r, 2, CFG(THCON_SEC0_REG1_L1_Dest_addr), OUT / 16 - 1);
  rig_store(r, 2, CFG(THCON_SEC0_REG1_Out_data_format), 1u | NUM_BF16 << 4 | NUM_BF16 << 8);
  rig_push(r, 2, STALL(TX_B(2), 1u << TX_C10_CORE_REQUESTS));
  rig_push(r, 2, OP(SETC16, TX_CFG_CFG_STATE_ID_StateID_ADDR << 16));
  rig_push(r, 2, OP(SETC16, TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR << 16 | 4u));
  rig_push(r, 2, OP(SETADCXX, 4u << 21 | 15u << 10));
}

static void pack_four(struct rig *r, bool last) {
  for (unsigned i = 0; i < 4; i++) rig_push(r, 2, OP(PACR, last && i == 3 ? TX_PUT(PACR, last, 1) : 0));
}

static void expect_packed(const struct tx_tile *t, uint32_t address, unsigned rows) {
  for (unsigned i = 0; i < 16 * rows; i++) assert_int_equal(tx_l1_read(t, address + 2 * i, 2), value_of(i / 16, i % 16));
}

/* A core that waits for its thread (tensix_sync) reads what was packed. */
static void test_sync_then_read(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    fill(r->t);
    configure(r);
    pack_four(r, true);
    rig_sync(r, 2);
    rig_copy(r, 2, OUT + 508, COPY); /* the last datums */
    rig_run_well(r);
    expect_packed(r->t, OUT, 16);
    assert_int_equal(tx_l1_read(r->t, COPY, 4), value_of(15, 14) | (uint32_t)value_of(15, 15) << 16);
    assert_int_equal(rig_findings(r), 0);
    rig_free(r);
  }
}

/* Two threads: SEMPOST after STALLWAIT(packer idle) releases another thread's core. */
static void test_semaphore_then_read(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    fill(r->t);
    configure(r);
    rig_push(r, 2, OP(SEMINIT, 2u << 20 | 1u << 3)); /* semaphore 1: maximum 2, value 0 */
    pack_four(r, true);
    rig_push(r, 2, STALL(TX_B(1), 1u << TX_C3_PACK));
    rig_push(r, 2, OP(SEMPOST, 1u << 3));
    rig_poll(r, 0, TX_ADDR_SEMAPHORE + 4, 0xf, 1);
    rig_copy(r, 0, OUT, COPY);
    rig_copy(r, 0, OUT + 508, COPY + 4);
    rig_run_well(r);
    assert_int_equal(tx_l1_read(r->t, COPY, 4), value_of(0, 0) | (uint32_t)value_of(0, 1) << 16);
    assert_int_equal(tx_l1_read(r->t, COPY + 4, 4), value_of(15, 14) | (uint32_t)value_of(15, 15) << 16);
    assert_int_equal(rig_findings(r), 0);
    rig_free(r);
  }
}

/* Without waiting the core reads before the bytes are there: the old value, and a finding that names the PACR. */
static void test_read_without_waiting(void **state) {
  struct rig *r = rig_new(true);
  (void)state;
  fill(r->t);
  r->t->params.pack_latency = 200; /* so that the load executes in between, whatever the latency of loads */
  configure(r);
  pack_four(r, true);
  for (unsigned i = 0; i < 60; i++) rig_copy(r, 1, OUT + 4, COPY);
  rig_run_well(r);
  assert_true(r->t->diag.counts[TX_DIAG_L1_RACE] > 0);
  expect_packed(r->t, OUT, 16);
  rig_free(r);
}

/* PACRs of three threads in turn: each packs its own tile with its own counters; no data is lost or mixed. */
static void test_three_threads(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    fill(r->t);
    configure(r);
    rig_sync(r, 2);
    rig_store(r, 2, CFG(PCK0_ADDR_CTRL_XY_REG_1_Ystride), 0x400u << 16);
    rig_push(r, 2, STALL(TX_B(2), 1u << TX_C10_CORE_REQUESTS));
    rig_sync(r, 2);
    rig_store(r, 2, COPY + 128, 1);
    for (unsigned thread = 0; thread < 3; thread++) {
      if (thread < 2) rig_poll(r, thread, COPY + 128, 1, 1);
      rig_push(r, thread, OP(SETC16, TX_CFG_CFG_STATE_ID_StateID_ADDR << 16));
      rig_push(r, thread, OP(SETC16, (TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + 3) << 16)); /* counters stay */
      rig_push(r, thread, OP(SETADCXX, 4u << 21 | 15u << 10));
      rig_push(r, thread, OP(SETADC, 4u << 21 | 1u << 20 | 1u << 18 | thread));       /* channel 1, Y: destination */
      rig_push(r, thread, OP(SETADC, 4u << 21 | 0u << 20 | 1u << 18 | 16u * thread)); /* channel 0, Y: source */
      for (unsigned i = 0; i < 20; i++) rig_push(r, thread, OP(PACR, TX_PUT(PACR, addr_mode, 3) | TX_PUT(PACR, last, 1)));
    }
    rig_run_well(r);
    for (unsigned thread = 0; thread < 3; thread++)
      for (unsigned i = 0; i < 64; i++)
        assert_int_equal(tx_l1_read(r->t, OUT + 0x400 * thread + 2 * i, 2), value_of(16 * thread + i / 16, i % 16));
    assert_int_equal(r->t->pack.count, 0);
    rig_free(r);
  }
}

/* STALLWAIT for the packer ends when the last byte has reached L1. */
static void test_stallwait_waits_for_the_bytes(void **state) {
  struct rig *r = rig_new(true);
  (void)state;
  fill(r->t);
  configure(r);
  pack_four(r, true);
  rig_push(r, 2, STALL(TX_B(1), 1u << TX_C3_PACK));
  rig_push(r, 2, OP(SEMPOST, 1u << 3));
  rig_run_well(r);
  sim_time last = rig_issued(r, 2, TX_PACR, 3)->at, post = rig_issued(r, 2, TX_SEMPOST, 0)->at;
  /* Two cycles to write 128 bytes, eight of latency, and the cycle in which a satisfied wait still blocks. */
  assert_int_equal(post - last, 2 + 8 + 1);
  assert_int_equal(last - rig_issued(r, 2, TX_PACR, 0)->at, 3 * 2);
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sync_then_read),
      cmocka_unit_test(test_semaphore_then_read),
      cmocka_unit_test(test_read_without_waiting),
      cmocka_unit_test(test_three_threads),
      cmocka_unit_test(test_stallwait_waits_for_the_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
