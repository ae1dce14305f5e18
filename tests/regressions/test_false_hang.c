/* Programs that wait for a time were reported as hangs; one that polls forever with a pause in between was not. */
#include "../rig.h"
#include "../run_alone.h"
#include "../rv_builder.h"
#include "observe/hang/progress.h"
#include "tensix/tile/watch.h"

#define FLAG 0x20040u
#define ROUNDS 300u
#define DONE 0x20000u
#define LATE 5000000u /* a cycle in which a hang with long pauses is found at the latest */
#define WALL_CLOCK 0xFFB121F0u

enum { MCYCLE = 0xb00, MINSTRET = 0xb02, CYCLE = 0xc00 };

static void rv_csrr(struct rv *p, unsigned rd, uint32_t csr) { rv_put(p, csr << 20 | 2u << 12 | rd << 7 | 0x73u); }
static void rv_sltu(struct rv *p, unsigned rd, unsigned a, unsigned b) {
  rv_put(p, 0x00003033u | b << 20 | a << 15 | rd << 7);
}
static void rv_srli(struct rv *p, unsigned rd, unsigned rs, unsigned by) {
  rv_put(p, by << 20 | rs << 15 | 5u << 12 | rd << 7 | 0x13u);
}
static void rv_add(struct rv *p, unsigned rd, unsigned a, unsigned b) {
  rv_put(p, 0x00000033u | b << 20 | a << 15 | rd << 7);
}

static void load(struct tx_tile *t, uint32_t at, const struct rv *code) {
  for (uint32_t i = 0; i < code->count; i++)
    for (unsigned k = 0; k < 4; k++) t->l1[at + 4 * i + k] = (uint8_t)(code->word[i] >> (8 * k));
}

static struct tx_tile *start(bool timing, const struct rv *brisc, const struct rv *trisc1) {
  struct tx_tile *t = tile_take();
  uint32_t held = 0x47800u & ~(1u << tx_control_reset_bit(TX_CORE_BRISC));
  tx_tile_reset(t, timing);
  load(t, 0, brisc);
  if (trisc1) {
    load(t, 0xA000, trisc1);
    held &= ~(1u << tx_control_reset_bit(1));
  }
  tx_control_write(t, 0xFFB121B0u, held);
  return t;
}

static void finish(struct rv *c) {
  rv_poke(c, DONE, 7);
  rv_ebreak(c);
}

/* The program ends after at least this many cycles, in one run and in pieces. */
static void expect_end(const struct rv *code, sim_time at_least) {
  for (unsigned timing = 0; timing < 2; timing++)
    for (sim_time piece = 30000; piece <= 100000000; piece *= 4000) {
      struct tx_tile *t = start(timing, code, NULL);
      enum sim_end end;
      do {
        end = run_alone(t, t->engine.now + piece);
      } while (end == SIM_END_TIME && t->engine.now < 20000000);
      if (end != SIM_END_DONE)
        fail_msg("timing %u: end %d at cycle %llu", timing, (int)end, (unsigned long long)t->engine.now);
      assert_true(t->engine.now >= at_least);
      assert_int_equal(t->l1[DONE], 7);
      tile_give_back(t);
    }
}

static void expect_done(const struct rv *brisc, const struct rv *trisc1, uint32_t number) {
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, brisc, trisc1);
    enum sim_end end = run_alone(t, 200000000);
    if (end != SIM_END_DONE)
      fail_msg("timing %u, number %u: end %d at cycle %llu", timing, number, (int)end, (unsigned long long)t->engine.now);
    assert_int_equal(t->l1[DONE], 7);
    tile_give_back(t);
  }
}

static void expect_hang(const struct rv *brisc, const struct rv *trisc1, sim_time within, const char *words) {
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, brisc, trisc1);
    char text[4096];
    enum sim_end end = run_alone(t, 20000000);
    if (end != SIM_END_BLOCKED || t->engine.now > within)
      fail_msg("timing %u: end %d at cycle %llu", timing, (int)end, (unsigned long long)t->engine.now);
    obs_hang_report(t, text, sizeof text);
    if (!strstr(text, words)) fail_msg("timing %u: no \"%s\" in: %s", timing, words, text);
    /* The wait began at its last progress, not when the search found it. Behind long counted pauses a core is parked meanwhile, and then. */
    if (within < LATE) assert_true(t->engine.agents[TX_AGENT_TRISC0 + TX_CORE_BRISC].wait.since <= 4096);
    const char *brisc_waits = strstr(text, "BRISC"), *since = brisc_waits ? strstr(brisc_waits, "since cycle ") : NULL;
    if (!since || strtoul(since + strlen("since cycle "), NULL, 10) > 4096) fail_msg("timing %u: %s", timing, text);
    tile_give_back(t);
  }
}

