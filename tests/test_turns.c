/* Turns with timing off (docs/architecture.md, "Timing off: turns"): agents that are behind act before a core reads a register, and BRISC and NCRISC wait for the
 * clock aside. */
#include "observe/account/account.h"
#include "rig.h"
#include "rv_builder.h"
#include "tensix/riscv/breaks.h"
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

#define LOOKS 200u
#define WAIT 700u
#define AGAIN_BRANCH 13u /* the branch of the wait, in words */

/* In each round NCRISC waits for the clock, stores what it has read, and reads another register, for which it needs a turn; TRISC1 may push meanwhile. */
static struct tx_tile *start_waits(bool beside_pushes) {
  struct rv pushes = {.count = 0}, waits = {.count = 0};
  struct tx_tile *t = tile_without_timing();
  for (unsigned i = 0; i < 5; i++) ttinsn(&pushes, (uint32_t)TX_DMANOP << 24);
  rv_beq(&pushes, ZERO, ZERO, 0);
  rv_li(&waits, A0, WALL_CLOCK);
  rv_li(&waits, A2, RESULT);
  rv_li(&waits, A3, WAIT);
  rv_li(&waits, A4, TX_ADDR_CONTROL + TX_CONTROL_SOFT_RESET_0);
  rv_li(&waits, S0, LOOKS);
  const uint32_t round = waits.count;
  rv_load(&waits, 2, T0_, A0, 0);
  const uint32_t again = waits.count;
  rv_load(&waits, 2, T1_, A0, 0);
  rv_sub(&waits, A1, T1_, T0_);
  assert_int_equal(waits.count, AGAIN_BRANCH);
  rv_bltu(&waits, A1, A3, again);
  rv_store(&waits, 2, T1_, A2, 0);
  rv_addi(&waits, A2, A2, 4);
  rv_load(&waits, 2, A5, A4, 0);
  rv_addi(&waits, S0, S0, -1);
  rv_bne(&waits, S0, ZERO, round);
  rv_ebreak(&waits);
  if (beside_pushes) start(t, 1, &pushes);
  start(t, TX_CORE_NCRISC, &waits);
  return t;
}

static void the_clock_of_a_core_that_waits_never_goes_back(void **state) {
  uint32_t value[LOOKS];
  struct tx_tile *t = start_waits(true);
  (void)state;
  while (t->core[TX_CORE_NCRISC].state == TX_CORE_RUNNING && t->engine.now < 1000000) tx_tile_run(t, t->engine.now + 5000);
  assert_int_equal(t->core[TX_CORE_NCRISC].state, TX_CORE_EBREAK);
  memcpy(value, &t->l1[RESULT], sizeof value);
  for (unsigned i = 1; i < LOOKS; i++) {
    assert_true(value[i] - value[i - 1] >= WAIT);
    assert_true(value[i] - value[i - 1] <= WAIT + 2 * TX_TURN_CYCLES); /* others have turns before it goes on */
  }
  assert_true(value[LOOKS - 1] <= t->engine.now);
  tile_give_back(t);
}

/* TRISC1 stores the time again and again. NCRISC, aside, reads it after each look at the clock: its own next look at the clock is no earlier. */
static void the_clock_never_goes_back_from_core_to_core(void **state) {
  (void)state;
  for (uint32_t pause = 0; pause < 400; pause += 9) {
    const bool local = pause >= 200; /* through the memory of NCRISC */
    struct rv stamps = {.count = 0}, waits = {.count = 0};
    struct tx_tile *t = tile_without_timing();
    uint32_t result[2];
    rv_li(&stamps, A0, WALL_CLOCK);
    rv_li(&stamps, A4, local ? TX_ADDR_LOCAL_SLOW + 0x2000u + 0x400u : RESULT);
    const uint32_t stamp = stamps.count;
    rv_load(&stamps, 2, T0_, A0, 0);
    rv_store(&stamps, 2, T0_, A4, 0);
    rv_li(&stamps, A2, pause % 200 + 1);
    rv_addi(&stamps, A2, A2, -1);
    rv_bne(&stamps, A2, ZERO, stamps.count - 1);
    rv_beq(&stamps, ZERO, ZERO, stamp);
    rv_li(&waits, A0, WALL_CLOCK);
    rv_li(&waits, A2, RESULT);
    rv_li(&waits, A5, local ? TX_LOCAL_BASE + 0x400u : RESULT);
    rv_li(&waits, S0, 500);
    rv_li(&waits, A4, 0);
    const uint32_t again = waits.count;
    rv_load(&waits, 2, T0_, A5, 0);
    rv_load(&waits, 2, T1_, A0, 0);
    rv_bltu(&waits, T0_, T1_, waits.count + 2);
    rv_addi(&waits, A4, A4, 1);
    rv_addi(&waits, S0, S0, -1);
    rv_bne(&waits, S0, ZERO, again);
    rv_store(&waits, 2, A4, A2, 4);
    rv_store(&waits, 2, T0_, A2, 8);
    rv_ebreak(&waits);
    start(t, 1, &stamps);
    start(t, TX_CORE_NCRISC, &waits);
    while (t->core[TX_CORE_NCRISC].state == TX_CORE_RUNNING && t->engine.now < 1000000) tx_tile_run(t, t->engine.now + 5000);
    assert_int_equal(t->core[TX_CORE_NCRISC].state, TX_CORE_EBREAK);
    memcpy(result, &t->l1[RESULT + 4], sizeof result);
    assert_true(result[1] > 0);
    if (result[0]) fail_msg("pause %u: %u of 500 looks were earlier than the stamp", pause, result[0]);
    tile_give_back(t);
  }
}

