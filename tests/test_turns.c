/* Turns with timing off (docs/architecture.md, "Timing off: turns"): agents that are behind act before a core reads a register. */
#include "rig.h"
#include "rv_builder.h"
#include "tensix/riscv/core.h"

#define CODE 0x10000u
#define CODE_BYTES 0x1000u
#define RESULT 0x20000u
#define WALL_CLOCK (TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0)
#define WORDS 5000u

static void ttinsn(struct rv *p, uint32_t word) { rv_put(p, word << 2 | word >> 30); }

static struct tx_tile *tile_without_timing(void) {
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, false);
  t->params.local_ram_clears = 0;
  return t;
}

static void start(struct tx_tile *t, unsigned core, const struct rv *code) {
  memcpy(&t->l1[CODE + core * CODE_BYTES], code->word, code->count * sizeof code->word[0]);
  tx_core_start(t, core, CODE + core * CODE_BYTES);
}

/* The vendor's unpack_tilize does so: its core reads the word that its thread has been told to write, some instructions later. */
static void a_core_reads_what_its_thread_has_written(void **state) {
  const uint32_t index = 100, byte = 0x5a;
  struct rv code = {.count = 0};
  uint32_t value;
  (void)state;
  rv_li(&code, A0, TX_ADDR_CONFIG + 4 * index);
  rv_li(&code, A1, RESULT);
  ttinsn(&code, (uint32_t)TX_RMWCIB0 << 24 | 0xffu << 16 | byte << 8 | index);
  for (unsigned i = 0; i < 16; i++) rv_addi(&code, A2, A2, 1);
  rv_load(&code, 2, A3, A0, 0);
  rv_store(&code, 2, A3, A1, 0);
  rv_ebreak(&code);
  struct tx_tile *t = tile_without_timing();
  start(t, 0, &code);
  tx_tile_run(t, 10000);
  memcpy(&value, &t->l1[RESULT], sizeof value);
  assert_int_equal(value, byte);
  tile_give_back(t);
}

/* TRISC1 pushes words in a loop; cycles until it ends. BRISC reads the clock meanwhile, or is held. */
static sim_time cycles_of_pushes(bool beside_clock) {
  struct rv pushes = {.count = 0}, clock = {.count = 0};
  struct tx_tile *t = tile_without_timing();
  rv_li(&pushes, A0, WORDS / 5);
  for (unsigned i = 0; i < 5; i++) ttinsn(&pushes, (uint32_t)TX_DMANOP << 24);
  rv_addi(&pushes, A0, A0, -1);
  rv_bne(&pushes, A0, ZERO, pushes.count - 6);
  rv_ebreak(&pushes);
  rv_li(&clock, A0, WALL_CLOCK);
  rv_load(&clock, 2, A1, A0, 0);
  rv_bne(&clock, A0, A1, clock.count - 1);
  start(t, 1, &pushes);
  if (beside_clock) start(t, TX_CORE_BRISC, &clock);
  while (t->core[1].state == TX_CORE_RUNNING && t->engine.now < 100 * WORDS) tx_tile_run(t, t->engine.now + 64);
  const sim_time cycles = t->engine.now;
  tx_tile_run(t, cycles + 2048); /* what is left in FIFO 1 */
  assert_int_equal(t->gate[1].issued, WORDS);
  tile_give_back(t);
  return cycles;
}

/* Firmware waits like this between two looks at a command. */
static void a_core_that_waits_for_the_clock_keeps_pace(void **state) {
  (void)state;
  const sim_time alone = cycles_of_pushes(false), beside = cycles_of_pushes(true);
  if (beside > 2 * alone)
    fail_msg("%llu cycles beside it, %llu alone", (unsigned long long)beside, (unsigned long long)alone);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_core_reads_what_its_thread_has_written),
      cmocka_unit_test(a_core_that_waits_for_the_clock_keeps_pace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
