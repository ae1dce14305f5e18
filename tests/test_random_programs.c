/* Random programs of a whole tile: splitting or observing a run changes neither its state, its fault, its cycles nor its findings. The same generator compares two builds of
 * the simulator; `make soak` runs a hundred times as many programs; TESSERA_FIRST_SEED sets the first seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "beside.h"
#include "random_program.h"
#include "scale.h"

static char programs[512]; /* directory of the kernels: next to the directory of this test */
static const char *const kernels[] = {"matmul_lofi", "eltwise_mul_col", "sfpu_exp", "reduce_row", "tilize", "pack_untilize"};
#define KERNELS (sizeof kernels / sizeof kernels[0])
#define CYCLES 20000u

static struct random_base bases[KERNELS];

static const struct random_base *base_of(uint64_t seed) {
  struct random_base *base = &bases[seed % KERNELS];
  char path[600];
  snprintf(path, sizeof path, "%s/llk_%s", programs, kernels[seed % KERNELS]);
  if (!base->state) assert_true(random_base_make(base, path, true));
  return base;
}

static uint64_t first_seed(void) {
  const char *first = getenv("TESSERA_FIRST_SEED");
  return first ? strtoull(first, NULL, 0) : 0;
}

static uint64_t
    issues; /* a sum of the events of words that pass the gates, and of the front end that such an observer sees */

static void note(void *context, const struct sim_event *event) {
  const struct tx_tile *t = context;
  if (event->kind != TX_EVENT_ISSUE) return;
  const struct tx_frontend *fe = &t->frontend[event->agent];
  const uint64_t seen[] = {event->at,       event->agent,    event->a,
                           event->b,        event->c,        fe->pushed - fe->fifo1.count,
                           fe->fifo2.count, fe->fifo3.count, fe->plain_behind};
  issues = issues * 31 + random_sum(seen, sizeof seen);
}

/* Runs program `seed` for CYCLES cycles, `piece` at a time, with an observer of these events (0: without). */
static void run_observed(struct tx_tile *t, uint64_t seed, uint64_t piece, uint32_t events, uint64_t sums[RANDOM_SUMS]) {
  const struct random_base *base = base_of(seed);
  sim_time until = base->state->engine.now + CYCLES, at = base->state->engine.now;
  enum sim_end end = SIM_END_TIME;
  random_program_start(t, base, seed, false);
  issues = 0;
  int handle = events ? sim_log_attach(&t->unsaved.log, note, t, events) : -1;
  while (end == SIM_END_TIME && at < until) {
    at = at + piece < until ? at + piece : until;
    end = tx_tile_run(t, at);
  }
  if (handle >= 0) sim_log_detach(&t->unsaved.log, handle);
  random_program_sums(t, sums);
}

static void run(struct tx_tile *t, uint64_t seed, uint64_t piece, uint64_t sums[RANDOM_SUMS]) {
  run_observed(t, seed, piece, 0, sums);
}

static void expect_same(uint64_t seed, const char *what, const uint64_t a[RANDOM_SUMS], const uint64_t b[RANDOM_SUMS]) {
  for (unsigned i = 0; i < RANDOM_SUMS; i++)
    if (a[i] != b[i]) fail_msg("program %llu: %s changes %s", (unsigned long long)seed, what, random_sum_names[i]);
}

/* With timing on; with timing off this holds for programs without races only (test_llk_like.c). */
static void a_run_in_pieces_is_the_same(void **state) {
  struct tx_tile *t = malloc(sizeof *t);
  uint64_t whole[RANDOM_SUMS], cut[RANDOM_SUMS];
  (void)state;
  assert_non_null(t);
  for (uint64_t seed = first_seed(), end = seed + test_scaled(50); seed < end; seed++) {
    run(t, seed, CYCLES, whole);
    run(t, seed, 1 + seed * 37 % 211, cut);
    expect_same(seed, "cutting the run", whole, cut);
  }
  free(t);
}

static void expect_same_traced(struct tx_tile *t, uint64_t seed) {
  uint64_t plain[RANDOM_SUMS], traced[RANDOM_SUMS];
  run(t, seed, CYCLES, plain);
  run_observed(t, seed, CYCLES, ~0u, traced);
  expect_same(seed, "tracing", plain, traced);
  /* A checker observes only the words at the gates, most of which then pass without the phases of a cycle. */
  const uint64_t all = issues;
  run_observed(t, seed, CYCLES, 1u << TX_EVENT_ISSUE, traced);
  expect_same(seed, "observing the gates", plain, traced);
  if (issues != all) fail_msg("program %llu: an observer of the gates sees something else", (unsigned long long)seed);
}

static void a_traced_run_is_the_same(void **state) {
  struct tx_tile *t = malloc(sizeof *t);
  (void)state;
  assert_non_null(t);
  for (uint64_t seed = first_seed(), end = seed + test_scaled(50); seed < end; seed++) expect_same_traced(t, seed);
  free(t);
}

/* Programs in which tracing once changed the last cycle: a load of MOPSync that waits for good while a push leaves the core's queue. */
static void a_traced_hang_ends_in_the_same_cycle(void **state) {
  static const uint64_t seeds[] = {880096};
  struct tx_tile *t = malloc(sizeof *t);
  (void)state;
  assert_non_null(t);
  for (unsigned i = 0; i < sizeof seeds / sizeof seeds[0]; i++) expect_same_traced(t, seeds[i]);
  free(t);
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_in_pieces_is_the_same),
      cmocka_unit_test(a_traced_run_is_the_same),
      cmocka_unit_test(a_traced_hang_ends_in_the_same_cycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
