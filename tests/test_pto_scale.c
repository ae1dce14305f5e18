/* Many blocks, sweeps on all host cores, profiles as data, parameters of programs, events as data. */
#include <math.h>
#include <time.h>

#include "pto/ir/ops.h"
#include "pto/ir/reference.h"
#include "pto/runtime/grid.h"
#include "pto/runtime/sweep.h"
#include "pto/util.h"
#include "sim/parallel.h"

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static struct pto_program *attention(const struct pto_setting *settings, unsigned count) {
  struct pto_ir_error error;
  char words[1024], *text = util_read("examples/pto/attention.pto");
  struct pto_program *p = pto_ir_parse_with(text, strlen(text), -1, settings, count, &error);
  if (!p) {
    pto_ir_error_text(&error, "attention.pto", text, strlen(text), words, sizeof words);
    fail_msg("%s", words);
  }
  return p;
}

static struct pto_grid *grid_of(const struct pto_program *p, uint32_t blocks, bool with_data) {
  struct pto_grid *g = pto_grid_new(&p, 1, blocks, with_data);
  assert_non_null(g);
  return g;
}

static void run_clean(struct pto_grid *g) {
  enum pto_end_kind end = pto_grid_run(g, UINT64_C(1) << 40);
  for (uint32_t i = 0; i < g->count; i++) util_expect_clean(g->blocks[i], end);
}

enum { BLOCKS = 24, M = 64, D = 64, KV = 64, TILES = 8 };

/* One row of one tile, in double from the f16 inputs; the weights are rounded to f16 as the program rounds them. */
static void expected_row(const struct pto_machine *m, unsigned row, unsigned tile, double out[D]) {
  double score[KV], most = -1e300, sum = 0;
  for (unsigned c = 0; c < KV; c++) {
    score[c] = 0;
    for (unsigned k = 0; k < D; k++)
      score[c] += util_get(m, "Q", row * D + k) * util_get(m, "K", k * TILES * KV + tile * KV + c);
    if (score[c] > most) most = score[c];
  }
  for (unsigned c = 0; c < KV; c++) sum += score[c] = exp(score[c] - most);
  for (unsigned k = 0; k < D; k++) {
    out[k] = 0;
    for (unsigned c = 0; c < KV; c++) out[k] += score[c] / sum * util_get(m, "V", (tile * KV + c) * D + k);
  }
}

static void attention_on_24_blocks(void **state) {
  (void)state;
  struct pto_program *p = attention(NULL, 0);
  assert_int_equal(p->blocks, BLOCKS);
  double start = cpu_seconds();
  struct pto_grid *g = grid_of(p, BLOCKS, true);
  run_clean(g);
  double took = cpu_seconds() - start;
  print_message("24 blocks of attention: %.2f s of processor time, %llu cycles, global memory %u per mille in use\n", took,
                (unsigned long long)pto_grid_cycles(g), pto_grid_gm_use(g));
#ifndef __SANITIZE_ADDRESS__
  assert_true(took < 1.0);
#endif
  for (unsigned block = 0; block < BLOCKS; block++)
    for (unsigned tile = 0; tile < TILES; tile++) {
      double want[D];
      unsigned row = block * M + (block * 7 + tile * 11) % M;
      expected_row(g->blocks[0], row, tile, want);
      for (unsigned k = 0; k < D; k++)
        assert_true(fabs(util_get(g->blocks[0], "O", row * TILES * D + tile * D + k) - want[k]) < 2e-3);
    }
  pto_grid_free(g);
  pto_program_free(p);
}

/* One block alone takes less time than each of many; with enough bandwidth for all, the same time. A grid of one equals the machine. */
static void blocks_share_bandwidth(void **state) {
  (void)state;
  struct pto_program *p = attention(NULL, 0);
  struct pto_machine *alone = pto_machine_new(p, false);
  assert_int_equal(pto_machine_run(alone, UINT64_MAX / 2), PTO_RAN);
  sim_time cycles[4];
  const uint32_t blocks[] = {1, 8, 24, 24};
  for (unsigned i = 0; i < 4; i++) {
    if (i == 3) assert_true(pto_profile_set(&p->figures, "gm_total", 1000000000));
    struct pto_grid *g = grid_of(p, blocks[i], false);
    run_clean(g);
    cycles[i] = pto_grid_cycles(g);
    pto_grid_free(g);
  }
  assert_int_equal(cycles[0], alone->engine.now);
  assert_true(cycles[1] >= cycles[0] && cycles[2] > cycles[1]);
  assert_int_equal(cycles[3], cycles[0]);
  uint64_t bytes = (uint64_t)24 * (64 * 64 * 2 + 8 * (64 * 64 * 2 * 2 + 64 * 64 * 4 * 2 + 64 * 64 * 2 * 2 + 64 * 64 * 4));
  assert_true(cycles[2] >= bytes * 185 / 160000); /* never faster than the memory: 1.6 TB/s at 1.85 GHz */
  pto_machine_free(alone);
  pto_program_free(p);
}

