/* The wait-for graph on small hand-made situations. An agent's wait names its releasers directly: detail is their bit set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/waitgraph.h"

static struct sim_engine engine;
static struct sim_waitgraph graph;

static void agent_words(const void *machine, unsigned agent, char *text, size_t size) {
  (void)machine;
  snprintf(text, size, "core %u", agent);
}
static void wait_words(const void *machine, const struct sim_wait *wait, char *text, size_t size) {
  (void)machine;
  snprintf(text, size, "flag %u", wait->object);
}
static uint64_t releasers(const void *machine, unsigned agent, const struct sim_wait *wait) {
  (void)machine;
  (void)agent;
  return wait->detail;
}
static const struct sim_words words = {agent_words, wait_words, releasers};

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
  char text[1024];
  size_t length = sim_waitgraph_explain(&graph, &engine, &words, NULL, text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_non_null(
      strstr(text, "core 0 has been waiting since cycle 77 for flag 10; could be released by core 1 (blocked)\n"));
  assert_non_null(strstr(text, "core 3 has been waiting"));
  assert_non_null(strstr(text, "cycle: core 0 waits for core 1 waits for core 2 waits for core 0\n"));
}

static void waiting_for_the_finished_is_hopeless(void **state) {
  (void)state;
  blocks(0, 1u << 1 | 1u << 2);
  sim_done(&engine, 1); /* 2 stays off */
  blocks(3, 0);
  build();
  assert_int_equal(graph.hopeless, 1u << 0 | 1u << 3);
  assert_int_equal(graph.in_cycle, 0);
  char text[1024];
  sim_waitgraph_explain(&graph, &engine, &words, NULL, text, sizeof text);
  assert_non_null(strstr(text, "no agent that still runs can release core 0\n"));
  assert_non_null(strstr(text, "flag 13; no agent can release it\n"));
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

static void two_cycles_are_both_told(void **state) {
  (void)state;
  blocks(0, 1u << 1);
  blocks(1, 1u << 0);
  blocks(4, 1u << 5);
  blocks(5, 1u << 4);
  build();
  assert_int_equal(graph.in_cycle, 0x33);
  char text[1024];
  sim_waitgraph_explain(&graph, &engine, &words, NULL, text, sizeof text);
  assert_non_null(strstr(text, "cycle: core 0 waits for core 1 waits for core 0\n"));
  assert_non_null(strstr(text, "cycle: core 4 waits for core 5 waits for core 4\n"));
}

static void a_short_buffer_is_respected(void **state) {
  (void)state;
  blocks(0, 1u << 1);
  blocks(1, 1u << 0);
  build();
  char full[1024], cut[32];
  memset(cut, 'z', sizeof cut);
  size_t need = sim_waitgraph_explain(&graph, &engine, &words, NULL, full, sizeof full);
  assert_int_equal(sim_waitgraph_explain(&graph, &engine, &words, NULL, cut, 16), need);
  assert_int_equal(strlen(cut), 15);
  assert_int_equal(cut[16], 'z');
  assert_memory_equal(cut, full, 15);
  assert_int_equal(sim_waitgraph_explain(&graph, &engine, &words, NULL, NULL, 0), need);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_circle_is_a_cycle_and_a_bystander_is_not, start),
      cmocka_unit_test_setup(waiting_for_the_finished_is_hopeless, start),
      cmocka_unit_test_setup(one_live_releaser_saves_the_chain, start),
      cmocka_unit_test_setup(an_idle_releaser_counts_only_while_somebody_moves, start),
      cmocka_unit_test_setup(two_cycles_are_both_told, start),
      cmocka_unit_test_setup(a_short_buffer_is_respected, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
