/* The mover through XMOV and through TDMA-RISC's registers: what it copies and clears, how long it takes, its queue, its
 * status, what it refuses. Figures from Mover.md and TDMA-RISC.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tensix/tile/bus.h"
#include "unpack_rig.h"

#define XMOV 0x40000000u
enum { SRC = 0x00, DST = 0x04, SIZE = 0x08, DIRECTION = 0x0c, COMMAND = 0x10, STATUS = 0x14, BASE = 0x2c };
enum { CLEAR_L1, L1_TO_CONFIG, CLEAR_CONFIG, L1_TO_L1 };

static void tdma(struct tx_tile *t, unsigned agent, uint32_t offset, uint32_t value) {
  assert_int_equal(tx_tdma_write(t, agent, TX_ADDR_TDMA + offset, value), TX_TDMA_DONE);
}

static uint32_t tdma_read(struct tx_tile *t, unsigned agent, uint32_t offset) {
  uint32_t value;
  assert_int_equal(tx_tdma_read(t, agent, TX_ADDR_TDMA + offset, &value), TX_TDMA_DONE);
  return value;
}

static void command(struct tx_tile *t, uint32_t source, uint32_t target, uint32_t length, uint32_t direction) {
  tdma(t, TX_AGENT_BRISC, SRC, source / 16);
  tdma(t, TX_AGENT_BRISC, DST, target / 16);
  tdma(t, TX_AGENT_BRISC, SIZE, length / 16);
  tdma(t, TX_AGENT_BRISC, DIRECTION, direction);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x40);
}

static sim_time wait_until_idle(struct tx_tile *t) {
  sim_time start = t->engine.now;
  while ((t->mover.busy || t->mover.commands) && !t->fault.kind && t->engine.now - start < 100000) pass_cycles(t, 1);
  return t->engine.now - start;
}

static void set_xmov(struct tx_tile *t, uint32_t source, uint32_t target, uint32_t length, uint32_t direction) {
  PUT_CFG(t, THCON_SEC0_REG6_Source_address, source / 16);
  PUT_CFG(t, THCON_SEC0_REG6_Destination_address, target / 16);
  PUT_CFG(t, THCON_SEC0_REG6_Buffer_size, length / 16);
  PUT_CFG(t, THCON_SEC0_REG6_Transfer_direction, direction);
}

static void xmov_copies_and_clears(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 1;
  random_l1(t, 0x30000, 1024, &seed);
  memset(&t->l1[0x40000], 0xaa, 2048);
  set_xmov(t, 0x30000, 0x40010, 1024, L1_TO_L1);
  give(t, 0, XMOV);
  assert_true(tx_mover_busy(t));
  assert_int_equal(t->l1[0x40010], 0xaa); /* not before it is done */
  assert_int_equal(wait_until_idle(t), 1 + 1024 / 128 * 11);
  assert_memory_equal(&t->l1[0x40010], &t->l1[0x30000], 1024);
  assert_int_equal(t->l1[0x4000f], 0xaa);
  assert_int_equal(t->l1[0x40410], 0xaa);
  set_xmov(t, 0x30000, 0x40100, 256, CLEAR_L1);
  give(t, 0, XMOV);
  assert_int_equal(wait_until_idle(t), 1 + 256 / 16);
  for (unsigned i = 0; i < 256; i++) assert_int_equal(t->l1[0x40100 + i], 0);
  assert_int_equal(t->l1[0x40200], t->l1[0x30000 + 0x200 - 0x10]);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  assert_int_equal(t->diag.finding_count, 0);
  free(t);
}

/* Sixteen bytes at a time, upwards: a copy to an overlapping higher address repeats its first unit. */
static void overlapping_copy(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(false);
  for (unsigned i = 0; i < 64; i++) t->l1[0x1000 + i] = (uint8_t)i;
  set_xmov(t, 0x1000, 0x1010, 48, L1_TO_L1);
  give(t, 0, XMOV);
  wait_until_idle(t);
  for (unsigned i = 0; i < 64; i++) assert_int_equal(t->l1[0x1000 + i], i % 16);
  free(t);
}

