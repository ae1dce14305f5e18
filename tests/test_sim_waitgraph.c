/* The wait-for graph on small hand-made situations. An agent's wait names its releasers directly: detail is their bit set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/waitgraph.h"

static struct sim_engine engine;
static struct sim_waitgraph graph;

static uint64_t releasers(const void *machine, unsigned agent, const struct sim_wait *wait) {
  (void)machine;
  (void)agent;
  return wait->detail;
}
static const struct sim_words words = {.releasers = releasers};

static void blocks(unsigned agent, uint64_t who) {
  sim_sleep_on(&engine, agent, 1, SIM_NEVER);
  sim_block(&engine, agent, (struct sim_wait){.kind = 1, .object = 10 + agent, .detail = who});
}

static int start(void **state) {
  (void)state;
  sim_engine_init(&engine, 6);
  engine.now = 77;
  return 0;
}

/* The shortest closed chain through `agent` is this one. */
static void expect_cycle(unsigned agent, unsigned length, const unsigned *chain) {
  unsigned path[SIM_AGENTS_MAX];
  assert_int_equal(sim_waitgraph_cycle(&graph, agent, path), length);
  for (unsigned i = 0; i < length; i++) assert_int_equal(path[i], chain[i]);
}

static void build(void) { sim_waitgraph_build(&graph, &engine, &words, NULL); }

static void a_circle_is_a_cycle_and_a_bystander_is_not(void **state) {
  (void)state;
  blocks(0, 1u << 1);
  blocks(1, 1u << 2);
  blocks(2, 1u << 0);
  blocks(3, 1u << 0); /* waits for the cycle, is not on it */
  build();
  assert_int_equal(graph.blocked, 0xf);
  assert_int_equal(graph.in_cycle, 0x7);
  assert_int_equal(graph.hopeless, 0);
  assert_int_equal(graph.releasers[0], 1u << 1);
  assert_int_equal(graph.releasers[3], 1u << 0);
  assert_int_equal(graph.releasers[4], 0);
  expect_cycle(0, 3, (const unsigned[]){0, 1, 2});
  expect_cycle(2, 3, (const unsigned[]){2, 0, 1});
  blocks(2, 1u << 0 | 1u << 1); /* a shorter way back to 1 */
  build();
  expect_cycle(1, 2, (const unsigned[]){1, 2});
  expect_cycle(0, 3, (const unsigned[]){0, 1, 2});
}

static void waiting_for_the_finished_is_hopeless(void **state) {
  (void)state;
  blocks(0, 1u << 1 | 1u << 2);
  sim_done(&engine, 1); /* 2 stays off */
  blocks(3, 0);
  build();
  assert_int_equal(graph.hopeless, 1u << 0 | 1u << 3);
  assert_int_equal(graph.in_cycle, 0);
  assert_int_equal(graph.releasers[0], 1u << 1 | 1u << 2);
  assert_int_equal(graph.releasers[3], 0);
}

static void one_live_releaser_saves_the_chain(void **state) {
  (void)state;
  blocks(0, 1u << 1);
  blocks(1, 1u << 0 | 1u << 4);
  sim_sleep_until(&engine, 4, 100);
  build();
  assert_int_equal(graph.blocked, 3);
  assert_int_equal(graph.in_cycle, 0);
  assert_int_equal(graph.hopeless, 0);
  sim_done(&engine, 4); /* take the saviour away */
  build();
  assert_int_equal(graph.in_cycle, 3);
}

/* An idle agent can only act if another agent wakes it. */
static void an_idle_releaser_counts_only_while_somebody_moves(void **state) {
  (void)state;
  blocks(0, 1u << 1);
  sim_sleep_on(&engine, 1, 1, SIM_NEVER);
  build();
  assert_int_equal(graph.hopeless, 1);
  sim_sleep_until(&engine, 2, 100);
  build();
  assert_int_equal(graph.hopeless, 0);
}

static void two_cycles_are_both_found(void **state) {
  (void)state;
  blocks(0, 1u << 1);
  blocks(1, 1u << 0);
  blocks(4, 1u << 5);
  blocks(5, 1u << 4);
  build();
  assert_int_equal(graph.in_cycle, 0x33);
  expect_cycle(0, 2, (const unsigned[]){0, 1});
  expect_cycle(5, 2, (const unsigned[]){5, 4});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_circle_is_a_cycle_and_a_bystander_is_not, start),
      cmocka_unit_test_setup(waiting_for_the_finished_is_hopeless, start),
      cmocka_unit_test_setup(one_live_releaser_saves_the_chain, start),
      cmocka_unit_test_setup(an_idle_releaser_counts_only_while_somebody_moves, start),
      cmocka_unit_test_setup(two_cycles_are_both_found, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