/* --- no hang --- */

static void a_deadline_in_cycles(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, T1_, 500000);
  uint32_t loop = c.count;
  rv_csrr(&c, T0_, MCYCLE);
  rv_sltu(&c, T0_, T0_, T1_);
  rv_bne(&c, T0_, ZERO, loop);
  finish(&c);
  expect_end(&c, 500000);
}

static void a_deadline_on_the_wall_clock(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, T1_, 500000);
  rv_li(&c, A4, WALL_CLOCK);
  uint32_t loop = c.count;
  rv_load(&c, 2, T0_, A4, 0);
  rv_sltu(&c, T0_, T0_, T1_);
  rv_bne(&c, T0_, ZERO, loop);
  finish(&c);
  expect_end(&c, 500000);
}

static void a_deadline_in_instructions(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, T1_, 500000);
  uint32_t loop = c.count;
  rv_csrr(&c, T0_, MINSTRET);
  rv_bltu(&c, T0_, T1_, loop);
  finish(&c);
  expect_end(&c, 500000);
}

static void a_bit_of_the_cycle_counter(void **state) {
  (void)state;
  struct rv c = {0};
  uint32_t loop = c.count;
  rv_csrr(&c, T0_, CYCLE);
  rv_srli(&c, T0_, T0_, 19);
  rv_beq(&c, T0_, ZERO, loop);
  finish(&c);
  expect_end(&c, 1u << 19);
}

/* now - start < 500000, with the start in a register or in local RAM; the poll in the loop is never answered. */
static void a_poll_with_a_timeout(void **state) {
  (void)state;
  for (unsigned in_memory = 0; in_memory < 2; in_memory++) {
    struct rv c = {0};
    rv_li(&c, T1_, 500000);
    rv_li(&c, A4, FLAG);
    rv_li(&c, SP, TX_LOCAL_BASE + 0x100);
    rv_csrr(&c, S0, MCYCLE);
    if (in_memory) rv_store(&c, 2, S0, SP, 0);
    uint32_t loop = c.count;
    rv_load(&c, 2, T0_, A4, 0);
    rv_bne(&c, T0_, ZERO, loop);
    rv_csrr(&c, T0_, MCYCLE);
    if (in_memory) rv_load(&c, 2, S0, SP, 0);
    rv_sub(&c, T0_, T0_, S0);
    rv_bltu(&c, T0_, T1_, loop);
    finish(&c);
    expect_end(&c, 500000);
  }
}

/* One pause that is longer than any search for a hang: it ends. */
static void a_long_pause(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A2, 3000);
  uint32_t compute = c.count; /* so that the clock is read during the search */
  rv_addi(&c, A2, A2, -1);
  rv_bne(&c, A2, ZERO, compute);
  rv_li(&c, A1, 500000);
  rv_csrr(&c, S0, MCYCLE);
  rv_add(&c, S0, S0, A1);
  uint32_t loop = c.count;
  rv_csrr(&c, T0_, MCYCLE);
  rv_bltu(&c, T0_, S0, loop);
  finish(&c);
  expect_end(&c, 500000);
}

/* Two cores answer each other through two words of L1; each polls with a counted pause, in a register or in its own memory, and computes in between. */
static void count_down(struct rv *c, uint32_t steps, bool in_memory) {
  if (!steps) return;
  rv_li(c, A2, steps);
  uint32_t loop = c->count;
  if (in_memory) {
    rv_store(c, 2, A2, SP, 0);
    rv_load(c, 2, A2, SP, 0);
  }
  rv_addi(c, A2, A2, -1);
  rv_bne(c, A2, ZERO, loop);
}

static void await(struct rv *c, uint32_t address, uint32_t pause, bool in_memory) {
  uint32_t poll = c->count;
  count_down(c, pause, in_memory);
  rv_peek(c, A3, address);
  rv_bne(c, A3, S0, poll);
}

static void answer(struct rv *c, uint32_t address) {
  rv_li(c, A4, address);
  rv_store(c, 2, S0, A4, 0);
}

#define PING 0x20100u
#define PONG 0x20200u