/* A fault, a deadlock or a hazard of one block is the grid's, and names its block. */
static void one_block_breaks(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module attributes {pto.blocks = 4} {\n"
      "  func.func @cube() attributes {pto.core = \"aic\"} {\n    %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
      "    %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "    %%b = pto.get_block_idx : index\n    %%n = pto.get_block_num : index\n    %%last = arith.subi %%n, 1 : index\n"
      "    %%more = arith.cmpi uge, %%b, %%last : index\n    %%count = arith.addi %%more, 1 : index\n"
      "    scf.for %%i = 0 to %%count step 1 {\n"
      "      pto.tpush %%acc, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n    }\n  }\n"
      "  func.func @vec() attributes {pto.core = \"aiv\"} {\n    %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
      "    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  }\n}\n");
  struct pto_grid *g = grid_of(p, p->blocks, true);
  assert_int_equal(pto_grid_run(g, UINT64_C(1) << 40), PTO_DEADLOCKED);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(g->blocks[i]->deadlocked, i == 3);
  pto_grid_free(g);
  pto_program_free(p);
}

/* --- sweeps --- */

static void sweep_uses_all_threads(void **state) {
  (void)state;
  static struct pto_sweep one, many;
  const struct pto_program *variants[2 * 2 * 5 * 2];
  unsigned count = 0;
  static const int64_t depths[] = {1, 2, 3, 4, 8};
  for (unsigned m = 0; m < 2; m++)
    for (unsigned kv = 0; kv < 2; kv++)
      for (unsigned d = 0; d < 5; d++)
        for (unsigned split = 0; split < 2; split++) {
          struct pto_setting s[] = {
              {"M", m ? 64 : 32}, {"KV", kv ? 64 : 32}, {"DEPTH", depths[d]}, {"SPLIT", (int64_t)split}};
          variants[count++] = attention(s, 4);
        }
  struct pto_sweep_options o = {
      .keep_depth = true, .policy = -1, .blocks = {1, 2, 4, 8, 24}, .block_count = 5, .threads = 2};
  if (util_scale(100) < 100) o.schedules = 5;
  double start = cpu_seconds();
  assert_true(pto_sweep_all(variants, count, &o, &many));
  double took = cpu_seconds() - start;
  print_message("sweep of %u points: %.2f s of processor time on two threads\n", many.count, took);
  assert_int_equal(many.count, 200);
#ifndef __SANITIZE_ADDRESS__
  assert_true(took < 10.0);
#endif
  o.threads = 1;
  assert_true(pto_sweep_all(variants, count, &o, &one));
  assert_memory_equal(&one, &many, sizeof one); /* the same figures on any thread */
  unsigned safe = 0;
  for (uint32_t i = 0; i < one.count; i++) safe += one.rows[i].fits && !one.rows[i].kinds;
  assert_true(safe >= 50);
  for (unsigned i = 0; i < count; i++) pto_program_free((struct pto_program *)(uintptr_t)variants[i]);
}

static void count_job(void *context, unsigned index) { ((unsigned char *)context)[index]++; }

static void jobs_done(void *context, uint64_t done, uint64_t all) {
  uint64_t *most = context;
  assert_true(done > *most && done <= all && all == 1000);
  *most = done;
}

static void every_job_once(void **state) {
  (void)state;
  unsigned char done[1000];
  for (unsigned threads = 0; threads < 5; threads++) {
    uint64_t most = 0;
    memset(done, 0, sizeof done);
    sim_parallel(threads, 1000, count_job, done, (struct sim_watcher){.done = jobs_done, .context = &most});
    for (unsigned i = 0; i < 1000; i++) assert_int_equal(done[i], 1);
    assert_true(threads != 1 || most == 1000); /* with more the caller may get none */
  }
  sim_parallel(3, 0, count_job, NULL, (struct sim_watcher){.done = NULL});
  int stop = 1;
  sim_parallel(3, 1000, count_job, done, (struct sim_watcher){.stop = &stop});
  for (unsigned i = 0; i < 1000; i++) assert_int_equal(done[i], 1); /* no job began */
}

