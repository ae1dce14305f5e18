/* "Since" of a wait is the first poll of the loop that the core is in. The truth comes from the log of instructions: the time of one execution
 * of one load, which each program names. Between two waits for the same word the programs change registers and local RAM alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "observe/hang/hang.h"
#include "observe/hang/progress.h"
#include "run_alone.h"
#include "rv_builder.h"
#include "scale.h"
#include "tensix/tile/tile.h"
#include "tile_pool.h"

#define FLAG 0x20000u
#define CODE 0x9000u
#define OTHER_CODE 0xa000u

struct program {
  struct rv code;
  struct rv other;        /* of a second core; count 0: none */
  uint32_t pc, execution; /* the load whose execution (from 1) is the first poll */
  uint32_t wanted;        /* execution 0: the first execution with this value in A5 */
  uint32_t seen;          /* the number of its executions so far */
  sim_time truth;
  const struct tx_tile *tile;
};

static void mark(struct program *p, uint32_t execution) {
  p->pc = CODE + 4 * p->code.count;
  p->execution = execution;
}

static void on_instruction(void *context, const struct sim_event *e) {
  struct program *p = context;
  if (e->agent != TX_AGENT_TRISC0 + 3) return;
  if (p->wanted && e->b == p->pc && p->tile->core[3].r[A5] == p->wanted && !p->truth) p->truth = e->at;
  if (e->b == p->pc && ++p->seen == p->execution) p->truth = e->at;
}

static void jal(struct rv *c, unsigned rd, uint32_t target) {
  uint32_t o = (target - c->count) * 4u;
  rv_put(c,
         (o >> 20 & 1u) << 31 | (o >> 1 & 0x3ffu) << 21 | (o >> 11 & 1u) << 20 | (o >> 12 & 0xffu) << 12 | rd << 7 | 0x6fu);
}
static void ret(struct rv *c) { rv_put(c, 0x00008067u); }

/* This many rounds of two instructions, in registers only. */
static void delay(struct rv *c, uint32_t rounds) {
  rv_li(c, A2, rounds);
  rv_addi(c, A2, A2, -1);
  rv_bne(c, A2, ZERO, c->count - 1);
}
static void flag_is(struct rv *c, uint32_t value) {
  rv_poke(c, FLAG, value);
  rv_wait(c, FLAG, value);
}

/* --- the programs --- */

static void two_loops(struct program *p) {
  struct rv *c = &p->code;
  flag_is(c, 1);
  delay(c, 1000);
  rv_li(c, A5, 2);
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_bltu(c, A3, A5, c->count - 1);
}

/* wait_for(2) right after wait_for(1), each a call. */
static void calls(struct program *p, uint32_t rounds) {
  struct rv *c = &p->code;
  flag_is(c, 1);
  uint32_t over = rv_put(c, 0), function = c->count;
  mark(p, 2);
  rv_load(c, 2, A3, A4, 0);
  rv_bltu(c, A3, A5, c->count - 1);
  ret(c);
  uint32_t here = c->count;
  c->count = over;
  jal(c, ZERO, here);
  c->count = here;
  jal(c, RA, function);
  if (rounds) delay(c, rounds);
  rv_li(c, A5, 2);
  jal(c, RA, function);
}
static void calls_close(struct program *p) { calls(p, 0); }
static void calls_far(struct program *p) { calls(p, 700); }

/* for (i = 1; ; i++) { while (*flag < i); delay }: the third wait does not end. */
static void one_loop_three_waits(struct program *p) {
  struct rv *c = &p->code;
  flag_is(c, 2);
  rv_li(c, A5, 1);
  uint32_t again = c->count;
  mark(p, 3);
  rv_load(c, 2, A3, A4, 0);
  rv_bltu(c, A3, A5, c->count - 1);
  delay(c, 300);
  rv_addi(c, A5, A5, 1);
  rv_beq(c, ZERO, ZERO, again);
}

