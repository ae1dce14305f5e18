/* Every kind of violation (docs/guide/pto.md, "Hazards and their reports"), the public issues and the TPUSH page's pattern 3: explore finds each one, and the explanation has the expected words. */
#include "pto/accept.h"
#include "pto/program/check.h"

static struct pto_explore_result result;

static void explore(struct pto_program *program, int policy, unsigned schedules) {
  assert_true(pto_explore(program, &(struct pto_explore_options){.schedules = schedules, .policy = policy}, &result));
}

/* The report of a hang: the cause in the first line, with the line of the program; no claim that an ended core releases something;
 * "deadlock" only with its closed chain. */
static void expect_cause_first(const char *text) {
  unsigned lines = 0;
  size_t first = strcspn(text, "\n");
  char head[2048];
  for (const char *c = text; *c; c++) lines += *c == '\n';
  assert_in_range(lines, 1, 24);
  snprintf(head, sizeof head, "%.*s", (int)first, text);
  util_assert_words(head, "hang after ");
  util_assert_words(head, " has been waiting since cycle ");
  util_assert_words(head, " at line ");
  bool deadlock = strstr(head, ": deadlock: ");
  if (deadlock) util_assert_words(head, " -> ");
  else if (!strstr(head, " should be set by ")) util_assert_words(head, "no agent can release it: ");
  assert_true(deadlock == (strstr(text, "each waits for the next, the last for the first") != NULL));
  assert_null(strstr(text, "could be released"));
}

static void expect(struct pto_program *program, unsigned kind, const char *words, const char *more) {
  explore(program, -1, 300);
  if (!result.broken) fail_msg("nothing found");
  if (result.finding.kind != kind)
    fail_msg("found %s, not %s: %s", pto_finding_name(result.finding.kind), pto_finding_name(kind), result.text);
  util_assert_words(result.text, words);
  if (more) util_assert_words(result.text, more);
  if (kind == PTO_FIND_DEADLOCK) expect_cause_first(result.text);
  pto_program_free(program);
}

/* arch, slots, Cube's loop count and body, Vector core, its loop count and body; pipe %p C2V, tile 16x16 f32 */
static struct pto_program *stream(const char *arch, unsigned slots, unsigned pushes, const char *push, const char *core,
                                  unsigned pops, const char *pop) {
  return util_program("module attributes {pto.target_arch = \"%s\"} {\n"
                      "func.func @c() attributes {pto.core = \"aic\"} {\n"
                      "  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 1024, %u, 2>\n"
                      "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
                      "  scf.for %%i = 0 to %u step 1 {\n%s  }\n}\n"
                      "func.func @v() attributes {pto.core = \"%s\"} {\n"
                      "  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 1024, %u, 2>\n"
                      "  %%lane = pto.get_subblock_idx : index\n"
                      "  %%u = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
                      "  scf.for %%i = 0 to %u step 1 {\n%s  }\n}\n}\n",
                      arch, slots, pushes, push, core, slots, pops, pop);
}

#define PUSH "    pto.tpush %t, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
#define POP "    %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
#define USE "    pto.trelu ins(%x : !pto.tile_buf<f32, 16, 16>) outs(%u : !pto.tile_buf<f32, 16, 16>)\n"
#define FREE "    pto.tfree %p : !pto.tpipe<...>\n"

static void the_good_one_is_good(void **state) {
  (void)state;
  struct pto_program *p = stream("a2a3", 2, 9, PUSH, "aiv", 9, POP USE);
  explore(p, -1, 300);
  assert_int_equal(result.broken, 0);
  pto_program_free(p);
  p = stream("a5", 2, 9, PUSH, "aiv0", 9, POP USE FREE);
  explore(p, -1, 300);
  assert_int_equal(result.broken, 0);
  pto_program_free(p);
}

static void allocate_off(void **state) {
  (void)state;
  expect(stream("a2a3", 2, 6, "    pto.set_allocate_status %p, false\n" PUSH, "aiv", 6, POP), PTO_FIND_OVERWRITE,
         "AIC FIX (line 7) writes tile 2 into slot 0 of pipe %p (C2V) while AIV", "(line 15) still reads tile 0 there");
  assert_true(result.schedule.count <= 1); /* one late pop is enough */
}