static void config_is_written_as_the_cores_see_it(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  for (unsigned i = 0; i < 16; i++) t->l1[0x2000 + i] = (uint8_t)(i + 1);
  command(t, 0x2000, 64 * 4, 16, L1_TO_CONFIG); /* bank 0, words 64 to 67 */
  wait_until_idle(t);
  assert_int_equal(t->config.words[0][64], 0x04030201);
  assert_int_equal(t->config.words[0][67], 0x100f0e0d);
  assert_int_equal(t->config.words[1][64], 0);
  command(t, 0x2000, (224 + 64) * 4, 16, L1_TO_CONFIG); /* bank 1 */
  wait_until_idle(t);
  assert_int_equal(t->config.words[1][66], 0x0c0b0a09);
  command(t, 0x2000, (448 + 72) * 4, 16, L1_TO_CONFIG); /* both */
  wait_until_idle(t);
  assert_int_equal(t->config.words[0][73], 0x08070605);
  assert_int_equal(t->config.words[1][73], 0x08070605);
  command(t, 0, 64 * 4, 16, CLEAR_CONFIG);
  wait_until_idle(t);
  assert_int_equal(t->config.words[0][64], 0);
  assert_int_equal(t->config.words[1][66], 0x0c0b0a09);
  command(t, 0x2000, 0x40000, 16, L1_TO_CONFIG); /* instruction RAM that Blackhole does not have */
  wait_until_idle(t);
  assert_int_equal(t->diag.counts[TX_DIAG_UNTESTED_MODE], 1);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  free(t);
}

/* One write: instruction, offset from the core's base, target, size, direction. */
static void compact_commands(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint64_t seed = 3;
  random_l1(t, 0x5000, 64, &seed);
  tdma(t, TX_AGENT_TRISC1, BASE, 0x4000 / 16);
  tdma(t, TX_AGENT_TRISC0, BASE, 0x7000 / 16);
  assert_int_equal(tdma_read(t, TX_AGENT_TRISC1, BASE), 0x400);
  assert_int_equal(tdma_read(t, TX_AGENT_TRISC0, BASE), 0x700);
  assert_int_equal(tdma_read(t, TX_AGENT_NCRISC, BASE), 0x700);
  tdma(t, TX_AGENT_TRISC1, COMMAND, 0x80000040u | 1u << 30 | 4u << 24 | 0x20u << 16 | 0x00u << 8);
  wait_until_idle(t);
  assert_memory_equal(&t->l1[0x200], &t->l1[0x4000], 64);
  random_l1(t, 0x4ff0, 16, &seed);
  tdma(t, TX_AGENT_TRISC1, COMMAND, 0x80000040u | 1u << 24 | 16u << 16 | 0xffu << 8); /* to Config word 64 */
  wait_until_idle(t);
  assert_memory_equal(&t->config.words[0][64], &t->l1[0x4ff0], 16);
  free(t);
}

static void queue_and_status(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, STATUS), 1u << 3 | 1u << 5 | 4u << 8);
  command(t, 0x2000, 0x3000, 1024, L1_TO_L1);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, STATUS), 3u << 8);
  pass_cycles(t, 1);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, STATUS), 1u | 1u << 3 | 1u << 5 | 4u << 8);
  command(t, 0x2000, 0x3000, 16, L1_TO_L1); /* waits for the mover */
  command(t, 0x2000, 0x3000, 16, L1_TO_L1);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x80000046u);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x80000089u);
  pass_cycles(t, 1);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, STATUS), 1u | 1u << 2 | 1u << 4);
  assert_int_equal(tx_tdma_write(t, TX_AGENT_BRISC, TX_ADDR_TDMA + COMMAND, 0x80000089u), TX_TDMA_WAIT);
  struct tx_answer answer = {.ok = true};
  tx_mover_ready(t, 0, XMOV, &answer);
  assert_false(answer.ok);
  assert_int_equal(answer.wait.object, TX_UNIT_MOVER);
  assert_int_equal(tx_conditions_unmet(t, 2, 1u << TX_C9_MOVER), 1u << TX_C9_MOVER);
  wait_until_idle(t);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, STATUS), 1u << 3 | 1u << 5 | 4u << 8);
  assert_int_equal(tx_conditions_unmet(t, 2, 1u << TX_C9_MOVER), 0);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  free(t);
}

static void l1_write_command(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  tdma(t, TX_AGENT_BRISC, SRC, 0x1234);
  tdma(t, TX_AGENT_BRISC, SIZE, 0x11223344);
  tdma(t, TX_AGENT_BRISC, DIRECTION, 0x55667788);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x666);
  wait_until_idle(t);
  assert_int_equal(tx_l1_read(t, 0x1234, 4), 0x11223344);
  assert_int_equal(tx_l1_read(t, 0x1238, 4), 0);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x766);
  wait_until_idle(t);
  assert_int_equal(tx_l1_read(t, 0x1238, 4), 0x55667788);
  free(t);
}