/* An endless loop of three polls and a pause. */
static void bursts(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  uint32_t again = c->count;
  rv_li(c, S0, 3);
  uint32_t burst = c->count;
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_addi(c, S0, S0, -1);
  rv_bne(c, A3, ZERO, c->count + 4 + 2);
  rv_bne(c, S0, ZERO, burst);
  delay(c, 200); /* four words */
  rv_beq(c, ZERO, ZERO, again);
}

/* A poll every 300 rounds. */
static void pauses(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  uint32_t again = c->count;
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  delay(c, 300);
  rv_beq(c, A3, ZERO, again);
}

/* for (d = 1; !*flag; d = d < 64 ? 2 * d : d) pause(d): the wait began before the first and shortest pause. */
static void growing_pauses(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, S0, 1);
  rv_li(c, A5, 64);
  uint32_t again = c->count;
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_addi(c, A2, S0, 0);
  rv_addi(c, A2, A2, -1);
  rv_bne(c, A2, ZERO, c->count - 1);
  rv_beq(c, S0, A5, c->count + 2);
  rv_put(c, S0 << 20 | S0 << 15 | S0 << 7 | 0x33u); /* add s0,s0,s0 */
  rv_beq(c, A3, ZERO, again);
}

/* Each round calls a function: the first poll comes with another return address than the others. */
static void round_calls(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, RA, 0x1234);
  uint32_t again = c->count;
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  uint32_t call = rv_put(c, 0);
  rv_beq(c, A3, ZERO, again);
  rv_ebreak(c);
  uint32_t function = c->count;
  rv_addi(c, S0, S0, 0);
  ret(c);
  uint32_t end = c->count;
  c->count = call;
  jal(c, RA, function);
  c->count = end;
}

/* while ((v = *flag) < 2) if (v == 1) ...: another core writes 1 meanwhile. The wait continues. */
static void other_path(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, A5, 2);
  uint32_t again = c->count;
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_beq(c, A3, ZERO, again);
  for (unsigned i = 0; i < 6; i++) rv_addi(c, S0, S0, 0);
  rv_bltu(c, A3, A5, again);
  delay(&p->other, 400);
  rv_poke(&p->other, FLAG, 1);
  rv_ebreak(&p->other);
}

/* The compiler copied the first test to before the loop. */
static void test_before_loop(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_bne(c, A3, ZERO, c->count + 3);
  rv_load(c, 2, A3, A4, 0);
  rv_beq(c, A3, ZERO, c->count - 1);
}

/* The first wait polled for long. */
static void long_wait_before(struct program *p) {
  struct rv *c = &p->code;
  rv_wait(c, FLAG, 1);
  delay(c, 50);
  rv_li(c, A5, 2);
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_bltu(c, A3, A5, c->count - 1);
  delay(&p->other, 800);
  rv_poke(&p->other, FLAG, 1);
  rv_ebreak(&p->other);
}

/* The other core counts FLAG up to `last`, with pauses. */
static void count_up(struct program *p, uint32_t last, uint32_t pause) {
  for (uint32_t v = 1; v <= last; v++) {
    delay(&p->other, pause);
    rv_poke(&p->other, FLAG, v);
  }
  rv_ebreak(&p->other);
}

/* for (i = 1; i <= last; i++) while (*flag < i); */
static void close_waits(struct program *p, uint32_t last) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, A5, 1);
  rv_li(c, S0, last + 1);
  uint32_t again = c->count;
  mark(p, 0);
  p->wanted = last;
  rv_load(c, 2, A3, A4, 0);
  rv_bltu(c, A3, A5, again);
  rv_addi(c, A5, A5, 1);
  rv_bne(c, A5, S0, again);
}

/* Each wait lasts. */
static void wait_min_in_a_loop(struct program *p) {
  close_waits(p, 4);
  count_up(p, 3, 300);
}

/* The first wait lasts, the next two end at once. */
static void waits_that_end_at_once(struct program *p) {
  close_waits(p, 4);
  delay(&p->other, 300);
  rv_poke(&p->other, FLAG, 3);
  rv_ebreak(&p->other);
}

