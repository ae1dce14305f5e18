/* Timing of the packer: its costs, the Dst interlock, when bytes reach L1; its diagnostics and what it
 * rejects. */
#include "pack_rig.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1_ports.h"

/* --- time --- */

/* Figures are parameters, all of them inferred: eight cycles, four rows and 64 bytes per cycle. */
static void test_costs(void **state) {
  static const struct {
    uint8_t wide, intermediate, to, sel, acc, issue;
  } rows[] = {
      {0, NUM_BF16, NUM_BF16, 0, 0, 2},  {0, NUM_BF16, NUM_BF16, 1, 0, 1},  {1, NUM_FP32, NUM_FP32, 0, 0, 4},
      {1, NUM_FP32, NUM_FP32, 3, 0, 2},  {0, NUM_FP16, NUM_FP8, 0, 0, 1},   {0, NUM_BF16, NUM_BFP8, 0, 0, 2},
      {0, NUM_BF16, NUM_BF16, 0, 1, 10}, {1, NUM_FP32, NUM_FP32, 0, 1, 20},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct tx_tile *t = new_tile(true);
    use_formats(t, rows[i].wide, rows[i].intermediate, rows[i].to);
    SET(t, THCON_SEC0_REG1_Pack_L1_Acc, rows[i].acc);
    struct tx_cost cost = pacr_by(t, 0, PACR(STAY | LAST | SEL(rows[i].sel)));
    assert_int_equal(cost.hold, 0);
    assert_int_equal(cost.issue, rows[i].issue);
    assert_int_equal(cost.latency, 8 + rows[i].issue);
    free(t);
  }
}

static void test_bytes_arrive_at_their_time(void **state) {
  struct tx_tile *t = new_tile(true);
  (void)state;
  fill_dst(t);
  struct tx_cost cost = pacr_by(t, 0, PACR(SEL(1) | STAY | LAST));
  tx_tile_run(t, cost.latency - 1);
  expect_fill(t, OUT, 32, 0xcc);
  assert_int_equal(t->pack.count, 1);
  tx_tile_run(t, cost.latency);
  expect_row(t, OUT, 0);
  assert_int_equal(t->pack.count, 0);
  assert_true(t->inflight.used == 0);
  free(t);
}

/* A core's narrow write holds a bank for five cycles. The packer reaches it in its last cycle of writing, and completes that much later; so does
 * the next PACR. */
static void test_narrow_writes_hold_the_packer(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  sim_time at;
  fill_dst(t);
  struct tx_cost cost = pacr_by(t, 0, PACR(SEL(1) | STAY | LAST));
  t->units[TX_UNIT_PACK].drained_at[0] = cost.latency;
  tx_tile_run(t, cost.latency - 1);
  t->engine.now = cost.latency - 1;
  assert_true(
      tx_l1_grant(t, &(struct tx_l1_request){.core = 1, .address = OUT + 512, .since = t->engine.now, .hold = 5}, &at));
  tx_tile_run(t, cost.latency + 4);
  expect_fill(t, OUT, 32, 0xcc);
  assert_int_equal(t->units[TX_UNIT_PACK].drained_at[0], cost.latency + 5);
  tx_tile_run(t, cost.latency + 5);
  expect_row(t, OUT, 0);
  assert_int_equal(t->pack.count, 0);
  free(t);
}

/* Dst.md: a PACR that reads a block in its busy time is stalled; a 32-bit row lies in two blocks. */
static void test_dst_interlock(void **state) {
  (void)state;
  for (unsigned block = 0; block < 4; block++) {
    struct tx_tile *t = new_tile(true);
    t->dst.busy_until[block] = 6;
    assert_int_equal(pacr_by(t, 0, PACR(STAY | LAST)).hold, block == 0 ? 6 : 0);
    t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = 8;
    assert_int_equal(pacr_by(t, 0, PACR(STAY | LAST)).hold, block == 1 ? 6 : 0);
    use_formats(t, true, NUM_FP32, NUM_FP32); /* rows 8 to 11: high halves in block 2, low ones in block 3 */
    assert_int_equal(pacr_by(t, 0, PACR(STAY | LAST)).hold, block >= 2 ? 6 : 0);
    free(t);
  }
}