static void record_off(void **state) {
  (void)state;
  expect(stream("a2a3", 4, 3, "    %last = arith.cmpi ne, %i, 1 : index\n    pto.set_record_status %p, %last\n" PUSH, "aiv",
                3, POP),
         PTO_FIND_DEADLOCK, "it pushed 1 tile with isRecord off, so only 2 of 3 pushes were signalled",
         "flag 0 (ready of pipe %p): counter 0");
}

static void wait_off(void **state) {
  (void)state;
  expect(stream("a2a3", 4, 3, PUSH, "aiv", 3, "    pto.set_wait_status %p, false\n" POP), PTO_FIND_STALE,
         "reads tile 0 from slot 0 of pipe %p", "the slot holds a tile that line 6 is still writing");
}

static void free_off(void **state) {
  (void)state;
  expect(stream("a2a3", 2, 5, PUSH, "aiv", 5, "    pto.set_free_status %p, false\n" POP), PTO_FIND_DEADLOCK,
         "with isFree off and gave 0 credits", "flag 1 (free of pipe %p): counter 0, tpush at line 6, tile 2");
}

static void missing_tfree(void **state) {
  (void)state;
  expect(stream("a5", 2, 6, PUSH, "aiv0", 6, POP USE), PTO_FIND_DEADLOCK, "TFREE is missing",
         "AIC FIX has been waiting since cycle");
  for (unsigned s = 1; s <= 4; s++) { /* S slots are filled, the next push hangs */
    struct pto_program *p = stream("a5", s, s + 3, PUSH, "aiv0", s + 3, POP USE);
    struct pto_machine *m = pto_machine_new(p, false);
    assert_int_equal(pto_machine_run(m, 1000000), PTO_DEADLOCKED);
    assert_int_equal(m->cores[PTO_AIV0].ends[0].freed, 0);
    assert_int_equal(m->directions[0][PTO_DIRECTION_C2V].occupied, s);
    pto_machine_free(m);
    pto_program_free(p);
  }
}

static void tfree_before_last_use(void **state) {
  (void)state;
  expect(stream("a5", 2, 4, PUSH, "aiv0", 4, POP FREE USE), PTO_FIND_USE_AFTER_FREE,
         "(line 16) uses tile 0 of slot 0 of pipe %p (C2V), popped at line", "after its TFREE");
}

static void double_tfree(void **state) {
  (void)state;
  expect(stream("a5", 2, 4, PUSH, "aiv0", 4, POP USE FREE FREE), PTO_FIND_DOUBLE_FREE, "one credit too many",
         "last pop at line 14");
}

static void counts_differ(void **state) {
  (void)state;
  expect(stream("a2a3", 4, 3, PUSH, "aiv", 5, POP), PTO_FIND_DEADLOCK,
         "its program ended after 3 pushes (the last at line 6), this is pop number 4", "tpop at line 14, tile 3");
  expect(stream("a2a3", 2, 6, PUSH, "aiv", 3, POP), PTO_FIND_DEADLOCK, "its program ended after 3 pops",
         "this is push number 6");
}

/* A pipe that one lane does not construct, and one that is used after its destructor. */
static void not_built(void **state) {
  (void)state;
  static const char *const bodies[] = {
      "  %%l = pto.get_subblock_idx : index\n  scf.if %%l {\n"
      "  pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024}\n  }\n"
      "  %%x = pto.tpop_from_aic -> !pto.tile_buf<vec, f32, 16, 16>\n",
      "  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 1024, 2, 2>\n  pto.destroy_pipe %%p : !pto.tpipe<...>\n\n\n"
      "  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"};
  for (unsigned i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text, "module {\nfunc.func @v() attributes {pto.core = \"aiv\"} {\n%s}\n}\n", bodies[i]);
    expect(util_program(text, 0), PTO_FIND_FAULT, "fault (undefined): line 7, AIV",
           i ? "tpop through pipe %p, which is not built here" : "tpop through pipe %pipe, which is not built here");
  }
}

/* Every push has found its slot, but the destructor waits for a pop that never comes. */
static void consumer_stops_early(void **state) {
  (void)state;
  expect(stream("a2a3", 4, 6, PUSH, "aiv", 5, POP), PTO_FIND_DEADLOCK,
         "flag 1 (free, drained by the destructor of pipe %p): counter 0",
         "policy exact makes the destructor take 4, but after 6 pushes that took 2 it has given 5");
  expect(stream("a5", 4, 6, PUSH, "aiv0", 5, POP USE FREE), PTO_FIND_DEADLOCK,
         "(free, drained by the destructor of pipe %p): counter 0", "it has given 5");
}