/* Labels of the vertical axis are multiples of 1, 2 or 5 times a power of ten. */
static void round_ticks(void **state) {
  (void)state;
  static struct pto_sweep s;
  static char svg[65536];
  const double times[] = {3, 17, 99, 101, 1008, 1063.6, 54321, 7654321};
  for (unsigned t = 0; t < sizeof times / sizeof times[0]; t++) {
    memset(&s, 0, sizeof s);
    s.count = 3;
    for (uint32_t i = 0; i < 3; i++)
      s.rows[i] = (struct pto_sweep_row){
          .depth = i + 1, .period = 1, .fits = true, .cycles = (uint64_t)(times[t] * 10), .tiles = 10};
    assert_true(pto_sweep_svg(&s, "t", svg, sizeof svg) < sizeof svg);
    unsigned labels = 0;
    double top = 0;
    for (const char *at = svg; (at = strstr(at, "text-anchor=\"end\">")); at++) {
      const char *digits = at + strlen("text-anchor=\"end\">");
      if (*digits < '0' || *digits > '9') continue; /* the names of the lines */
      double value = strtod(digits, NULL), lead = value;
      while (lead >= 10 && fmod(lead, 10) == 0) lead /= 10;
      assert_true(value == 0 || lead <= 60);
      labels++;
      if (value > top) top = value;
    }
    assert_true(labels >= 3 && labels <= 7);
    assert_true(top >= times[t] && top <= times[t] * 2.01);
  }
}

/* --- profiles --- */

static void every_figure_has_its_source(void **state) {
  (void)state;
  static const char *const known[] = {"costmodel", "product", "document", "inferred"};
  bool covered[sizeof(struct pto_profile)] = {false};
  for (unsigned i = 0; i < pto_figure_count(); i++) {
    const struct pto_figure *f = pto_figure(i);
    for (unsigned p = 0; p < PTO_PROFILES; p++) {
      unsigned k = 0;
      while (k < 4 && strcmp(known[k], f->source[p]) != 0) k++;
      assert_true(k < 4);
      uint32_t value;
      memcpy(&value, (const char *)pto_profile_get(p) + f->offset, sizeof value);
      assert_int_equal(value, f->value[p]);
    }
    assert_false(covered[f->offset]);
    covered[f->offset] = true;
  }
  for (size_t at = offsetof(struct pto_profile, clock_mhz); at < offsetof(struct pto_profile, point_to_point); at += 4) {
    uint32_t value;
    memcpy(&value, (const char *)pto_profile_get(PTO_A2A3) + at, 4);
    if (value && !covered[at]) fail_msg("a figure of the profile has no row, at byte %zu", at);
  }
}

static void a_file_overrides_figures(void **state) {
  (void)state;
  struct pto_profile mine = *pto_profile_get(PTO_A5);
  char why[160] = "";
  const char *good = "# mine\nclock_mhz = 1000\n\n  ub_bytes=131072 # half\n";
  assert_true(pto_profile_read(&mine, good, strlen(good), why, sizeof why));
  assert_int_equal(mine.clock_mhz, 1000);
  assert_int_equal(mine.memory_bytes[PTO_VEC], 131072);
  static const char *const bad[] = {"clock = 5\n",      "clock_mhz 5\n",       "clock_mhz = x\n", "clock_mhz = 0\n",
                                    "queue_depth = 99", "ub_bytes = 99999999", "gm_to_ub = 5 6",  "= 4"};
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_false(pto_profile_read(&mine, bad[i], strlen(bad[i]), why, sizeof why));
    util_assert_words(why, "line 1: ");
  }
  struct pto_program *p = attention(NULL, 0);
  struct pto_machine *m = pto_machine_new(p, false);
  pto_machine_run(m, UINT64_MAX / 2);
  sim_time before = m->engine.now;
  pto_machine_free(m);
  assert_true(pto_profile_set(&p->figures, "gm_to_l1", 1350)); /* a tenth of the bandwidth */
  m = pto_machine_new(p, false);
  pto_machine_run(m, UINT64_MAX / 2);
  assert_true(m->engine.now > before * 2);
  pto_machine_free(m);
  pto_program_free(p);
}