/* MOVA2D and MOVB2D do not stall a PACR. */
static void test_read_too_soon(void **state) {
  struct tx_tile *t = new_tile(true);
  (void)state;
  t->dst.mov_until[1] = 3;
  pacr_by(t, 0, PACR(STAY | LAST));
  expect_quiet(t);
  t->adc[0].unit[TX_ADC_PACKER][0].c[TX_ADC_Y] = 12;
  pacr_by(t, 0, PACR(STAY | LAST));
  assert_int_equal(found(t, TX_DIAG_DST_READ_TOO_SOON), 1);
  free(t);
}

static void test_pipe_is_bounded(void **state) {
  struct tx_tile *t = new_tile(true);
  struct tx_answer answer = {.ok = true};
  (void)state;
  fill_dst(t);
  for (unsigned i = 0; i < TX_PACK_BATCHES; i++) pacr_by(t, 0, PACR(SEL(1) | STAY | LAST | MODE(0)));
  tx_pack_ready(t, 0, PACR(STAY), &answer);
  assert_false(answer.ok);
  assert_int_equal(answer.retry_at, t->pack.batch[t->pack.first].done_at);
  settle(t);
  assert_int_equal(t->pack.count, 0);
  free(t);
}

static void test_results_leave_in_order(void **state) {
  struct tx_tile *t = new_tile(true);
  (void)state;
  struct tx_cost slow = pacr_by(t, 0, PACR(STAY | LAST)), fast;
  t->params.pack_latency = 1;
  fast = pacr_by(t, 0, PACR(SEL(1) | STAY | LAST)); /* issued in the same cycle here */
  assert_int_equal(fast.hold + fast.latency, slow.hold + slow.latency);
  free(t);
}

/* --- findings --- */

static void touch(struct tx_tile *t, uint32_t address, bool write) {
  t->current = (struct tx_current){.agent = TX_AGENT_TRISC1};
  tx_inflight_touch(t, address, 4, write);
}

static void test_l1_race(void **state) {
  struct tx_tile *t = new_tile(true);
  (void)state;
  pacr_by(t, 0, PACR(STAY | LAST));
  touch(t, OUT - 4, false);
  touch(t, OUT + 128, true);
  expect_quiet(t);
  touch(t, OUT + 124, false);
  assert_int_equal(found(t, TX_DIAG_L1_RACE), 1);
  touch(t, OUT, true);
  assert_int_equal(found(t, TX_DIAG_L1_RACE), 2);
  settle(t);
  touch(t, OUT, false);
  assert_int_equal(found(t, TX_DIAG_L1_RACE), 2);
  pacr_by(t, 0, PACR(STAY | LAST)); /* the packer does not race with itself */
  pacr_by(t, 0, PACR(STAY | LAST));
  assert_int_equal(found(t, TX_DIAG_L1_RACE), 2);
  free(t);
}

static void test_config_race(void **state) {
  struct tx_tile *t = new_tile(true);
  (void)state;
  pacr_by(t, 0, PACR(STAY | LAST));
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 + 100); /* kernels do this: the value is read when PACR starts */
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  pacr_by(t, 0, PACR(STAY | LAST));
  settle(t);
  SET(t, STACC_RELU_ApplyRelu, 1); /* nothing in flight */
  pacr_by(t, 0, PACR(STAY | LAST));
  expect_quiet(t);
  SET(t, STACC_RELU_ApplyRelu, 0);
  pacr_by(t, 0, PACR(STAY | LAST));
  assert_int_equal(found(t, TX_DIAG_PACK_CONFIG_RACE), 1);
  free(t);
}

static void test_double_rounding(void **state) {
  static const struct {
    uint8_t wide, intermediate, to, twice;
  } rows[] = {
      {0, NUM_BF16, NUM_BFP8, 0}, {1, NUM_BF16, NUM_BFP8, 1}, {1, NUM_TF32, NUM_BFP4, 1}, {1, NUM_FP32, NUM_BFP8, 0},
      {1, NUM_BF16, NUM_BF16, 0}, {1, NUM_BFP8, NUM_BFP8, 0}, {0, NUM_BFP8, NUM_BFP8, 0}, {1, NUM_TF32, NUM_FP16, 0},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct tx_tile *t = new_tile(false);
    use_formats(t, rows[i].wide, rows[i].intermediate, rows[i].to);
    pacr(t, PACR(STAY | LAST));
    assert_int_equal(found(t, TX_DIAG_PACK_DOUBLE_ROUNDING), rows[i].twice);
    free(t);
  }
}