static void expect_rally(uint32_t pause, uint32_t pause_of_other, uint32_t work, bool in_memory, uint32_t rounds) {
  struct rv c = {0}, t1 = {0};
  rv_li(&c, SP, TX_LOCAL_BASE + 0x100);
  rv_li(&t1, SP, TX_LOCAL_BASE + 0x100);
  for (unsigned other = 0; other < 2; other++) {
    struct rv *p = other ? &t1 : &c;
    rv_li(p, S1, rounds + 1);
    rv_li(p, S0, 1);
    uint32_t round = p->count;
    if (other) count_down(p, work, in_memory);
    if (other) answer(p, PING);
    await(p, other ? PONG : PING, other ? pause_of_other : pause, in_memory);
    if (!other) answer(p, PONG);
    rv_addi(p, S0, S0, 1);
    rv_bne(p, S0, S1, round);
    if (!other) rv_poke(p, DONE, 7);
    rv_ebreak(p);
  }
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, &c, &t1);
    enum sim_end end = run_alone(t, 200000000);
    if (end != SIM_END_DONE)
      fail_msg("timing %u, pauses %u and %u, work %u, in memory %u: end %d at cycle %llu", timing, pause, pause_of_other,
               work, in_memory, (int)end, (unsigned long long)t->engine.now);
    assert_int_equal(t->l1[DONE], 7);
    tile_give_back(t);
  }
}

static void two_cores_answer_each_other(void **state) {
  (void)state;
  static const uint32_t pauses[] = {0, 8};
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < 2; k++)
      for (uint32_t work = 0; work < 60; work += 14)
        for (unsigned in_memory = 0; in_memory < 2; in_memory++) expect_rally(pauses[i], pauses[k], work, in_memory, ROUNDS);
}

static void rv_amoswap(struct rv *p, unsigned rd, unsigned rs2, unsigned rs1) {
  rv_put(p, 0x0800202fu | rs2 << 20 | rs1 << 15 | rd << 7);
}

/* BRISC looks at a word again and again while it has a lock; TRISC1 waits for the lock, then writes the word. Both take the lock and give it back by atomics. With some pauses
 * TRISC1 always comes when the lock is taken: that is no hang either. */
static void two_cores_compete_for_a_lock(void **state) {
  unsigned done = 0;
  (void)state;
  for (uint32_t pause = 60; pause < 200; pause += 7) {
    struct rv c = {0}, t1 = {0};
    for (unsigned other = 0; other < 2; other++) {
      struct rv *p = other ? &t1 : &c;
      rv_li(p, A4, FLAG);
      rv_li(p, S0, 1);
      if (other) count_down(p, 200, false);
      const uint32_t take = p->count;
      if (other) count_down(p, pause, false);
      rv_amoswap(p, A0, S0, A4);
      rv_bne(p, A0, ZERO, take);
      if (other) rv_store(p, 2, S0, A4, 64);
      rv_put(p, 0x0ff0000fu); /* fence */
      if (!other) rv_load(p, 2, A1, A4, 64);
      if (!other) count_down(p, 97, false);
      rv_amoswap(p, ZERO, ZERO, A4);
      if (!other) rv_beq(p, A1, ZERO, take);
      if (!other) rv_poke(p, DONE, 7);
      rv_ebreak(p);
    }
    for (unsigned timing = 0; timing < 2; timing++) {
      struct tx_tile *t = start(timing, &c, &t1);
      const enum sim_end end = run_alone(t, 400000);
      if (end == SIM_END_BLOCKED)
        fail_msg("timing %u, pause %u: a hang at cycle %llu", timing, pause, (unsigned long long)t->engine.now);
      done += end == SIM_END_DONE;
      tile_give_back(t);
    }
  }
  assert_true(done >= 30);
}

static void pass_time(struct rv *c, uint32_t steps) {
  rv_li(c, A2, steps);
  const uint32_t loop = c->count;
  rv_put(c, 0x00000013u);
  rv_addi(c, A2, A2, -1);
  rv_bne(c, A2, ZERO, loop);
}

/* BRISC looks at two words, with a long pause before each; TRISC1 writes the second one in some pause, and then only polls. BRISC reads the old content of
 * the word from its L0 for some rounds. */
static void a_word_that_is_read_late(void **state) {
  (void)state;
  for (uint32_t work = 1000; work < 5000; work += 100) {
    struct rv c = {0}, t1 = {0};
    rv_li(&c, A4, FLAG);
    rv_load(&c, 2, A3, A4, 0);
    const uint32_t poll = c.count;
    pass_time(&c, 1000);
    rv_load(&c, 2, A3, A4, 0x100);
    rv_bne(&c, A3, ZERO, c.count + 7);
    pass_time(&c, 900);
    rv_load(&c, 2, A3, A4, 0);
    rv_beq(&c, A3, ZERO, poll);
    finish(&c);
    pass_time(&t1, work);
    rv_poke(&t1, FLAG, 1);
    rv_li(&t1, A4, DONE);
    const uint32_t wait = t1.count;
    rv_load(&t1, 2, A3, A4, 0);
    rv_beq(&t1, A3, ZERO, wait);
    rv_ebreak(&t1);
    expect_done(&c, &t1, work);
  }
}

static uint32_t jump(uint32_t from, uint32_t to) {
  const uint32_t by = to - from;
  return (by >> 20 & 1u) << 31 | (by >> 1 & 0x3ffu) << 21 | (by >> 11 & 1u) << 20 | (by >> 12 & 0xffu) << 12 | 0x6fu;
}

