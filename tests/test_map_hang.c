/* Runs that never end by themselves: spins of every kind are reported by name, computations are not. */
#include "observe/hang/progress.h"
#include "rig.h"
#include "run_alone.h"
#include "rv_builder.h"

#define FLAG 0x20040u

static struct tx_tile *start(bool timing, unsigned core, const struct rv *code) {
  static const uint32_t pcs[TX_CORES] = {0x6000, 0xA000, 0xE000, 0, 0x12000};
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, timing);
  for (uint32_t i = 0; i < code->count; i++)
    for (unsigned k = 0; k < 4; k++) t->l1[pcs[core] + 4 * i + k] = (uint8_t)(code->word[i] >> (8 * k));
  tx_control_write(t, 0xFFB121B0u, 0x47800u & ~(1u << tx_control_reset_bit(core)));
  return t;
}

/* Ends as a hang within 10,000 cycles of the last progress (here: the start), with the address in its words. */
static void expect_spin_on_one(const struct rv *code, unsigned core, uint32_t address, uint32_t other) {
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, core, code);
    char text[4096], wanted[2][32];
    enum sim_end end = run_alone(t, 1000000);
    if (end != SIM_END_BLOCKED || t->engine.now > 10000)
      fail_msg("timing %u: end %d at cycle %llu", timing, (int)end, (unsigned long long)t->engine.now);
    obs_hang_report(t, text, sizeof text);
    snprintf(wanted[0], sizeof wanted[0], "0x%08x", address);
    snprintf(wanted[1], sizeof wanted[1], "0x%08x", other);
    if (!strstr(text, wanted[0]) && !strstr(text, wanted[1])) fail_msg("timing %u: no %s in: %s", timing, wanted[0], text);
    tile_give_back(t);
  }
}

static void expect_spin(const struct rv *code, unsigned core, uint32_t address) {
  expect_spin_on_one(code, core, address, address);
}

static void a_poll_of_l1(void **state) {
  (void)state;
  struct rv c = {0};
  rv_wait(&c, FLAG, 1);
  for (unsigned core = 0; core < TX_CORES; core++) expect_spin(&c, core, FLAG);
}

static void a_poll_with_a_fence(void **state) { /* as firmware writes it */
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_put(&c, 0x0ff0000fu); /* fence */
  rv_load(&c, 4, A3, A4, 0);
  rv_beq(&c, A3, ZERO, c.count - 2);
  rv_ebreak(&c);
  expect_spin(&c, 3, FLAG);
}

static void a_poll_of_a_register(void **state) {
  (void)state;
  struct rv sem = {0}, stream = {0}, control = {0};
  rv_wait(&sem, 0xFFE80024u, 1);
  expect_spin(&sem, 1, 0xFFE80024u);
  rv_wait(&stream, 0xFFB43028u, 1); /* tiles received in a circular buffer */
  expect_spin(&stream, 0, 0xFFB43028u);
  rv_wait(&control, 0xFFB121B0u, 0); /* all cores released */
  expect_spin(&control, 3, 0xFFB121B0u);
}

static void a_poll_of_two_places_with_calls(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, SP, 0xFFB00100u);
  uint32_t loop = c.count;
  rv_load(&c, 2, A3, A4, 0);
  rv_store(&c, 2, A3, SP, 0); /* spilled to the stack */
  rv_load(&c, 2, A2, A4, 0x40);
  rv_load(&c, 2, A3, SP, 0);
  rv_beq(&c, A3, A2, loop);
  rv_ebreak(&c);
  expect_spin_on_one(&c, 2, FLAG, FLAG + 0x40);
}

static void an_empty_mailbox(void **state) {
  (void)state;
  struct rv c = {0};
  rv_peek(&c, A0, 0xFFEC2000u);
  rv_addi(&c, A0, A0, 1);
  rv_ebreak(&c);
  expect_spin(&c, 0, 0xFFEC2000u);
}