/* A program that faults or reaches the cycle limit does not count as safe. */
static void explore_tells_faults(void **state) {
  (void)state;
  expect(util_program("module {\n  pto.global @A : tensor<4x4xf32>\nfunc.func @v() attributes {pto.core = \"aiv\"} {\n"
                      "  %%v = pto.make_tensor_view @A, shape = [64, 64], strides = [64, 1] : !pto.tensor_view<64x64xf32>\n"
                      "  %%a = pto.tload %%v : (!pto.tensor_view<64x64xf32>) -> !pto.tile<vec, f32, 64, 64>\n}\n}\n"),
         PTO_FIND_FAULT, "fault (address): line 5", NULL);
  struct pto_program *p = stream("a2a3", 2, 9, PUSH, "aiv", 9, POP);
  assert_true(pto_explore(p, &(struct pto_explore_options){.schedules = 5, .policy = -1, .limit = 50}, &result));
  assert_int_equal(result.finding.kind, PTO_FIND_LIMIT);
  util_assert_words(result.text, "has not ended after 50 cycles");
  pto_program_free(p);
}

static void flag_collision(void **state) {
  (void)state;
  expect(util_program("module {\n"
                      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, "
                      "2>\n  %%q = pto.tpipe : !pto.tpipe<1, C2V, 1024, 2, 2>\n"
                      "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n  scf.for %%i = 0 to 4 step 1 {\n"
                      "    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n    pto.tpush %%t, %%q : "
                      "(!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
                      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, "
                      "2>\n  %%q = pto.tpipe : !pto.tpipe<1, C2V, 1024, 2, 2>\n"
                      "  %%r = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n  scf.for %%i = 0 to 4 step 1 {\n"
                      "    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n    %%y = pto.tpop %%r : "
                      "(!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  }\n}\n}\n"),
         PTO_FIND_COLLISION, "their flag ids overlap", "takes a credit of flag 0 for pipe %r");
}

static void counter_overflow(void **state) {
  (void)state;
  expect(stream("a2a3", 16, 20, PUSH, "aiv", 20, POP), PTO_FIND_OVERFLOW, "goes beyond 15",
         "set once more by AIC (line 6, pipe %p)");
}

static void slot_too_small(void **state) {
  (void)state;
  expect(
      util_program(
          "module {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 512, 4, 2>\n"
          "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
          "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
          "}\n"
          "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 512, 4, 2>\n"
          "  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n}\n}\n"),
      PTO_FIND_SLOT_SIZE, "touches 1024 bytes", "whose slots have 512");
}

/* Both sides fill their ring before they read. */
static void circular_wait(void **state) {
  (void)state;
  expect(util_program(
             "module {\n"
             "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, BOTH, 1024, 2, 2>\n  %%t "
             "= pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
             "  scf.for %%i = 0 to 3 step 1 {\n    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n"
             "  scf.for %%i = 0 to 3 step 1 {\n    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n  "
             "}\n}\n"
             "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, BOTH, 1024, 2, 2>\n  %%t "
             "= pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
             "  scf.for %%i = 0 to 3 step 1 {\n    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n"
             "  scf.for %%i = 0 to 3 step 1 {\n    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  "
             "}\n}\n}\n"),
         PTO_FIND_DEADLOCK, "deadlock: AIC S -> AIV0 S -> AIC S; AIC S has been waiting since cycle",
         "flag 3 (free of pipe %p): counter 0, tpush at line 16, tile 2");
}