/* A loop through three lines of one set of the instruction cache fetches them again in each round: without an invalidation too it sees new
 * code there. */
static void code_that_is_fetched_again(void **state) {
  (void)state;
  const uint32_t places[] = {0x8000, 0xC000, 0x10000};
  struct rv c = {0}, t1 = {0}, end = {0};
  rv_li(&c, A4, FLAG);
  rv_put(&c, jump(4 * c.count, places[0]));
  pass_time(&t1, 1000);
  rv_poke(&t1, places[2] + 4, jump(places[2] + 4, places[2] + 0x100));
  rv_ebreak(&t1);
  finish(&end);
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, &c, &t1);
    for (unsigned i = 0; i < 3; i++) {
      struct rv piece = {0};
      rv_load(&piece, 2, A3, A4, 0);
      rv_put(&piece, jump(places[i] + 4, places[(i + 1) % 3]));
      load(t, places[i], &piece);
    }
    load(t, places[2] + 0x100, &end);
    assert_int_equal(run_alone(t, 10000000), SIM_END_DONE);
    assert_int_equal(t->l1[DONE], 7);
    tile_give_back(t);
  }
}

/* A count to 20000 in a loop that polls, kept where no register and no whole word shows it when the loop begins again. */
static void counts_that_end_a_loop(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 4; kind++) {
    struct rv c = {0};
    rv_li(&c, A4, FLAG);
    rv_li(&c, S1, TX_LOCAL_BASE);
    rv_li(&c, A1, kind == 3 ? 2000 : 20000);
    rv_li(&c, T2_, TX_ADDR_LOCAL_SLOW);
    rv_store(&c, 2, ZERO, S1, 0);
    if (kind == 1) rv_put(&c, 0x7c501073u); /* csrw 0x7c5, zero */
    rv_li(&c, S0, 0);
    const uint32_t poll = c.count;
    rv_li(&c, A5, 0);
    rv_li(&c, T0_, 0);
    rv_load(&c, 2, A3, A4, 0);
    if (kind == 0) { /* a half word beside a byte that is stored in each round */
      rv_store(&c, 0, A1, S1, 0);
      rv_load(&c, 5, A5, S1, 2);
      rv_addi(&c, S0, S0, 1);
      rv_store(&c, 1, S0, S1, 2);
    } else if (kind == 1) {
      rv_csrr(&c, A5, 0x7c5);
      rv_addi(&c, A5, A5, 1);
      rv_put(&c, 0x7c579073u); /* csrw 0x7c5, a5 */
    } else if (kind == 2) {    /* the core's own local RAM, by the slow path */
      rv_load(&c, 2, A5, S1, 0);
      rv_addi(&c, A5, A5, 1);
      rv_store(&c, 2, A5, S1, 0);
      rv_load(&c, 2, A5, T2_, 0);
    } else { /* cycles in which no instruction retired */
      rv_csrr(&c, A5, MCYCLE);
      rv_csrr(&c, T0_, MINSTRET);
      rv_sub(&c, A5, A5, T0_);
    }
    rv_bltu(&c, A5, A1, poll);
    finish(&c);
    if (kind == 3) {
      struct tx_tile *t = start(true, &c, NULL);
      assert_int_equal(run_alone(t, 20000000), SIM_END_DONE);
      tile_give_back(t);
    } else {
      expect_done(&c, NULL, kind);
    }
  }
}

/* A core that counts without an end, and looks at nothing, computes. */
static void a_core_that_only_counts(void **state) {
  static const uint32_t bases[] = {TX_LOCAL_BASE, 0x30000};
  (void)state;
  for (unsigned i = 0; i < 6; i++) {
    struct rv c = {0};
    rv_li(&c, S1, bases[i / 2 % 2]);
    const uint32_t again = c.count;
    if (i < 4) rv_load(&c, 2, A5, S1, 64);
    rv_addi(&c, A5, A5, 1);
    if (i < 4) rv_store(&c, 2, A5, S1, 64);
    rv_beq(&c, ZERO, ZERO, again);
    struct tx_tile *t = start(i & 1u, &c, NULL);
    const enum sim_end end = run_alone(t, 2000000);
    if (end != SIM_END_TIME) fail_msg("%u: end %d at cycle %llu", i, (int)end, (unsigned long long)t->engine.now);
    tile_give_back(t);
  }
}