/* A wait that is shorter than the time between two looks of a core aside still executes what is in its loop. */
static void a_short_wait_has_turns_of_its_loop(void **state) {
  (void)state;
  for (uint32_t wait = 4; wait < 80; wait += 5) {
    struct rv flag = {.count = 0}, waits = {.count = 0};
    struct tx_tile *t = tile_without_timing();
    rv_li(&flag, A2, 3000);
    rv_addi(&flag, A2, A2, -1);
    rv_bne(&flag, A2, ZERO, flag.count - 1);
    rv_poke(&flag, RESULT, 1);
    rv_ebreak(&flag);
    rv_li(&waits, A0, WALL_CLOCK);
    rv_li(&waits, A2, RESULT);
    rv_li(&waits, A3, wait);
    const uint32_t round = waits.count;
    rv_load(&waits, 2, T0_, A0, 0);
    const uint32_t again = waits.count;
    rv_load(&waits, 2, T1_, A0, 0);
    rv_sub(&waits, T1_, T1_, T0_);
    rv_bltu(&waits, A3, T1_, round);
    rv_load(&waits, 2, A5, A2, 0);
    rv_beq(&waits, A5, ZERO, again);
    rv_ebreak(&waits);
    start(t, 1, &flag);
    start(t, TX_CORE_BRISC, &waits);
    if (tx_tile_run(t, 50000) != SIM_END_DONE) fail_msg("a wait of %u cycles does not end", wait);
    tile_give_back(t);
  }
}

struct order {
  sim_time last;
  uint64_t events, waits; /* in all; of NCRISC */
};

static void look_at_order(void *context, const struct sim_event *e) {
  struct order *o = context;
  assert_true(e->at >= o->last);
  o->last = e->at;
  o->events++;
  o->waits += e->agent == TX_AGENT_NCRISC;
}

static void events_beside_the_clock_are_in_order(void **state) {
  struct order order = {0, 0, 0};
  struct tx_tile *t = start_waits(true), *plain = start_waits(true);
  (void)state;
  sim_log_attach(&t->unsaved.log, look_at_order, &order, UINT32_MAX);
  tx_tile_run(t, 60000);
  tx_tile_run(plain, 60000);
  assert_true(order.events > 10000);
  assert_true(order.waits > 1000);
  assert_int_equal(tx_tile_hash(t), tx_tile_hash(plain));
  tile_give_back(plain);
  tile_give_back(t);
}

static void add_to_account(void *account, const struct sim_event *e) { obs_account_event(account, e); }

static void the_account_of_a_wait_aside_is_complete(void **state) {
  struct tx_tile *t = start_waits(true);
  static struct obs_account account;
  (void)state;
  obs_account_begin(&account, t);
  sim_log_accept_early(&t->unsaved.log, sim_log_attach(&t->unsaved.log, add_to_account, &account, UINT32_MAX));
  for (sim_time at = 7000; at <= 70000; at += 7000) {
    tx_tile_run(t, at);
    obs_account_settle(&account, at);
    const struct obs_account_row *row = obs_account_row(&account, OBS_OF_CORE, TX_CORE_NCRISC);
    uint64_t sum = 0;
    for (unsigned i = 0; i < OBS_CATEGORIES; i++) sum += row->cycles[i];
    assert_int_equal(sum, obs_account_cycles(&account));
    assert_int_equal(row->cycles[OBS_UNKNOWN], 0);
    assert_true(row->cycles[TX_REASON_LOAD] > at / 2); /* it looks at the clock every 32 cycles */
  }
  tile_give_back(t);
}