static void other_registers(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  uint32_t value;
  tdma(t, TX_AGENT_BRISC, 0x24, 0x3f); /* what firmware does: clock gating on */
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x24), 0x3f);
  tdma(t, TX_AGENT_BRISC, 0x28, 0xffffffffu);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x28), 0x01ff007f);
  tdma(t, TX_AGENT_BRISC, 0x3c, 0x05u | 0x1ffu << 9 | 0x80u << 18);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x13c), 0x05u | 0x1ffu << 9 | 0x80u << 18);
  assert_int_equal(t->mover.scaler[3], 0x1ff);
  tdma(t, TX_AGENT_BRISC, 0x38, 0x00abcdef);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x38), 0xabcdef00u | 0x55u);
  assert_int_equal(tx_tdma_register_base(0x00abcdef, 0), (0xau & 3u) << 18 | (0xdefu & 0x3ffu) << 2);
  for (uint32_t offset = 0; offset <= COMMAND; offset += 4) assert_int_equal(tdma_read(t, TX_AGENT_BRISC, offset), 0);
  assert_int_equal(tx_tdma_read(t, TX_AGENT_BRISC, TX_ADDR_TDMA + 0x30, &value), TX_TDMA_WAIT); /* no tile yet */
  assert_int_equal(tx_tdma_read(t, TX_AGENT_BRISC, TX_ADDR_TDMA + 0x400, &value), TX_TDMA_NONE);
  assert_int_equal(tx_tdma_write(t, TX_AGENT_BRISC, TX_ADDR_TDMA + 0x44, 0), TX_TDMA_NONE);
  assert_int_equal(tx_tdma_read(t, TX_AGENT_BRISC, TX_ADDR_TDMA + 2, &value), TX_TDMA_NONE);
  t->pack_stats.packer[0].last_tile_size = 77;
  t->pack_stats.packer[0].last_thread = 2;
  t->pack_stats.packer[0].acc_tile_size[2] = 99;
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x98), 77);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x18), 0);
  assert_int_equal(tdma_read(t, TX_AGENT_BRISC, 0x9c), 99);
  free(t);
}

static void races(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  command(t, 0x2000, 0x3000, 1024, L1_TO_L1);
  pass_cycles(t, 1);
  t->current = (struct tx_current){.agent = TX_AGENT_TRISC0};
  tx_inflight_touch(t, 0x2400u, 4u, true);
  tx_inflight_touch(t, 0x2000u, 4u, false);
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 0);
  tx_inflight_touch(t, 0x23ffu, 1u, true);
  tx_inflight_touch(t, 0x3000u, 4u, false);
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 2);
  wait_until_idle(t);
  assert_int_equal(t->inflight.used, 0);
  free(t);
}

static void check_fault(struct tx_tile *t, uint32_t kind, const char *words) {
  wait_until_idle(t);
  assert_int_equal(t->fault.kind, kind);
  if (!strstr(t->fault.why, words)) fail_msg("\"%s\" does not say \"%s\"", t->fault.why, words);
  free(t);
}

static void refused(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  command(t, TX_L1_BYTES - 16, 0x3000, 32, L1_TO_L1);
  check_fault(t, SIM_FAULT_ADDRESS, "mover");
  t = new_tile(true);
  set_xmov(t, 0x3000, 0, 16, L1_TO_L1);
  PUT_CFG(t, THCON_SEC0_REG6_Destination_address, 0xffffffffu);
  give(t, 0, XMOV);
  check_fault(t, SIM_FAULT_ADDRESS, "mover");
  t = new_tile(true);
  command(t, 0x2000, 0xfff0, 32, L1_TO_CONFIG);
  check_fault(t, SIM_FAULT_UNDEFINED, "64 KiB");
  t = new_tile(true);
  command(t, 0x2000, 672 * 4, 16, L1_TO_CONFIG);
  check_fault(t, SIM_FAULT_UNDEFINED, "ThreadConfig");
  t = new_tile(true);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x80000011u);
  check_fault(t, SIM_FAULT_UNDEFINED, "opcode");
  t = new_tile(true);
  tdma(t, TX_AGENT_BRISC, COMMAND, 0x66);
  check_fault(t, SIM_FAULT_UNDEFINED, "L1 write");
  t = new_tile(true); /* the third command with parameters: hardware does not wait for a place */
  for (unsigned i = 0; i < 3; i++) command(t, 0x2000, 0x3000, 16, L1_TO_L1);
  check_fault(t, SIM_FAULT_UNDEFINED, "parameters");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xmov_copies_and_clears),
      cmocka_unit_test(overlapping_copy),
      cmocka_unit_test(config_is_written_as_the_cores_see_it),
      cmocka_unit_test(compact_commands),
      cmocka_unit_test(queue_and_status),
      cmocka_unit_test(l1_write_command),
      cmocka_unit_test(other_registers),
      cmocka_unit_test(races),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