/* The core counts polls that take long: those after a flush of L0, one in 125. With some threshold all do, or none. */
static void a_count_of_slow_loads(void **state) {
  unsigned counted = 0;
  (void)state;
  for (uint32_t threshold = 4; threshold < 24; threshold++) {
    struct rv c = {0};
    rv_li(&c, A4, FLAG);
    rv_li(&c, S1, WALL_CLOCK);
    rv_li(&c, A1, threshold);
    rv_li(&c, A2, 20);
    rv_li(&c, S0, 0);
    const uint32_t poll = c.count;
    rv_load(&c, 2, A3, A4, 0);
    rv_load(&c, 2, T0_, S1, 0);
    rv_add(&c, ZERO, T0_, T0_);
    rv_load(&c, 2, T2_, A4, 0x100);
    rv_add(&c, T2_, T2_, T2_);
    rv_load(&c, 2, T1_, S1, 0);
    rv_sub(&c, A5, T1_, T0_);
    rv_bltu(&c, A5, A1, poll);
    rv_addi(&c, S0, S0, 1);
    rv_bltu(&c, S0, A2, poll);
    finish(&c);
    struct tx_tile *t = start(true, &c, NULL);
    counted += run_alone(t, 2000000) == SIM_END_DONE && t->engine.now > 10000;
    tile_give_back(t);
  }
  assert_true(counted > 0);
}

static void pulse(struct rv *c, uint32_t word, uint32_t pause, uint32_t before) {
  count_down(c, before, false);
  rv_li(c, A4, word);
  rv_li(c, S0, 1);
  const uint32_t again = c->count;
  rv_store(c, 2, S0, A4, 0);
  count_down(c, 20, false);
  rv_store(c, 2, ZERO, A4, 0);
  count_down(c, pause, false);
  rv_load(c, 2, A3, A4, 0x1000);
  rv_beq(c, A3, ZERO, again);
  rv_ebreak(c);
}

/* Two cores store 1 and 0 to a word each, with other periods: at some time both words are 1. */
static void a_condition_on_two_pulses(void **state) {
  (void)state;
  struct rv c = {0}, t1 = {0};
  pulse(&c, 0x30040, 2000, 0);
  pulse(&t1, 0x30080, 2009, 1000);
  struct tx_tile *t = start(true, &c, &t1);
  const struct tx_watch_word wanted[2] = {{.address = 0x30040, .mask = UINT32_MAX, .value = 1},
                                          {.address = 0x30080, .mask = UINT32_MAX, .value = 1}};
  assert_int_equal(run_alone(t, 1000), SIM_END_TIME);
  assert_true(tx_watch_condition(t, wanted, 2) >= 0);
  assert_int_equal(run_alone(t, 20000000), SIM_END_STOPPED);
  assert_true(t->engine.now > 20000);
  tile_give_back(t);
}

/* BRISC waits until it sees TRISC1 at a rare instruction. */
static void a_core_that_watches_another_one(void **state) {
  (void)state;
  struct rv c = {0}, t1 = {0};
  rv_li(&c, A4, TX_ADDR_PC_SNAPSHOT + 12);
  rv_li(&c, A1, 0xA000);
  const uint32_t look = c.count;
  count_down(&c, 149, false);
  rv_load(&c, 2, A3, A4, 0);
  rv_bne(&c, A3, A1, look);
  finish(&c);
  rv_li(&t1, A4, FLAG);
  rv_load(&t1, 2, A3, A4, 0);
  count_down(&t1, 40, false);
  rv_beq(&t1, A3, ZERO, 0);
  rv_ebreak(&t1);
  struct tx_tile *t = start(true, &c, &t1);
  assert_int_not_equal(run_alone(t, 400000), SIM_END_BLOCKED);
  tile_give_back(t);
}

/* The host waits for a number of rounds that a polling core counts in L1. */
static void a_condition_on_a_count(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, S1, 0x30000);
  const uint32_t poll = c.count;
  rv_load(&c, 2, A3, A4, 0);
  rv_load(&c, 2, A5, S1, 64);
  rv_addi(&c, A5, A5, 1);
  rv_store(&c, 2, A5, S1, 64);
  rv_beq(&c, A3, ZERO, poll);
  finish(&c);
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, &c, NULL);
    const struct tx_watch_word wanted = {.address = 0x30040, .mask = UINT32_MAX, .value = 20000};
    assert_true(tx_watch_condition(t, &wanted, 1) >= 0);
    assert_int_equal(run_alone(t, 20000000), SIM_END_STOPPED);
    assert_int_equal(tx_watch_take(t), 0);
    assert_int_equal(run_alone(t, 20000000), SIM_END_BLOCKED);
    tile_give_back(t);
  }
}