/* Each side waits for the other, but the Cube has no push left: only the Vectors' pop is the cause, and there is no cycle. */
static void waits_that_are_no_cycle(void **state) {
  (void)state;
  static const char source[] =
      "module {\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%q = pto.tpipe : !pto.tpipe<0, C2V, 1024, 4, 2>\n"
      "  %%r = pto.tpipe : !pto.tpipe<2, V2C, 1024, 4, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "  pto.tpush %%t, %%q : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
      "  %%y = pto.tpop %%r : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n%s}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%q = pto.tpipe : !pto.tpipe<0, C2V, 1024, 4, 2>\n"
      "  %%r = pto.tpipe : !pto.tpipe<2, V2C, 1024, 4, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
      "  scf.for %%i = 0 to 2 step 1 {\n    %%x = pto.tpop %%q : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  }\n"
      "  pto.tpush %%t, %%r : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n}\n}\n";
  expect(util_program(source, ""), PTO_FIND_DEADLOCK,
         "flag 0 of AIV0 should be set by AIC: the rest of its program has no push after its 1 push (the last at line ",
         "  AIC S: waiting since cycle");
  assert_null(strstr(result.text, "deadlock"));
  util_assert_words(result.text, ", behind AIV0 S; flag 2 of AIC should be set by AIV0 and AIV1: it has done 0 pushes");
  /* with the missing push after the Cube's pop there is one */
  expect(util_program(source, "  pto.tpush %t, %q : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"), PTO_FIND_DEADLOCK,
         ": deadlock: AIC S -> AIV0 S -> AIC S; AIC S has been waiting since cycle", "tpop at line 7");
}

static void a_lane_that_skips(void **state) {
  (void)state;
  expect(stream("a2a3", 2, 4, PUSH, "aiv", 4,
                "    %mine = arith.cmpi eq, %lane, 0 : index\n    scf.if %mine {\n" POP "    }\n"),
         PTO_FIND_DEADLOCK, "should be set by AIV1: its program ended after 0 pops", "AIC S has been waiting since cycle");
  expect(stream("a2a3", 2, 4, PUSH, "aiv0", 4, POP), PTO_FIND_DEADLOCK,
         "AIV1: it runs no program, and the Cube gets a credit only when both", NULL);
}

static void split_disagreement(void **state) {
  (void)state;
  expect(stream("a5", 2, 3, PUSH, "aiv", 3, POP FREE), PTO_FIND_DEADLOCK, "AIV1 V has been waiting since cycle",
         "for another lane (split and no-split disagree)");
  expect(stream("a2a3", 2, 3, PUSH, "aiv", 3,
                "    %x = pto.tpop %p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 8, 16>\n"),
         PTO_FIND_SPLIT, "with UP_DOWN what AIC (line 6) pushed with NO_SPLIT", NULL);
}

static void leak(void **state) {
  (void)state;
  struct pto_program *p = stream("a2a3", 4, 4, PUSH, "aiv", 4, POP);
  explore(p, pto_policy_find("a5-head"), 1);
  assert_int_equal(result.finding.kind, PTO_FIND_LEAK);
  util_assert_words(result.text, "2 credits left in flag 1 of AIC at the end of dispatch 1");
  pto_program_free(p);
}

static void three_pipe_loop(void **state) {
  (void)state;
  /* Vector waits for q before it feeds r, the Cube waits for r before it feeds q */
  expect(util_program(
             "module {\n"
             "func.func @c() attributes {pto.core = \"aic\"} {\n  %%q = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n  %%r = "
             "pto.tpipe : !pto.tpipe<2, V2C, 1024, 2, 2>\n"
             "  %%s = pto.tpipe : !pto.tpipe<4, V2C, 1024, 2, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
             "  %%x = pto.tpop %%r : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n  pto.tpush %%t, %%q : "
             "(!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
             "  %%y = pto.tpop %%s : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n}\n"
             "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%q = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n  %%r = "
             "pto.tpipe : !pto.tpipe<2, V2C, 1024, 2, 2>\n"
             "  %%s = pto.tpipe : !pto.tpipe<4, V2C, 1024, 2, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
             "  pto.tpush %%t, %%s : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  %%x = pto.tpop %%q : (!pto.tpipe<...>) -> "
             "!pto.tile<vec, f32, 16, 16>\n"
             "  pto.tpush %%t, %%r : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n}\n}\n"),
         PTO_FIND_DEADLOCK, "deadlock: AIC S -> AIV0 S -> AIC S", "(ready of pipe %r)");
}