/* A core that is put into reset while it waits aside, and started again, has turns again. */
static void a_reset_ends_a_wait_aside(void **state) {
  struct rv store = {.count = 0};
  struct tx_tile *t = start_waits(true);
  uint32_t value;
  (void)state;
  tx_tile_run(t, 5000);
  assert_true(t->engine.aside >> TX_AGENT_NCRISC & 1u);
  tx_core_stop(t, TX_CORE_NCRISC);
  assert_int_equal(t->engine.aside, 0);
  rv_poke(&store, RESULT, 77);
  rv_ebreak(&store);
  start(t, TX_CORE_NCRISC, &store);
  tx_tile_run(t, 9000);
  memcpy(&value, &t->l1[RESULT], sizeof value);
  assert_int_equal(value, 77);
  tile_give_back(t);
}

/* A breakpoint in a wait aside stops the tile in the core's cycle, not in that of the others. */
static void a_break_in_a_wait_aside_stops_in_its_cycle(void **state) {
  struct tx_tile *t = start_waits(false);
  unsigned stops = 0;
  (void)state;
  const int number = tx_break_add(t, TX_CORE_NCRISC, CODE + TX_CORE_NCRISC * CODE_BYTES + 4 * AGAIN_BRANCH);
  assert_true(number >= 0);
  while (tx_tile_run(t, 9000) == SIM_END_STOPPED && ++stops < 1000) {
    if (!(t->engine.aside >> TX_AGENT_NCRISC & 1u)) continue;
    assert_int_equal(t->core[TX_CORE_NCRISC].pc, CODE + TX_CORE_NCRISC * CODE_BYTES + 4 * AGAIN_BRANCH);
    assert_true(t->engine.now + 1 >= t->core[TX_CORE_NCRISC].clock && t->engine.now <= t->core[TX_CORE_NCRISC].clock + 1);
  }
  assert_true(stops > 100);
  assert_int_equal(t->engine.now, 9000);
  tile_give_back(t);
}

#define VALUES 300u

/* Two cores count in words of L1, with pauses; a turn has many of their values. */
static struct tx_tile *start_counts(void) {
  struct tx_tile *t = tile_without_timing();
  for (unsigned core = 0; core < 2; core++) {
    struct rv counts = {.count = 0};
    rv_li(&counts, A0, RESULT + 64 * core);
    rv_li(&counts, S0, 0);
    rv_li(&counts, S1, VALUES);
    const uint32_t again = counts.count;
    rv_addi(&counts, S0, S0, 1);
    rv_store(&counts, 2, S0, A0, 0);
    rv_li(&counts, A2, 12 + core);
    rv_addi(&counts, A2, A2, -1);
    rv_bne(&counts, A2, ZERO, counts.count - 1);
    rv_bne(&counts, S0, S1, again);
    rv_ebreak(&counts);
    start(t, core ? TX_CORE_BRISC : 0, &counts);
  }
  return t;
}

static void a_condition_is_tested_at_every_write(void **state) {
  (void)state;
  for (uint32_t value = 1; value < VALUES; value += 7)
    for (unsigned core = 0; core < 2; core++) {
      struct tx_tile *t = start_counts();
      uint32_t now;
      const struct tx_watch_word word = {.address = RESULT + 64 * core, .value = value, .mask = UINT32_MAX};
      assert_true(tx_watch_condition(t, &word, 1) >= 0);
      if (tx_tile_run(t, 100000) != SIM_END_STOPPED) fail_msg("value %u of core %u passed", value, core);
      memcpy(&now, &t->l1[word.address], 4);
      assert_int_equal(now, value);
      assert_int_equal(tx_tile_run(t, 100000), SIM_END_DONE); /* and goes on */
      memcpy(&now, &t->l1[word.address], 4);
      assert_int_equal(now, VALUES);
      tile_give_back(t);
    }
}