static void computing_is_no_hang(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv c = {0};
    rv_li(&c, A0, 30000);
    rv_addi(&c, A0, A0, -1);
    rv_bne(&c, A0, ZERO, c.count - 1);
    rv_ebreak(&c);
    struct tx_tile *t = start(timing, 0, &c);
    assert_int_equal(run_alone(t, 1000000), SIM_END_DONE);
    assert_true(t->engine.now >= 60000);
    tile_give_back(t);
    c = (struct rv){0};
    rv_peek(&c, S0, 0xFFB121F0u); /* until 50000 cycles have passed */
    rv_li(&c, A2, 50000);
    rv_load(&c, 2, A3, A4, 0);
    rv_sub(&c, A3, A3, S0);
    rv_bltu(&c, A3, A2, c.count - 2);
    rv_ebreak(&c);
    t = start(timing, 0, &c);
    assert_int_equal(run_alone(t, 1000000), SIM_END_DONE);
    assert_true(t->engine.now >= 50000);
    tile_give_back(t);
  }
}

/* A counter in local RAM: registers repeat, memory does not. */
static void a_counter_in_memory_is_no_hang(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, SP, 0xFFB00100u);
  rv_li(&c, A2, 20000);
  uint32_t loop = c.count;
  rv_load(&c, 2, A3, SP, 0);
  rv_addi(&c, A3, A3, 1);
  rv_store(&c, 2, A3, SP, 0);
  rv_sub(&c, A3, A3, A2);
  rv_beq(&c, A3, ZERO, loop + 8);
  rv_li(&c, A3, 0); /* the register is undefined at the end of the loop */
  rv_beq(&c, ZERO, ZERO, loop);
  rv_ebreak(&c);
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, 1, &c);
    assert_int_equal(run_alone(t, 1000000), SIM_END_DONE);
    assert_int_equal(t->core[1].local[0x100] | t->core[1].local[0x101] << 8, 20000);
    tile_give_back(t);
  }
}

/* TRISC2 waits in TTSync for a unit that is busy until a known time; NCRISC polls what TRISC2 stores after it, in a loop that is not parked. The
 * examination begins and closes before that time. */
static void a_core_that_wakes_later_is_no_hang(void **state) {
  (void)state;
  for (uint64_t busy = 4000; busy < 12000; busy += 777) {
    struct rv waits = {0}, polls = {0};
    rv_poke(&waits, 0xFFE80004u, 0);
    rv_peek(&waits, A0, 0xFFE80004u);
    rv_addi(&waits, A0, A0, 0);
    rv_poke(&waits, FLAG, 1);
    rv_ebreak(&waits);
    rv_li(&polls, A4, FLAG);
    rv_li(&polls, A3, 0xFFB00000u);
    uint32_t again = polls.count;
    rv_load(&polls, 2, A0, A4, 0);
    rv_addi(&polls, T0_, ZERO, 5);
    uint32_t pause = polls.count;
    rv_addi(&polls, T0_, T0_, -1);
    rv_store(&polls, 2, T0_, A3, 0);
    rv_bne(&polls, T0_, ZERO, pause);
    rv_beq(&polls, A0, ZERO, again);
    rv_ebreak(&polls);
    struct tx_tile *t = start(true, 2, &waits);
    for (uint32_t i = 0; i < polls.count; i++) memcpy(&t->l1[0x12000 + 4 * i], &polls.word[i], 4);
    tx_control_write(t, 0xFFB121B0u, 0x47800u & ~(1u << tx_control_reset_bit(2) | 1u << tx_control_reset_bit(4)));
    t->units[TX_UNIT_MATRIX].drained_at[2] = busy;
    enum sim_end end = run_alone(t, 1000000);
    if (end != SIM_END_DONE || t->engine.now < busy)
      fail_msg("busy until %llu: end %d at cycle %llu", (unsigned long long)busy, (int)end,
               (unsigned long long)t->engine.now);
    tile_give_back(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_poll_of_l1),
      cmocka_unit_test(a_poll_with_a_fence),
      cmocka_unit_test(a_poll_of_a_register),
      cmocka_unit_test(a_poll_of_two_places_with_calls),
      cmocka_unit_test(an_empty_mailbox),
      cmocka_unit_test(computing_is_no_hang),
      cmocka_unit_test(a_counter_in_memory_is_no_hang),
      cmocka_unit_test(a_core_that_wakes_later_is_no_hang),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