/* --- the text: parameters, predicates, errors, reference --- */

static void parse_fails(const char *text, const char *words) {
  struct pto_ir_error error;
  struct pto_program *p = pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error);
  assert_null(p);
  util_assert_words(error.text, words);
}

static int64_t scalar_of(const char *body) {
  struct pto_program *p =
      util_program("module {\n  func.func @v() attributes {pto.core = \"aiv0\"} {\n"
                   "    %%one = pto.get_subblock_num : index\n    %%lane = pto.get_subblock_idx : index\n"
                   "%s    scf.for %%i = 0 to %%r step 1 {\n      pto.compute {unit = \"V\", cost = 1}\n    }\n  }\n}\n",
                   body);
  struct pto_machine *m = pto_machine_new(p, false);
  assert_int_equal(pto_machine_run(m, 1000000), PTO_RAN);
  int64_t items = (int64_t)m->stats.items[pto_agent(PTO_AIV0, PTO_V)];
  pto_machine_free(m);
  pto_program_free(p);
  return items;
}

/* MLIR's predicates on -1 and 1 (lane is 0 at run time: nothing is folded). */
static void predicates(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int lower, equal, higher; /* -1 ? 1, 1 ? 1, 1 ? -1 */
  } rows[] = {{"eq", 0, 1, 0},  {"ne", 1, 0, 1},  {"slt", 1, 0, 0}, {"sle", 1, 1, 0}, {"sgt", 0, 0, 1},
              {"sge", 0, 1, 1}, {"ult", 0, 0, 1}, {"ule", 0, 1, 1}, {"ugt", 1, 0, 0}, {"uge", 1, 1, 0}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned k = 0; k < 6; k++) {
      char body[256];
      int a = k % 3 == 0 ? -1 : 1, b = k % 3 == 2 ? -1 : 1,
          want = k % 3 == 0   ? rows[i].lower
                 : k % 3 == 1 ? rows[i].equal
                              : rows[i].higher;
      const char *x = k < 3 ? "%lane" : "0"; /* at run time, and folded */
      snprintf(body, sizeof body, "    %%a = arith.addi %s, %d : index\n    %%r = arith.cmpi %s, %%a, %d : index\n", x, a,
               rows[i].name, b);
      assert_int_equal(scalar_of(body), want);
    }
  assert_int_equal(scalar_of("    %a = arith.subi %lane, 1 : index\n    %d = arith.divui %a, 4611686018427387904 : index\n"
                             "    %r = arith.addi %d, 0 : index\n") >= 0,
                   1);
  parse_fails("module {\n func.func @v() attributes {pto.core = \"aiv0\"} {\n  %r = arith.cmpi 1, 2 : index\n }\n}\n",
              "eq, ne, slt, sle, sgt");
  parse_fails("module {\n func.func @v() attributes {pto.core = \"aiv0\"} {\n  %r = arith.cmpi lt, 1, 2 : index\n }\n}\n",
              "needs a predicate");
}

static void errors_name_the_known(void **state) {
  (void)state;
  parse_fails("module {\n func.func @v() attributes {pto.core = \"aiv0\"} {\n  pto.tpsh %x, %p\n }\n}\n",
              "the nearest are pto.tpush");
  parse_fails("module attributes {pto.policy = \"best\"} {\n}\n", "no policy best: exact, apr, ");
  parse_fails("module attributes {pto.target_arch = \"a9\"} {\n}\n", "no profile a9: a2a3 or a5");
  parse_fails("module {\n func.func @v() attributes {pto.core = \"aiv0\"} {\n  %x = pto.alloc_tile : !pto.tile_buf<vex, "
              "f32, 8, 8>\n }\n}\n",
              "mat, acc, vec, left");
  parse_fails(
      "module {\n func.func @v() attributes {pto.core = \"aiv0\"} {\n  %p = pto.tpipe : !pto.tpipe<0, C2W, 8, 2>\n }\n}\n",
      "C2V, V2C, BOTH");
  parse_fails("module {\n  pto.global @A : tensor<${N}x4xf32>\n}\n", "no parameter: declare pto.param @N");
  parse_fails("module {\n  pto.param @N = 4\n  pto.global @A : tensor<${N / 0}x4xf32>\n}\n", "division by zero");
  parse_fails("module {\n  pto.param N\n}\n", "pto.param @NAME = VALUE");
  parse_fails("module {\n  pto.global @A : tensor<${1 + }x4xf32>\n}\n", "an expression such as");
  parse_fails("module {\n  pto.global @A : "
              "tensor<${((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))}x4xf32>\n}\n",
              "an expression such as");
}