static void a_condition_that_is_not_met_changes_nothing(void **state) {
  (void)state;
  struct tx_tile *plain = start_counts(), *t = start_counts();
  const struct tx_watch_word word = {.address = RESULT, .value = VALUES + 1, .mask = UINT32_MAX};
  const int number = tx_watch_condition(t, &word, 1);
  assert_true(number >= 0);
  for (sim_time at = 100; at < 9000; at += 100) {
    assert_int_equal(tx_tile_run(t, at), tx_tile_run(plain, at));
    assert_int_equal(t->engine.now, plain->engine.now);
    assert_memory_equal(t->l1, plain->l1, RESULT + 128);
    for (unsigned core = 0; core < TX_CORES; core++) {
      assert_int_equal(t->core[core].retired, plain->core[core].retired);
      assert_int_equal(t->core[core].clock, plain->core[core].clock);
    }
  }
  tile_give_back(t);
  tile_give_back(plain);
}

/* TRISC0 and BRISC answer each other; each polls with a counted pause of its own, for longer than a nap. NCRISC counts, TRISC1 reads the clock. */
static struct tx_tile *start_rally(uint32_t pause, uint32_t work) {
  struct tx_tile *t = tile_without_timing();
  struct rv counts = {.count = 0}, looks = {.count = 0};
  for (unsigned other = 0; other < 2; other++) {
    struct rv c = {.count = 0};
    rv_li(&c, S0, 1);
    rv_li(&c, A0, RESULT);
    const uint32_t round = c.count;
    if (other) {
      rv_li(&c, A2, work);
      rv_addi(&c, A2, A2, -1);
      rv_bne(&c, A2, ZERO, c.count - 1);
      rv_store(&c, 2, S0, A0, 0);
    }
    const uint32_t poll = c.count;
    rv_li(&c, A2, pause * (1 + other));
    rv_addi(&c, A2, A2, -1);
    rv_bne(&c, A2, ZERO, c.count - 1);
    rv_load(&c, 2, A3, A0, other ? 64 : 0);
    rv_bne(&c, A3, S0, poll);
    if (!other) rv_store(&c, 2, S0, A0, 64);
    rv_addi(&c, S0, S0, 1);
    rv_beq(&c, ZERO, ZERO, round);
    start(t, other ? 0 : TX_CORE_BRISC, &c);
  }
  rv_addi(&counts, A0, A0, 1);
  rv_beq(&counts, ZERO, ZERO, 0);
  start(t, TX_CORE_NCRISC, &counts);
  rv_li(&looks, A0, WALL_CLOCK);
  rv_load(&looks, 2, A1, A0, 0);
  rv_beq(&looks, ZERO, ZERO, looks.count - 1);
  start(t, 1, &looks);
  return t;
}

static void a_woken_poller_does_not_depend_on_cuts(void **state) {
  (void)state;
  for (uint32_t pause = 40; pause < 1500; pause += 233)
    for (uint32_t work = 11; work < 3000; work += 487) {
      struct order order = {0, 0, 0};
      struct tx_tile *plain = start_rally(pause, work), *cut = start_rally(pause, work), *logged = start_rally(pause, work);
      sim_log_attach(&logged->unsaved.log, look_at_order, &order, UINT32_MAX);
      for (sim_time at = 10000; at <= 40000; at += 10000) {
        tx_tile_run(plain, at);
        tx_tile_run(logged, at);
        for (sim_time piece = cut->engine.now; piece < at; piece = cut->engine.now) tx_tile_run(cut, piece + 125);
        assert_int_equal(tx_tile_hash(plain), tx_tile_hash(cut));
        assert_int_equal(tx_tile_hash(plain), tx_tile_hash(logged));
      }
      tile_give_back(plain);
      tile_give_back(cut);
      tile_give_back(logged);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_woken_poller_does_not_depend_on_cuts),
      cmocka_unit_test(a_condition_is_tested_at_every_write),
      cmocka_unit_test(a_condition_that_is_not_met_changes_nothing),
      cmocka_unit_test(a_break_in_a_wait_aside_stops_in_its_cycle),
      cmocka_unit_test(the_clock_of_a_core_that_waits_never_goes_back),
      cmocka_unit_test(the_clock_never_goes_back_from_core_to_core),
      cmocka_unit_test(a_short_wait_has_turns_of_its_loop),
      cmocka_unit_test(events_beside_the_clock_are_in_order),
      cmocka_unit_test(the_account_of_a_wait_aside_is_complete),
      cmocka_unit_test(a_reset_ends_a_wait_aside),
      cmocka_unit_test(a_core_reads_what_its_thread_has_written),
      cmocka_unit_test(a_core_that_waits_for_the_clock_keeps_pace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