static void manual_sync(void **state) {
  (void)state;
  struct pto_program *bad =
      util_program("module {\n  pto.global @A : tensor<64x64xf32>\nfunc.func @v(%%A: !pto.ptr<f32>) attributes {pto.core = "
                   "\"aiv\", pto.sync = \"manual\"} {\n"
                   "  %%a = pto.tload %%A : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 64, 64>\n"
                   "  %%b = pto.trelu %%a : (!pto.tile<f32, 64, 64>) -> !pto.tile<vec, f32, 64, 64>\n}\n}\n");
  expect(bad, PTO_FIND_UNSYNCED, "V (line 5) starts before MTE2 has finished line 4", NULL);
  struct pto_program *good = util_program(
      "module {\n  pto.global @A : tensor<64x64xf32>\nfunc.func @v(%%A: !pto.ptr<f32>) attributes {pto.core = \"aiv\", "
      "pto.sync = \"manual\"} {\n"
      "  %%a = pto.tload %%A : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 64, 64>\n"
      "  pto.set_flag {src = \"MTE2\", dst = \"V\", event = 0}\n  pto.wait_flag {src = \"MTE2\", dst = \"V\", event = 0}\n"
      "  %%b = pto.trelu %%a : (!pto.tile<f32, 64, 64>) -> !pto.tile<vec, f32, 64, 64>\n}\n}\n");
  explore(good, -1, 100);
  assert_int_equal(result.broken, 0);
  pto_program_free(good);
}

/* --- the public issues and pattern 3, from the files that ship as examples --- */

static struct pto_program *example(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "examples/pto/%s.pto", name);
  return util_parse(util_read(path));
}

static void pattern_three(void **state) {
  (void)state;
  struct pto_program *p = example("pattern3");
  assert_true(pto_explore(p, &(struct pto_explore_options){.schedules = 300, .policy = -1, .keep_going = true}, &result));
  assert_true(result.kinds & 1u << PTO_FIND_OVERWRITE);
  struct pto_machine *m = pto_machine_new(p, false); /* Vectors slow: the Cube gets ahead */
  for (unsigned lane = 0; lane < 2; lane++)
    m->schedule.delays[m->schedule.count++] =
        (struct pto_delay){.agent = (uint16_t)pto_agent(PTO_AIV0 + lane, PTO_MTE2), .item = PTO_EVERY_ITEM, .cycles = 20000};
  pto_machine_reset(m);
  pto_machine_run(m, 10000000);
  assert_true(util_found(m, PTO_FIND_OVERWRITE));
  char text[512];
  pto_explain_finding(m, &m->findings[0], text, sizeof text);
  util_assert_words(text, "AIC FIX (line 13) writes tile ");
  util_assert_words(text, "of pipe %pipe (C2V)");
  pto_machine_free(m);
  pto_program_free(p);
}

static void issue_188(void **state) {
  (void)state;
  char *text = util_read("examples/pto/issue188.pto");
  for (unsigned n = 1; n <= 8; n++) { /* even hangs, odd passes */
    char *count;
    while ((count = strstr(text, "0 to "))) count[5] = (char)('0' + n), count[0] = 'O';
    for (char *c = text; *c; c++)
      if (*c == 'O' && strncmp(c, "O to ", 5) == 0) *c = '0';
    struct pto_program *p = util_parse(text);
    struct pto_machine *m = pto_machine_new(p, false);
    enum pto_end_kind end = pto_machine_run(m, 10000000);
    assert_int_equal(end, n % 2 ? PTO_RAN : PTO_DEADLOCKED);
    if (n == 4) {
      char words[4096];
      pto_explain_deadlock(m, words, sizeof words);
      util_assert_words(words, "free, drained by the destructor of pipe %pipe");
      util_assert_words(words, "it freed 4 times with isFree off and gave 0 credits");
    }
    pto_machine_free(m);
    pto_program_free(p);
  }
}

static void issue_248(void **state) {
  (void)state;
  struct pto_program *p = example("issue248");
  explore(p, pto_policy_find("a2a3-head"), 100); /* the fix: a computed drain */
  assert_int_equal(result.broken, 0);
  expect(p, PTO_FIND_DEADLOCK,
         "policy fixed-drain makes the destructor take 4, but after 40 pushes that took 8 it has given 10",
         "no more will come");
}

static void issue_226(void **state) {
  (void)state;
  struct pto_program *p = example("issue226");
  explore(p, pto_policy_find("a2a3-head"), 300);
  assert_int_equal(result.broken, 0);
  expect(p, PTO_FIND_OVERWRITE, "the ring of the other direction starts at the same address", NULL);
}