/* No wait lasts but the last one. */
static void two_waits_that_end_at_once(struct program *p) {
  flag_is(&p->code, 2);
  delay(&p->code, 20);
  close_waits(p, 3);
}

/* wait_for(v): while (!ready(v));, called from one place. */
static void test_in_a_function(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, A5, 1);
  uint32_t over = rv_put(c, 0), ready = c->count;
  mark(p, 0);
  rv_load(c, 2, A3, A4, 0);
  rv_put(c, A5 << 20 | A3 << 15 | 3u << 12 | A3 << 7 | 0x33u); /* sltu a3,a3,a5 */
  ret(c);
  uint32_t wait = c->count;
  rv_addi(c, S0, RA, 0);
  jal(c, RA, ready);
  rv_bne(c, A3, ZERO, c->count - 1);
  rv_addi(c, RA, S0, 0);
  ret(c);
  uint32_t here = c->count;
  c->count = over;
  jal(c, ZERO, here);
  c->count = here;
  jal(c, RA, wait);
  rv_addi(c, A5, A5, 1);
  rv_li(c, A2, 4);
  rv_bne(c, A5, A2, here);
  p->wanted = 3;
  count_up(p, 2, 500);
}

/* The path to the next wait is shorter than the pause between two polls. */
static void waits_with_pauses(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, A5, 0);
  rv_li(c, S0, 3);
  uint32_t next = c->count;
  rv_beq(c, A5, S0, c->count + 10); /* to the end */
  rv_addi(c, A5, A5, 1);
  uint32_t again = c->count;
  mark(p, 0);
  rv_load(c, 2, A3, A4, 0);
  rv_bltu(c, A3, A5, c->count + 2);
  rv_beq(c, ZERO, ZERO, next);
  delay(c, 40);
  rv_beq(c, ZERO, ZERO, again);
  p->wanted = 3;
  count_up(p, 2, 800);
}

/* while (!*flag) if (i++ & 1) ...: every second round is longer. */
static void two_lengths(struct program *p, uint32_t first) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, A2, first);
  uint32_t again = c->count;
  mark(p, 1);
  rv_load(c, 2, A3, A4, 0);
  rv_put(c, 1u << 20 | A2 << 15 | 4u << 12 | A2 << 7 | 0x13u); /* xori a2,a2,1 */
  rv_beq(c, A2, ZERO, c->count + 3);
  rv_addi(c, S0, S0, 0);
  rv_addi(c, S0, S0, 0);
  rv_beq(c, A3, ZERO, again);
}
static void short_then_long(struct program *p) { two_lengths(p, 1); }
static void long_then_short(struct program *p) { two_lengths(p, 0); }

/* while (*flag < v || flag[4] < v): the other word ends the first wait. */
static void two_words_twice(struct program *p) {
  struct rv *c = &p->code;
  rv_li(c, A4, FLAG);
  rv_li(c, A5, 1);
  uint32_t again = c->count;
  mark(p, 0);
  rv_load(c, 2, A3, A4, 0);
  rv_load(c, 2, A2, A4, 16);
  rv_bltu(c, A3, A5, again);
  rv_bltu(c, A2, A5, again);
  rv_addi(c, A5, A5, 1);
  rv_li(c, S0, 3);
  rv_bne(c, A5, S0, again);
  p->wanted = 2;
  rv_poke(&p->other, FLAG, 1);
  delay(&p->other, 500);
  rv_poke(&p->other, FLAG + 16, 2);
  rv_ebreak(&p->other);
}

static void (*const programs[])(struct program *) = {two_loops,
                                                     calls_close,
                                                     calls_far,
                                                     one_loop_three_waits,
                                                     bursts,
                                                     pauses,
                                                     round_calls,
                                                     other_path,
                                                     test_before_loop,
                                                     long_wait_before,
                                                     growing_pauses,
                                                     wait_min_in_a_loop,
                                                     waits_that_end_at_once,
                                                     two_waits_that_end_at_once,
                                                     test_in_a_function,
                                                     waits_with_pauses,
                                                     short_then_long,
                                                     long_then_short,
                                                     two_words_twice};