/* The clock is read twice in a round, and what is compared is which tick each reading is in: their distance is always the same, the comparison is not. */
static void ticks_of_the_clock(void **state) {
  (void)state;
  for (unsigned shift = 10; shift <= 16; shift += 2)
    for (unsigned by_mask = 0; by_mask < 2; by_mask++) {
      struct rv c = {0};
      rv_li(&c, S1, WALL_CLOCK);
      rv_li(&c, A1, (1u << shift) - 1);
      rv_li(&c, A4, FLAG);
      rv_li(&c, S0, 3);
      const uint32_t round = c.count;
      rv_load(&c, 2, T0_, S1, 0);
      rv_load(&c, 2, A3, A4, 0);
      rv_load(&c, 2, T1_, S1, 0);
      rv_bne(&c, A3, ZERO, c.count + 6 + !by_mask);
      if (by_mask) rv_and(&c, T0_, T0_, A1);
      else rv_srli(&c, T0_, T0_, shift);
      if (by_mask) rv_and(&c, T1_, T1_, A1);
      else rv_srli(&c, T1_, T1_, shift);
      if (by_mask) rv_bltu(&c, T0_, T1_, round);
      else rv_beq(&c, T0_, T1_, round);
      rv_addi(&c, S0, S0, -1);
      rv_bne(&c, S0, ZERO, round);
      finish(&c);
      expect_done(&c, NULL, shift);
    }
}

/* --- hangs --- */

/* Vendor's firmware: poll a mailbox, pause by the wall clock (both words of it), poll again, forever. */
static void poll_and_pause(struct rv *c, uint32_t pause) {
  rv_li(c, S1, WALL_CLOCK);
  rv_li(c, A1, pause);
  uint32_t poll = c->count;
  rv_put(c, 0x0ff0000fu); /* fence */
  rv_li(c, A4, FLAG);
  rv_load(c, 2, A3, A4, 0);
  rv_bne(c, A3, ZERO, c->count + 14);
  rv_load(c, 2, A4, S1, 0); /* end = now + pause, 64 bits */
  rv_load(c, 2, A5, S1, 4);
  rv_add(c, T0_, A4, A1);
  rv_sltu(c, T1_, T0_, A4);
  rv_add(c, T1_, T1_, A5);
  uint32_t wait = c->count;
  rv_load(c, 2, A4, S1, 0);
  rv_load(c, 2, A5, S1, 4);
  rv_bltu(c, A5, T1_, wait);
  rv_bne(c, A5, T1_, poll);
  rv_bltu(c, A4, T0_, wait);
  rv_beq(c, ZERO, ZERO, poll);
  rv_put(c, 0x00000013u);
  finish(c);
}

static void a_mailbox_polled_with_pauses(void **state) {
  (void)state;
  struct rv c = {0};
  poll_and_pause(&c, 1350);
  expect_hang(&c, NULL, 40000, "0x00020040");
}

/* ... while a thread is stuck: MVMUL waits for banks that are never filled, its core for the thread. */
static void a_stuck_thread_beside_a_polling_core(void **state) {
  (void)state;
  struct rv c = {0}, t1 = {0};
  poll_and_pause(&c, 1350);
  rv_poke(&t1, 0xFFE40000u, OP(MVMUL, 0));
  rv_peek(&t1, A0, 0xFFE80004u);
  rv_add(&t1, A0, A0, A0);
  rv_ebreak(&t1);
  expect_hang(&c, &t1, 40000, "SrcA");
}

static void a_long_pause_between_polls(void **state) {
  (void)state;
  struct rv c = {0};
  poll_and_pause(&c, 20000);
  expect_hang(&c, NULL, 1000000, "0x00020040");
}

/* now - start < pause instead of now < end */
static void a_pause_by_difference(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, A1, 700);
  uint32_t poll = c.count;
  rv_load(&c, 2, A3, A4, 0);
  rv_csrr(&c, S0, MCYCLE);
  uint32_t wait = c.count;
  rv_csrr(&c, T0_, MCYCLE);
  rv_sub(&c, T0_, T0_, S0);
  rv_bltu(&c, T0_, A1, wait);
  rv_beq(&c, A3, ZERO, poll);
  finish(&c);
  expect_hang(&c, NULL, 40000, "0x00020040");
}

/* The polled word and the clock are read into the same register, which holds a time where the loop begins again. */
static void two_cores_that_look_at_the_clock(void **state) {
  (void)state;
  struct rv code[2] = {{.count = 0}, {.count = 0}};
  for (unsigned other = 0; other < 2; other++) {
    struct rv *c = &code[other];
    rv_li(c, A4, FLAG + 0x40 * other);
    rv_li(c, S1, WALL_CLOCK);
    uint32_t poll = c->count;
    rv_load(c, 2, T0_, A4, 0);
    rv_bne(c, T0_, ZERO, c->count + 3 + 2 * other);
    for (unsigned look = 0; look <= 2 * other; look++) rv_load(c, 2, T0_, S1, 0);
    rv_beq(c, ZERO, ZERO, poll);
    finish(c);
  }
  expect_hang(&code[0], &code[1], 40000, "0x00020040");
}