static void issue_521(void **state) {
  (void)state;
  struct pto_program *p = example("issue521");
  explore(p, -1, 1);
  assert_int_equal(result.finding.kind, PTO_FIND_LANDING);
  util_assert_words(result.text,
                    "AIC MTE1 (line 19) uses tile 0 of pipe %pipe, but line 17 has written to the same local bytes");
  static const int policies[2] = {-1, PTO_POLICY_EXACT};
  for (unsigned k = 0; k < 2; k++) { /* and the product is wrong or right accordingly */
    struct pto_machine *m = pto_machine_new(p, true);
    pto_machine_set_policy(m, policies[k]);
    assert_int_equal(pto_machine_run(m, 10000000), PTO_RAN);
    unsigned wrong = 0;
    for (unsigned r = 0; r < 64; r++)
      for (unsigned c = 0; c < 32; c++) wrong += dot(m, "A", "B", r, c, 64, 32) != util_get(m, "C", r * 32 + c);
    if (k) assert_int_equal(wrong, 0);
    else assert_true(wrong > 100);
    pto_machine_free(m);
  }
  pto_program_free(p);
}

static void issue_301(void **state) {
  (void)state;
  struct pto_program *p = example("issue301");
  explore(p, PTO_POLICY_EXACT, 300);
  assert_int_equal(result.broken, 0);
  expect(p, PTO_FIND_DEADLOCK, "a free slot in the pool that both directions of pipe %pipe share",
         "deadlock: AIC S -> AIV0 S -> AIC S");
}

static void patterns_one_and_two(void **state) {
  (void)state;
  struct pto_program *one = example("pattern1"), *same = example("pattern1_ssa"), *two = example("pattern2");
  assert_true(pto_same_program(one, same)); /* both levels, one program */
  same->functions[0].instrs[3].cost = 7;
  assert_false(pto_same_program(one, same));
  struct pto_machine *m = pto_machine_new(one, true);
  enum pto_end_kind end = pto_machine_run(m, 10000000);
  util_expect_clean(m, end);
  for (unsigned r = 0; r < 64; r++)
    for (unsigned c = 0; c < 64; c++) {
      double v = dot(m, "A", "B", r, c, 32, 64);
      assert_true(fabs((v > 0 ? v : 0) - util_get(m, "C", r * 64 + c)) < 1e-3);
    }
  pto_machine_free(m);
  m = pto_machine_new(two, true);
  end = pto_machine_run(m, 10000000);
  util_expect_clean(m, end);
  for (unsigned i = 0; i < 2; i++)
    for (unsigned r = 0; r < 64; r++)
      for (unsigned c = 0; c < 64; c++) {
        double v = 0;
        for (unsigned k = 0; k < 256; k++)
          v += util_get(m, "X", (i * 256 + 96 + r) * 256 + k) * util_get(m, "X", (i * 256 + k) * 256 + c);
        if (v != util_get(m, "Y", (i * 64 + r) * 64 + c))
          fail_msg("Y[%u][%u] %g, not %g", i * 64 + r, c, util_get(m, "Y", (i * 64 + r) * 64 + c), v);
      }
  pto_machine_free(m);
  pto_program_free(one);
  pto_program_free(same);
  pto_program_free(two);
}

/* stages.pto with slots of 16 bytes: the store beyond the slot is detected when its item is already queued and the
 * pipe is awake in that cycle. No byte may be copied. */
static void nothing_moves_behind_a_fault(void **state) {
  (void)state;
  static const char *const pipe = "!pto.tpipe<0, C2V, 1024, ";
  char *text = util_read("examples/pto/stages.pto");
  unsigned changed = 0;
  for (char *at = text; (at = strstr(at, pipe)); at++, changed++) memcpy(strstr(at, "1024"), "  16", 4);
  assert_int_equal(changed, 2);
  struct pto_program *p = util_parse(text);
  struct pto_machine *m = pto_machine_new(p, true);
  memset(m->gm + p->gm_bytes, 0x5a, 64); /* allocations after the memory stay unchanged, also without a sanitizer */
  assert_int_equal(pto_machine_run(m, 1000000), PTO_FAULTED);
  assert_int_equal(m->fault.kind, SIM_FAULT_ADDRESS);
  util_assert_words(m->fault.why, "line 9, AIC: the destination reaches byte 0x400 of gm");
  for (unsigned i = 0; i < 64; i++) assert_int_equal(m->gm[p->gm_bytes + i], 0x5a);
  pto_machine_free(m);
  pto_program_free(p);
}