/* --- the comparison --- */

static struct tx_tile *start(struct program *p, bool timing) {
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, timing);
  rv_ebreak(&p->code);
  tx_l1_write(t, CODE, (const uint8_t *)p->code.word, 4 * p->code.count);
  tx_core_start(t, 3, CODE);
  if (!p->other.count) return t;
  tx_l1_write(t, OTHER_CODE, (const uint8_t *)p->other.word, 4 * p->other.count);
  tx_core_start(t, 4, OTHER_CODE);
  return t;
}

static uint64_t since_of(struct program *p, bool timing, bool cached, bool logged) {
  struct obs_hang h;
  struct tx_tile *t = start(p, timing);
  p->tile = t;
  if (!cached) t->core[3].csr[TX_CSR_CFG0] |= 8;
  int handle = logged ? sim_log_attach(&t->unsaved.log, on_instruction, p, 1u << TX_EVENT_CORE) : -1;
  assert_int_equal(run_alone(t, 1000000), SIM_END_BLOCKED);
  if (logged) sim_log_detach(&t->unsaved.log, handle);
  obs_hang_find(t, NULL, &h);
  assert_int_equal(h.waiter_count, 1);
  assert_int_equal(h.waiters[0].resource.address, FLAG);
  assert_true(h.cycle >= h.waiters[0].since);
  uint64_t since = h.waiters[0].since;
  tile_give_back(t);
  return since;
}

static void since_is_the_first_poll_of_the_loop(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (unsigned variant = 0; variant < 4; variant++) {
      bool timing = variant & 1, cached = variant & 2;
      struct program p = {0}, again = {0};
      if (test_percent() < 10 && variant != i % 4) continue; /* the slice under the sanitizers: every program once */
      programs[i](&p);
      programs[i](&again);
      uint64_t since = since_of(&p, timing, cached, true);
      if (!p.truth) fail_msg("program %zu, timing %d: the load is not executed", i, timing);
      if (since != p.truth)
        fail_msg("program %zu, timing %d, cache %d: %llu, not %llu", i, timing, cached, (unsigned long long)since,
                 (unsigned long long)p.truth);
      if (!timing && p.wanted && p.other.count) continue; /* in turns, a log changes the order of the two cores */
      uint64_t unlogged = since_of(&again, timing, cached, false);
      if (unlogged != since)
        fail_msg("program %zu, timing %d, cache %d: %llu without the log, not %llu", i, timing, cached,
                 (unsigned long long)unlogged, (unsigned long long)since);
    }
}

/* A loop in local RAM is detected thousands of cycles later; the hang begins at the core's last access before it. */
static void a_loop_in_local_ram_is_not_as_late_as_its_discovery(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct program p = {0};
    struct obs_hang h;
    rv_poke(&p.code, FLAG, 1);
    rv_li(&p.code, A4, 0xFFB00100u);
    mark(&p, 1);
    rv_load(&p.code, 2, A3, A4, 0);
    rv_addi(&p.code, S0, ZERO, 5);
    rv_beq(&p.code, A3, ZERO, p.code.count - 2);
    struct tx_tile *t = start(&p, timing);
    int handle = sim_log_attach(&t->unsaved.log, on_instruction, &p, 1u << TX_EVENT_CORE);
    assert_int_equal(run_alone(t, 100000), SIM_END_BLOCKED);
    sim_log_detach(&t->unsaved.log, handle);
    obs_hang_find(t, NULL, &h);
    assert_int_equal(h.waiter_count, 0);
    assert_in_range(h.cycle, 1, p.truth + 16); /* the store lands after the first round */
    tile_give_back(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(since_is_the_first_poll_of_the_loop),
                                     cmocka_unit_test(a_loop_in_local_ram_is_not_as_late_as_its_discovery)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