/* A counting pause is recognised too, at whichever instruction the search begins. */
static void a_pause_by_counting(void **state) {
  (void)state;
  for (uint32_t pause = 1000; pause <= 64000; pause *= 4) {
    struct rv c = {0};
    rv_li(&c, A4, FLAG);
    uint32_t poll = c.count;
    rv_load(&c, 2, A3, A4, 0);
    rv_li(&c, A2, pause);
    uint32_t wait = c.count;
    rv_addi(&c, A2, A2, -1);
    rv_bne(&c, A2, ZERO, wait);
    rv_beq(&c, A3, ZERO, poll);
    finish(&c);
    expect_hang(&c, NULL, pause == 1000 ? 40000 : LATE, "0x00020040");
  }
}

/* The loop returns to its load in as many states as it has words. */
static void a_walk_over_words(void **state) {
  (void)state;
  for (uint32_t words = 9; words < 500; words = 5 * words / 2) {
    struct rv c = {0};
    rv_li(&c, A4, FLAG);
    rv_li(&c, A1, FLAG + 4 * words);
    const uint32_t first = c.count;
    rv_addi(&c, A0, A4, 0);
    const uint32_t next = c.count;
    rv_load(&c, 2, A3, A0, 0);
    rv_addi(&c, A0, A0, 4);
    rv_bne(&c, A3, ZERO, c.count + 3);
    rv_bltu(&c, A0, A1, next);
    rv_beq(&c, ZERO, ZERO, first);
    finish(&c);
    expect_hang(&c, NULL, 1000000, "0x00020");
  }
}

/* A counter of the rounds in local RAM, of a byte or a word, or in L1, does not make them differ ... */
static void a_poll_that_counts_its_rounds(void **state) {
  static const struct {
    uint32_t base;
    unsigned load, store;
  } counters[] = {{TX_LOCAL_BASE, 4, 0}, {TX_LOCAL_BASE, 2, 2}, {0x30000, 2, 2}};
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    struct rv c = {0};
    rv_li(&c, A4, FLAG);
    rv_li(&c, S1, counters[i].base);
    const uint32_t poll = c.count;
    rv_load(&c, 2, A3, A4, 0);
    rv_load(&c, counters[i].load, A5, S1, 64);
    rv_addi(&c, A5, A5, 1);
    rv_store(&c, counters[i].store, A5, S1, 64);
    rv_beq(&c, A3, ZERO, poll);
    finish(&c);
    expect_hang(&c, NULL, 1000000, "0x00020040");
  }
}

/* ... unless the loop ends when it has counted to some number. */
static void a_poll_of_so_many_rounds(void **state) {
  static const uint32_t bases[] = {TX_LOCAL_BASE, 0x30000};
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    struct rv c = {0};
    rv_li(&c, A4, FLAG);
    rv_li(&c, S1, bases[i / 2]);
    rv_store(&c, 2, ZERO, S1, 64);
    const uint32_t poll = c.count;
    rv_load(&c, 2, A3, A4, 0);
    rv_load(&c, 2, A5, S1, 64);
    rv_addi(&c, A5, A5, 1);
    rv_store(&c, 2, A5, S1, 64);
    rv_put(&c, 0x0ff0000fu); /* fence */
    if (i & 1u) rv_load(&c, 2, A5, S1, 64);
    rv_srli(&c, A5, A5, 15);
    rv_beq(&c, A5, ZERO, poll);
    finish(&c);
    expect_done(&c, NULL, i);
  }
}

/* A pause by both words of the clock, as compilers subtract them: the borrow depends on the time. */
static void a_pause_by_64_bits(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, S1, WALL_CLOCK);
  rv_li(&c, A1, 600);
  const uint32_t poll = c.count;
  rv_load(&c, 2, A3, A4, 0);
  rv_load(&c, 2, S0, S1, 0);
  rv_load(&c, 2, T2_, S1, 8);
  const uint32_t wait = c.count;
  rv_load(&c, 2, T0_, S1, 0);
  rv_load(&c, 2, T1_, S1, 8);
  rv_sub(&c, A5, T0_, S0);
  rv_sltu(&c, T0_, T0_, A5);
  rv_sub(&c, T1_, T1_, T2_);
  rv_sub(&c, T1_, T1_, T0_);
  rv_bne(&c, T1_, ZERO, c.count + 2);
  rv_bltu(&c, A5, A1, wait);
  rv_store(&c, 2, T2_, A4, 64); /* a time for the host */
  rv_beq(&c, A3, ZERO, poll);
  finish(&c);
  expect_hang(&c, NULL, 1000000, "0x00020040");
}