/* Both Vectors fault in one cycle: the report has the first one and its cycle. */
static void the_first_fault_stays(void **state) {
  (void)state;
  struct pto_program *p =
      util_program("module {\n  pto.global @A : tensor<4x4xf32>\nfunc.func @v() attributes {pto.core = \"aiv\"} {\n"
                   "  %%i = arith.constant 900 : index\n  %%v = pto.partition_view @A, offsets = [%%i, 0], sizes = [4, 4]\n"
                   "  %%a = pto.tload %%v : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 4, 4>\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  assert_int_equal(pto_machine_run(m, 1000), PTO_FAULTED);
  util_assert_words(m->fault.why, "line 6, AIV0: ");
  pto_machine_free(m);
  pto_program_free(p);
}

/* The Cube's push through %q is after one that waits: it is queued, not done, and no lane is to blame. */
static void pushes_only_queued(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module attributes {pto.target_arch = \"a5\"} {\n"
      "  func.func @cube() attributes {pto.core = \"aic\"} {\n"
      "    %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 1, 2>\n    %%q = pto.tpipe : !pto.tpipe<4, C2V, 1024, 1, 2>\n"
      "    %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "    pto.tpush %%acc, %%p {split = \"UP_DOWN\"} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
      "    pto.tpush %%acc, %%p {split = \"UP_DOWN\"} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
      "    pto.tpush %%acc, %%q {split = \"UP_DOWN\"} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n"
      "  func.func @vec() attributes {pto.core = \"aiv\"} {\n"
      "    %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 1, 2>\n    %%q = pto.tpipe : !pto.tpipe<4, C2V, 1024, 1, 2>\n"
      "    %%x = pto.tpop %%q {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 8, 16>\n"
      "    pto.tfree %%q {split = \"UP_DOWN\"} : !pto.tpipe<...>\n"
      "    scf.for %%i = 0 to 2 step 1 {\n"
      "      %%y = pto.tpop %%p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 8, 16>\n"
      "      pto.tfree %%p {split = \"UP_DOWN\"} : !pto.tpipe<...>\n    }\n  }\n}\n");
  struct pto_machine *m = pto_machine_new(p, false);
  char words[8192];
  assert_int_equal(pto_machine_run(m, 1000000), PTO_DEADLOCKED);
  pto_explain_deadlock(m, words, sizeof words);
  util_assert_words(words, "flag 4 of AIV0 should be set by AIC: it has done 0 pushes; 1 more is in its queue");
  assert_null(strstr(words, "another lane"));
  char cut[32]; /* a short buffer is respected, and the full length returned */
  memset(cut, 'z', sizeof cut);
  assert_int_equal(pto_explain_deadlock(m, cut, 16), strlen(words));
  assert_int_equal(strlen(cut), 15);
  assert_int_equal(cut[16], 'z');
  assert_memory_equal(cut, words, 15);
  assert_int_equal(pto_explain_deadlock(m, NULL, 0), strlen(words));
  pto_machine_free(m);
  pto_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_good_one_is_good),
      cmocka_unit_test(allocate_off),
      cmocka_unit_test(record_off),
      cmocka_unit_test(wait_off),
      cmocka_unit_test(free_off),
      cmocka_unit_test(missing_tfree),
      cmocka_unit_test(tfree_before_last_use),
      cmocka_unit_test(double_tfree),
      cmocka_unit_test(counts_differ),
      cmocka_unit_test(not_built),
      cmocka_unit_test(consumer_stops_early),
      cmocka_unit_test(explore_tells_faults),
      cmocka_unit_test(flag_collision),
      cmocka_unit_test(counter_overflow),
      cmocka_unit_test(slot_too_small),
      cmocka_unit_test(circular_wait),
      cmocka_unit_test(waits_that_are_no_cycle),
      cmocka_unit_test(a_lane_that_skips),
      cmocka_unit_test(split_disagreement),
      cmocka_unit_test(leak),
      cmocka_unit_test(three_pipe_loop),
      cmocka_unit_test(manual_sync),
      cmocka_unit_test(pattern_three),
      cmocka_unit_test(issue_188),
      cmocka_unit_test(issue_248),
      cmocka_unit_test(issue_226),
      cmocka_unit_test(issue_521),
      cmocka_unit_test(issue_301),
      cmocka_unit_test(patterns_one_and_two),
      cmocka_unit_test(nothing_moves_behind_a_fault),
      cmocka_unit_test(the_first_fault_stays),
      cmocka_unit_test(pushes_only_queued),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