static void parameters(void **state) {
  (void)state;
  const char *text = "module {\n  pto.param @N = 3 // rows\n  pto.param @M = ${N} * 2\n"
                     "  pto.global @A : tensor<${(N + 1) * 4 - 10 % 4}x${-N + 8}xf32>\n"
                     "  func.func @v() attributes {pto.core = \"aiv0\"} {\n  }\n}\n";
  struct pto_ir_error error;
  assert_null(pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error)); /* values are plain: no ${} in a declaration */
  text = "module {\n  pto.param @N = 3\n  pto.param @M = N * 2\n"
         "  pto.global @A : tensor<${(N + 1) * 4 - 10 % 4}x${-N + 8 + M}xf32>\n"
         "  func.func @v() attributes {pto.core = \"aiv0\"} {\n  }\n}\n";
  for (unsigned i = 0; i < 2; i++) {
    struct pto_setting n = {"N", 5};
    struct pto_program *p = pto_ir_parse_with(text, strlen(text), -1, &n, i, &error);
    assert_non_null(p);
    assert_int_equal(p->globals[0].shape[0], i ? 22 : 14);
    assert_int_equal(p->globals[0].shape[1], i ? 13 : 11);
    pto_program_free(p);
  }
}

static void reference_has_every_operation(void **state) {
  (void)state;
  size_t need = pto_ir_reference(NULL, 0);
  char *text = malloc(need + 1);
  assert_non_null(text);
  assert_int_equal(pto_ir_reference(text, need + 1), need);
  for (unsigned i = 0; i < pto_ir_row_count(); i++) {
    char cell[64];
    snprintf(cell, sizeof cell, "| `%s` |", pto_ir_row(i)->name);
    util_assert_words(text, cell);
    for (unsigned j = 0; j < i; j++) assert_string_not_equal(pto_ir_row(i)->name, pto_ir_row(j)->name);
  }
  free(text);
}

/* --- events --- */

static unsigned seen[PTO_EVENTS];
static void listen(void *context, const struct sim_event *e) {
  (void)context;
  assert_non_null(pto_event_row(e->kind));
  if (pto_event_row(e->kind)->form == PTO_FORM_SPAN) assert_true(e->c <= e->at);
  seen[e->kind]++;
}

static void events_are_rows(void **state) {
  (void)state;
  struct pto_program *p = attention(NULL, 0);
  struct pto_machine *m = pto_machine_new(p, false);
  memset(seen, 0, sizeof seen);
  assert_true(sim_log_attach(&m->log, listen, NULL, UINT32_MAX) >= 0);
  pto_machine_run(m, UINT64_MAX / 2);
  for (unsigned k = 0; k < PTO_EVENTS; k++) {
    assert_non_null(pto_event_row(k)->meaning);
    assert_int_equal(seen[k] != 0, k != PTO_EV_FINDING);
  }
  assert_null(pto_event_row(PTO_EVENTS));
  uint64_t stalls = 0;
  for (unsigned a = 0; a < PTO_AGENTS; a++)
    for (unsigned k = 1; k < PTO_WAIT_KINDS; k++) stalls += m->stats.stalled[a][k];
  assert_true(stalls > 0);
  pto_machine_free(m);
  pto_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attention_on_24_blocks),
      cmocka_unit_test(blocks_share_bandwidth),
      cmocka_unit_test(one_block_breaks),
      cmocka_unit_test(sweep_uses_all_threads),
      cmocka_unit_test(every_job_once),
      cmocka_unit_test(round_ticks),
      cmocka_unit_test(every_figure_has_its_source),
      cmocka_unit_test(a_file_overrides_figures),
      cmocka_unit_test(predicates),
      cmocka_unit_test(errors_name_the_known),
      cmocka_unit_test(parameters),
      cmocka_unit_test(reference_has_every_operation),
      cmocka_unit_test(events_are_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