/* The word is polled within the pause, and only the end of each pause, with a heartbeat, lies between two rounds. */
static void a_poll_within_a_pause(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, S1, WALL_CLOCK);
  rv_li(&c, A1, 600);
  const uint32_t round = c.count;
  rv_load(&c, 2, S0, S1, 0);
  const uint32_t wait = c.count;
  rv_load(&c, 2, A3, A4, 0);
  rv_load(&c, 2, T0_, S1, 0);
  rv_bne(&c, A3, ZERO, c.count + 5);
  rv_sub(&c, T0_, T0_, S0);
  rv_bltu(&c, T0_, A1, wait);
  rv_store(&c, 2, A1, A4, 64);
  rv_beq(&c, ZERO, ZERO, round);
  finish(&c);
  expect_hang(&c, NULL, 8000000, "0x00020040");
}

/* A walk whose end is not counted, and a count of the walks. */
static void a_walk_that_counts_its_rounds(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, A1, FLAG + 4 * 60);
  const uint32_t first = c.count;
  rv_addi(&c, A0, A4, 0);
  const uint32_t next = c.count;
  rv_load(&c, 2, A3, A0, 0);
  rv_addi(&c, A0, A0, 4);
  rv_bne(&c, A3, ZERO, c.count + 4);
  rv_bltu(&c, A0, A1, next);
  rv_addi(&c, A2, A2, 1);
  rv_beq(&c, ZERO, ZERO, first);
  finish(&c);
  expect_hang(&c, NULL, 1000000, "0x000200");
}

/* A core does not wait for the lock under which it looks at the word: it gives that back itself. */
static void a_word_under_a_lock(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A4, FLAG);
  rv_li(&c, S0, 1);
  const uint32_t take = c.count;
  rv_amoswap(&c, A0, S0, A4);
  rv_bne(&c, A0, ZERO, take);
  rv_load(&c, 2, A3, A4, 0x100);
  rv_amoswap(&c, ZERO, ZERO, A4);
  rv_beq(&c, A3, ZERO, take);
  finish(&c);
  expect_hang(&c, NULL, 40000, "has been waiting for the word at 0x00020140 (now 0x0) to become other than 0x0");
}

/* After a search that progress ended, the next search starts as soon as after any other progress. */
static void progress_during_a_look(void **state) {
  (void)state;
  struct rv c = {0};
  rv_li(&c, A2, 4000);
  uint32_t compute = c.count;
  rv_addi(&c, A2, A2, -1);
  rv_bne(&c, A2, ZERO, compute);
  rv_poke(&c, DONE, 1);
  poll_and_pause(&c, 1350);
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = start(timing, &c, NULL);
    assert_int_equal(run_alone(t, 20000000), SIM_END_BLOCKED);
    if (t->engine.now > 60000) fail_msg("timing %u: found at cycle %llu", timing, (unsigned long long)t->engine.now);
    tile_give_back(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_deadline_in_cycles),
      cmocka_unit_test(a_deadline_on_the_wall_clock),
      cmocka_unit_test(a_deadline_in_instructions),
      cmocka_unit_test(a_bit_of_the_cycle_counter),
      cmocka_unit_test(a_poll_with_a_timeout),
      cmocka_unit_test(a_long_pause),
      cmocka_unit_test(a_mailbox_polled_with_pauses),
      cmocka_unit_test(a_stuck_thread_beside_a_polling_core),
      cmocka_unit_test(a_long_pause_between_polls),
      cmocka_unit_test(a_pause_by_difference),
      cmocka_unit_test(two_cores_answer_each_other),
      cmocka_unit_test(two_cores_compete_for_a_lock),
      cmocka_unit_test(ticks_of_the_clock),
      cmocka_unit_test(two_cores_that_look_at_the_clock),
      cmocka_unit_test(a_word_that_is_read_late),
      cmocka_unit_test(code_that_is_fetched_again),
      cmocka_unit_test(a_walk_over_words),
      cmocka_unit_test(a_poll_that_counts_its_rounds),
      cmocka_unit_test(a_poll_of_so_many_rounds),
      cmocka_unit_test(a_word_under_a_lock),
      cmocka_unit_test(counts_that_end_a_loop),
      cmocka_unit_test(a_condition_on_a_count),
      cmocka_unit_test(a_core_that_only_counts),
      cmocka_unit_test(a_count_of_slow_loads),
      cmocka_unit_test(a_condition_on_two_pulses),
      cmocka_unit_test(a_core_that_watches_another_one),
      cmocka_unit_test(a_pause_by_64_bits),
      cmocka_unit_test(a_poll_within_a_pause),
      cmocka_unit_test(a_walk_that_counts_its_rounds),
      cmocka_unit_test(a_pause_by_counting),
      cmocka_unit_test(progress_during_a_look),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