/* --- refusals --- */

static void test_refused_fields(void **state) {
  static const struct {
    uint32_t word;
    const char *says;
  } rows[] = {
      {TX_PUT(PACR, cfg_context, 1), "CfgContext"},
      {TX_PUT(PACR, ctxt_ctrl, 2), "CtxtCtrl"},
      {TX_PUT(PACR, row_pad_zero, 4), "RowPadZero"},
      {TX_PUT(PACR, addr_cnt_context, 1), "AddrCntContext"},
  };
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    struct tx_tile *t = new_tile(false);
    pacr(t, PACR(STAY | LAST | rows[i].word));
    expect_fault(t, SIM_FAULT_UNSUPPORTED, rows[i].says);
    expect_fill(t, OUT, 128, 0xcc);
    free(t);
  }
}

#define REFUSED(kind, says, ...) \
  do { \
    struct tx_tile *t = new_tile(false); \
    __VA_ARGS__; \
    pacr(t, PACR(STAY | LAST)); \
    expect_fault(t, SIM_FAULT_##kind, says); \
    expect_fill(t, OUT, 128, 0xcc); \
    free(t); \
  } while (0)

static void test_refused_configuration(void **state) {
  (void)state;
  REFUSED(UNSUPPORTED, "16-bit Dst by intermediate FP32 (late from FP32) to BF16",
          use_formats(t, false, NUM_FP32, NUM_BF16));
  REFUSED(UNSUPPORTED, "32-bit Dst by intermediate FP8 (late from FP8) to FP8", use_formats(t, true, NUM_FP8, NUM_FP8));
  REFUSED(UNSUPPORTED, "(late from FP16) to BF16", SET(t, THCON_SEC0_REG1_In_data_format, NUM_FP16));
  REFUSED(UNSUPPORTED, "to none", use_formats(t, false, NUM_BF16, 12));
  REFUSED(UNSUPPORTED, "Bfp8_HF", SET(t, ALU_ROUNDING_MODE_Bfp8_HF, 1));
  REFUSED(UNSUPPORTED, "INT_DESCALE_Mode", use_formats(t, true, NUM_INT8, NUM_INT8), SET(t, INT_DESCALE_Enable, 1),
          SET(t, INT_DESCALE_Mode, 1));
  REFUSED(UNSUPPORTED, "packing from L1", SET(t, THCON_SEC0_REG1_Source_interface_selection, 1));
  REFUSED(UNSUPPORTED, "Dis_shared_exp_assembler", SET(t, THCON_SEC0_REG1_Dis_shared_exp_assembler, 1),
          use_formats(t, false, NUM_BF16, NUM_BFP8));
  REFUSED(UNSUPPORTED, "Downsample_rate", SET(t, THCON_SEC0_REG1_Downsample_rate, 1));
  REFUSED(UNSUPPORTED, "FP32, FP16 and BF16", SET(t, THCON_SEC0_REG1_Pack_L1_Acc, 1),
          use_formats(t, true, NUM_INT32, NUM_INT32));
  REFUSED(UNSUPPORTED, "compressed", SET(t, THCON_SEC0_REG1_Pack_L1_Acc, 1),
          SET(t, THCON_SEC0_REG1_Disable_zero_compress, 0));
  REFUSED(UNSUPPORTED, "two bits", SET(t, THCON_SEC0_REG1_Disable_zero_compress, 0),
          use_formats(t, false, NUM_BF16, NUM_BFP2));
  REFUSED(UNDEFINED, "negative threshold", SET(t, STACC_RELU_ApplyRelu, 2), SET(t, STACC_RELU_ReluThreshold, 0x8000));
  REFUSED(UNDEFINED, "integer", SET(t, STACC_RELU_ApplyRelu, 3), use_formats(t, true, NUM_INT32, NUM_INT32));
  REFUSED(UNDEFINED, "integer", SET(t, PCK_EDGE_MODE_mode, 1), SET(t, PCK_EDGE_OFFSET_SEC0_mask, 1),
          use_formats(t, false, NUM_INT16, NUM_INT16));
}

/* After a fault the tile can be read, corrected and used again. */
static void test_goes_on_after_a_fault(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  use_formats(t, false, 12, NUM_BF16);
  pacr(t, PACR(STAY | LAST));
  expect_fault(t, SIM_FAULT_UNSUPPORTED, "intermediate none");
  use_formats(t, false, NUM_BF16, NUM_BF16);
  pacr(t, PACR(STAY | LAST));
  for (unsigned row = 0; row < 4; row++) expect_row(t, OUT + 32 * row, row);
  expect_quiet(t);
  free(t);
}

/* Mode 1 with a threshold below zero is fine: the threshold is not used. */
static void test_relu_mode_1_ignores_threshold(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  fill_dst(t);
  SET(t, STACC_RELU_ApplyRelu, 1);
  SET(t, STACC_RELU_ReluThreshold, 0xffff);
  pacr(t, PACR(STAY | LAST));
  for (unsigned i = 0; i < 64; i++) {
    uint16_t x = mark(i / 16, i % 16);
    assert_int_equal(half(t, OUT + 2 * i), x >> 15 ? 0 : x);
  }
  expect_quiet(t);
  free(t);
}

/* --- PACR_SETREG --- */

#define SETREG(fields) ((uint32_t)TX_PACR_SETREG << 24 | (fields))
#define DATA(low, value) SETREG(TX_PUT(PACR_SETREG, mode_sel, 1) | (uint32_t)(value) << 3 | ((low) ? 0 : 1u << 2))
#define GO (TX_PUT(PACR_SETREG, push, 1) | TX_PUT(PACR_SETREG, flush, 1))

/* TDMA-RISC.md: FFB11000 + 4 is CmdParams[1]; 11 and 1 are the middle and low part of the address. */
static void test_setreg(void **state) {
  struct tx_tile *t = new_tile(true);
  (void)state;
  fill_dst(t);
  t->mover.pack_register_raw = 1u << 10; /* address 1: offset 4, high bits 0 */
  pacr_by(t, 0, DATA(true, 0x5678));
  pacr_by(t, 0, DATA(false, 0x1234));
  t->adc[0].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 3;
  pacr_by(t, 0, PACR(SEL(1) | STAY)); /* eight bytes in the buffer */
  struct tx_cost cost = pacr_by(t, 0, SETREG(GO | TX_PUT(PACR_SETREG, addr_sel, 1) | TX_PUT(PACR_SETREG, stream_id, 0x11)));
  assert_int_equal(t->mover.parameter[1], 0);
  assert_true(cost.latency > 1);
  settle(t);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  assert_int_equal(t->mover.parameter[1], 0x12345678);
  assert_int_equal(half(t, OUT + 6), mark(0, 3)); /* flushed */
  expect_fill(t, OUT + 8, 8, 0);
  free(t);
}

static void test_setreg_refusals(void **state) {
  struct tx_tile *t = new_tile(false);
  (void)state;
  pacr(t, SETREG(TX_PUT(PACR_SETREG, push, 1)));
  expect_fault(t, SIM_FAULT_UNSUPPORTED, "Push and Flush");
  pacr(t, SETREG(GO | TX_PUT(PACR_SETREG, addr_sel, 2)));
  expect_fault(t, SIM_FAULT_UNSUPPORTED, "AddrSel 2");
  pacr(t, SETREG(GO));
  expect_fault(t, SIM_FAULT_UNDEFINED, "0xffb00000 is below");
  t->mover.pack_register_raw = 0x3u << 20; /* no effect from FFB80000 on */
  pacr(t, SETREG(GO));
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  t->mover.pack_register_raw = 0x1u << 20 | 0x3ff;
  pacr(t, SETREG(GO));
  expect_fault(t, SIM_FAULT_ADDRESS, "no register takes a value at 0xffb40ffc");
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_costs),
      cmocka_unit_test(test_bytes_arrive_at_their_time),
      cmocka_unit_test(test_narrow_writes_hold_the_packer),
      cmocka_unit_test(test_dst_interlock),
      cmocka_unit_test(test_read_too_soon),
      cmocka_unit_test(test_pipe_is_bounded),
      cmocka_unit_test(test_results_leave_in_order),
      cmocka_unit_test(test_l1_race),
      cmocka_unit_test(test_config_race),
      cmocka_unit_test(test_double_rounding),
      cmocka_unit_test(test_refused_fields),
      cmocka_unit_test(test_refused_configuration),
      cmocka_unit_test(test_goes_on_after_a_fault),
      cmocka_unit_test(test_relu_mode_1_ignores_threshold),
      cmocka_unit_test(test_setreg),
      cmocka_unit_test(test_setreg_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
