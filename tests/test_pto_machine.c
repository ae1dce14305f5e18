/* The machine layer by layer: formats, transfer times, flags of both profiles, stalls, every direction, TMPipe ratios, events. */
#include <math.h>

#include "pto/util.h"

static sim_time ran(struct pto_program *p) {
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 100000000);
  util_expect_clean(m, end);
  sim_time now = m->engine.now;
  pto_machine_free(m);
  pto_program_free(p);
  return now;
}

static enum pto_end_kind ended(struct pto_program *p) {
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 100000000);
  pto_machine_free(m);
  pto_program_free(p);
  return end;
}

/* --- formats --- */

static void half_precision(void **state) {
  (void)state;
  static const struct {
    double value;
    uint16_t bits;
  } cases[] = {{0, 0},
               {-0.0, 0x8000},
               {1, 0x3c00},
               {-2, 0xc000},
               {65504, 0x7bff},
               {65519.9, 0x7bff},
               {65520, 0x7c00},
               {0x1p-24, 1},
               {0x1p-25, 0},
               {0x1.8p-25, 1},
               {0x1.8p-24, 2},
               {0x1p-14, 0x0400},
               {0x1.ff8p-15, 0x03ff},
               {0x1.ffcp-15, 0x0400},
               {1 + 0x1p-11, 0x3c00},
               {1 + 0x1.8p-10, 0x3c02},
               {0.333251953125, 0x3555},
               {INFINITY, 0x7c00}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t bytes[2];
    pto_dtype_store(PTO_F16, bytes, cases[i].value);
    assert_int_equal(bytes[0] | bytes[1] << 8, cases[i].bits);
  }
  for (unsigned bits = 0; bits < 0x7c00; bits++) { /* every finite half survives the round trip */
    uint8_t in[2] = {(uint8_t)bits, (uint8_t)(bits >> 8)}, out[2];
    pto_dtype_store(PTO_F16, out, pto_dtype_load(PTO_F16, in));
    assert_memory_equal(in, out, 2);
    pto_dtype_store(PTO_BF16, out, pto_dtype_load(PTO_BF16, in));
    assert_memory_equal(in, out, 2);
  }
}

static void brain_float_and_integers(void **state) {
  (void)state;
  static const struct {
    double value;
    uint16_t bits;
  } cases[] = {{1, 0x3f80}, {-1.5, 0xbfc0}, {1 + 0x1p-8, 0x3f80}, {1 + 0x1.8p-7, 0x3f82}, {3.4e38, 0x7f80}};
  uint8_t bytes[4];
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    pto_dtype_store(PTO_BF16, bytes, cases[i].value);
    assert_int_equal(bytes[0] | bytes[1] << 8, cases[i].bits);
  }
  static const struct {
    unsigned dtype;
    double in, out;
  } ints[] = {{PTO_I8, 300, 127}, {PTO_I8, -300, -128},    {PTO_I8, 2.5, 2},        {PTO_I8, 3.5, 4},
              {PTO_U8, -1, 0},    {PTO_I16, 40000, 32767}, {PTO_U16, 40000, 40000}, {PTO_I32, 3e9, 2147483647},
              {PTO_U32, 3e9, 3e9}};
  for (unsigned i = 0; i < sizeof ints / sizeof ints[0]; i++) {
    pto_dtype_store(ints[i].dtype, bytes, ints[i].in);
    assert_true(pto_dtype_load(ints[i].dtype, bytes) == ints[i].out);
  }
}

/* --- time: bytes / (GB/s) * 1.85 GHz, A2/A3 bandwidths of the profile --- */

static void transfer_times(void **state) {
  (void)state;
  static const struct {
    unsigned route;
    double gb;
  } rows[] = {{PTO_GM_TO_UB, 100.9}, {PTO_GM_TO_L1, 135},  {PTO_UB_TO_GM, 188.46}, {PTO_L0C_TO_GM, 70},
              {PTO_L0C_TO_L1, 128},  {PTO_L1_TO_L0A, 441}, {PTO_L1_TO_L0B, 220.5}, {PTO_UB_TO_UB, 1024}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (uint64_t bytes = 1; bytes < 1000000; bytes = bytes * 3 + 7)
      assert_int_equal(pto_transfer_cycles(pto_profile_get(PTO_A2A3), rows[i].route, bytes),
                       (uint64_t)ceil((double)bytes / rows[i].gb * 1.85 - 1e-9));
  struct pto_program *p = util_program(
      "module {\n  pto.global @A : tensor<64x64xf32>\nfunc.func @v(%%A: !pto.ptr<f32>) attributes {pto.core = \"aiv0\"} {\n"
      "  %%a = pto.tload %%A : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 64, 64>\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  pto_machine_run(m, 100000);
  assert_int_equal(m->stats.busy[pto_agent(PTO_AIV0, PTO_MTE2)], 301 + 16); /* 16384 bytes, and 16 to start */
  pto_machine_free(m);
  pto_program_free(p);
  sim_time cost = ran(util_program(
      "module {\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n  pto.compute {unit = \"V\", cost = 12345}\n}\n}\n"));
  assert_true(cost > 12345 && cost < 12360);
}

/* --- flags --- */

static struct pto_program *bare(const char *arch, const char *cube, const char *v0, const char *v1) {
  return util_program(
      "module attributes {pto.target_arch = \"%s\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n%s}\n"
      "func.func @v0() attributes {pto.core = \"aiv0\"} {\n%s}\nfunc.func @v1() attributes {pto.core = \"aiv1\"} "
      "{\n%s}\n}\n",
      arch, cube, v0, v1);
}
#define SET(pipe, id) "  pto.sync_set {pipe = \"" pipe "\", id = " #id "}\n"
#define WAIT(pipe, id) "  pto.sync_wait {pipe = \"" pipe "\", id = " #id "}\n"

static void a2a3_broadcasts_and_reduces(void **state) {
  (void)state;
  assert_int_equal(ended(bare("a2a3", SET("FIX", 3), WAIT("MTE2", 3), WAIT("MTE2", 3))), PTO_RAN);
  assert_int_equal(ended(bare("a2a3", WAIT("FIX", 4), SET("MTE3", 4), SET("MTE3", 4))), PTO_RAN);
  assert_int_equal(ended(bare("a2a3", WAIT("FIX", 4), SET("MTE3", 4), "")),
                   PTO_DEADLOCKED); /* one lane alone gives no credit */
  assert_int_equal(ended(bare("a2a3", WAIT("FIX", 4), SET("MTE3", 4) SET("MTE3", 4), "")), PTO_DEADLOCKED);
  assert_int_equal(ended(bare("a2a3", WAIT("FIX", 4), SET("MTE3", 4), SET("MTE3", 5))), PTO_DEADLOCKED);
}

static void a5_is_point_to_point(void **state) {
  (void)state;
  assert_int_equal(ended(bare("a5", SET("FIX", 3), WAIT("V", 3), "")), PTO_RAN);
  assert_int_equal(ended(bare("a5", SET("FIX", 3), "", WAIT("V", 3))), PTO_DEADLOCKED);
  assert_int_equal(ended(bare("a5", SET("FIX", 19), "", WAIT("V", 3))), PTO_RAN); /* +16 is subblock 1 */
  assert_int_equal(ended(bare("a5", WAIT("FIX", 5), SET("V", 5), "")), PTO_RAN);
  assert_int_equal(ended(bare("a5", WAIT("FIX", 5), "", SET("V", 5))), PTO_DEADLOCKED);
  assert_int_equal(ended(bare("a5", WAIT("FIX", 21), "", SET("V", 5))), PTO_RAN);
}

static void a_set_fires_after_earlier_work_of_its_pipe(void **state) {
  (void)state;
  sim_time late = ran(bare("a5", WAIT("FIX", 0), "  pto.compute {unit = \"V\", cost = 5000}\n" SET("V", 0), ""));
  sim_time early = ran(bare("a5", WAIT("FIX", 0), "  pto.compute {unit = \"MTE2\", cost = 5000}\n" SET("V", 0), ""));
  assert_true(late >= 5000);
  assert_true(early >= 5000 && early < 5010); /* another pipe's work does not delay it: the run ends with the work itself */
  struct pto_program *p = bare("a5", WAIT("FIX", 0), "  pto.compute {unit = \"MTE2\", cost = 5000}\n" SET("V", 0), "");
  struct pto_machine *m = pto_machine_new(p, false);
  pto_machine_run(m, 100000);
  assert_true(m->stats.stalled[pto_agent(PTO_AIC, PTO_FIX)][PTO_WAIT_FLAG] < 100);
  pto_machine_free(m);
  pto_program_free(p);
}

/* A2/A3: the wait holds the scalar unit, so work after it starts late. A5: only the named pipe waits. */
static void who_a_wait_stalls(void **state) {
  (void)state;
  static const char cube[] = WAIT("FIX", 0) "  pto.compute {unit = \"M\", cost = 800}\n";
  static const char vector[] = "  pto.compute {unit = \"V\", cost = 1000}\n" SET("V", 0);
  sim_time a3 = ran(bare("a2a3", cube, vector, vector)), a5 = ran(bare("a5", cube, vector, ""));
  assert_true(a3 > 1800 && a3 < 1850);
  assert_true(a5 > 1000 && a5 < 1050);
}

/* Flag ids and the pipes that execute the four steps, by profile and direction (S: the wait holds the whole core). */
static void flags_and_pipes(void **state) {
  (void)state;
  static const struct {
    const char *arch, *dir;
    unsigned direction, ready, free_id;
    unsigned wait_free, set_ready, wait_ready, set_free;
  } rows[] = {
      {"a2a3", "C2V", PTO_DIRECTION_C2V, 4, 5, PTO_S, PTO_FIX, PTO_S, PTO_MTE2},
      {"a2a3", "V2C", PTO_DIRECTION_V2C, 4, 5, PTO_S, PTO_MTE3, PTO_S, PTO_MTE2},
      {"a2a3", "BOTH", PTO_DIRECTION_C2V, 4, 5, PTO_S, PTO_FIX, PTO_S, PTO_MTE2},
      {"a2a3", "BOTH", PTO_DIRECTION_V2C, 6, 7, PTO_S, PTO_MTE3, PTO_S, PTO_MTE2},
      {"a2a3", "V2C_CTRL", PTO_DIRECTION_V2C, 4, 5, PTO_S, PTO_S, PTO_S, PTO_S},
      {"a5", "C2V", PTO_DIRECTION_C2V, 4, 5, PTO_FIX, PTO_FIX, PTO_V, PTO_V},
      {"a5", "C2V_GM", PTO_DIRECTION_C2V, 4, 5, PTO_FIX, PTO_FIX, PTO_MTE2, PTO_MTE2},
      {"a5", "V2C", PTO_DIRECTION_V2C, 4, 5, PTO_MTE3, PTO_MTE3, PTO_MTE1, PTO_MTE1},
      {"a5", "V2C_GM", PTO_DIRECTION_V2C, 4, 5, PTO_MTE3, PTO_MTE3, PTO_MTE2, PTO_MTE2},
      {"a5", "BOTH", PTO_DIRECTION_C2V, 4, 5, PTO_FIX, PTO_FIX, PTO_V, PTO_V},
      {"a5", "BOTH", PTO_DIRECTION_V2C, 6, 7, PTO_MTE3, PTO_MTE3, PTO_MTE1, PTO_MTE1},
      {"a5", "BOTH_GM", PTO_DIRECTION_C2V, 4, 5, PTO_FIX, PTO_FIX, PTO_MTE2, PTO_MTE2},
      {"a5", "BOTH_GM", PTO_DIRECTION_V2C, 6, 7, PTO_MTE3, PTO_MTE3, PTO_MTE2, PTO_MTE2},
      {"a5", "V2C_CTRL", PTO_DIRECTION_V2C, 4, 5, PTO_S, PTO_S, PTO_S, PTO_S},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct pto_program *p = util_program("module attributes {pto.target_arch = \"%s\"} {\n"
                                         "func.func @c() attributes {pto.core = \"aic\"} {\n"
                                         "  %%p = pto.tpipe : !pto.tpipe<4, %s, 1024, 2, 2>\n}\n"
                                         "func.func @v() attributes {pto.core = \"aiv\"} {\n"
                                         "  %%p = pto.tpipe : !pto.tpipe<4, %s, 1024, 2, 2>\n}\n}\n",
                                         rows[i].arch, rows[i].dir, rows[i].dir);
    struct pto_machine *m = pto_machine_new(p, false);
    unsigned producer = rows[i].direction == PTO_DIRECTION_C2V ? PTO_AIC : PTO_AIV1,
             consumer = rows[i].direction == PTO_DIRECTION_C2V ? PTO_AIV1 : PTO_AIC;
    const struct pto_direction_info *in = &m->direction_info[0][rows[i].direction][producer],
                                    *out = &m->direction_info[0][rows[i].direction][consumer];
    if (in->ready != rows[i].ready || in->free_id != rows[i].free_id || out->ready != rows[i].ready ||
        out->free_id != rows[i].free_id || in->wait_free_unit != rows[i].wait_free ||
        in->set_ready_unit != rows[i].set_ready || out->wait_ready_unit != rows[i].wait_ready ||
        out->set_free_unit != rows[i].set_free)
      fail_msg("%s %s, direction %u: another flag or pipe than in the table", rows[i].arch, rows[i].dir, rows[i].direction);
    pto_machine_free(m);
    pto_program_free(p);
  }
}

/* V2C split in two: the Cube sees the tile when both lanes have filled their halves. */
static void a_split_tile_waits_for_both_lanes(void **state) {
  (void)state;
  static const char *const arch[] = {"a2a3", "a5"};
  for (unsigned k = 0; k < 4; k++) {
    struct pto_program *p =
        util_program("module attributes {pto.target_arch = \"%s\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
                     "  %%p = pto.tpipe : !pto.tpipe<0, V2C, 1024, 2, 2>\n"
                     "  %%x = pto.tpop %%p {split = 1} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n"
                     "  pto.tfree %%p {split = 1} : !pto.tpipe<...>\n}\n"
                     "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, V2C, 1024, 2, 2>\n"
                     "  %%t = pto.alloc_tile : !pto.tile_buf<vec, f32, 8, 16>\n"
                     "  pto.tpush %%t, %%p {split = 1} : (!pto.tile<f32, 8, 16>)\n}\n}\n",
                     arch[k / 2]);
    struct pto_machine *m = pto_machine_new(p, false);
    m->schedule.count = 1; /* one of the lanes is late */
    m->schedule.delays[0] =
        (struct pto_delay){.agent = (uint16_t)pto_agent(PTO_AIV0 + k % 2, PTO_MTE3), .item = 0, .cycles = 5000};
    enum pto_end_kind end = pto_machine_run(m, 100000);
    util_expect_clean(m, end);
    unsigned waiter = k < 2 ? PTO_S : PTO_MTE1;
    assert_in_range(m->stats.stalled[pto_agent(PTO_AIC, waiter)][PTO_WAIT_FLAG], 5000, 5200);
    pto_machine_free(m);
    pto_program_free(p);
  }
}

/* --- every direction, data included --- */

static void direction(const char *arch, const char *dir, bool down, bool up) {
  struct pto_program *p =
      util_program("module attributes {pto.target_arch = \"%s\"} {\n  pto.global @A : tensor<32x32xf32> {init = \"iota\"}\n "
                   " pto.global @C : tensor<32x32xf32>\n  pto.global @D : tensor<32x32xf32>\n"
                   "  pto.global @I : tensor<32x32xf32>\n"
                   "func.func @c(%%A: !pto.ptr<f32>, %%C: !pto.ptr<f32>, %%I: !pto.ptr<f32>) attributes {pto.core = "
                   "\"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, %s, 4096, 3, 2>\n"
                   "  %%i = pto.tload %%I : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 32, 32>\n  %%r = pto.tmov %%i : "
                   "(!pto.tile<f32, 32, 32>) -> !pto.tile<right, f32, 32, 32>\n"
                   "  %%a = pto.tload %%A : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 32, 32>\n  %%l = pto.tmov %%a : "
                   "(!pto.tile<f32, 32, 32>) -> !pto.tile<left, f32, 32, 32>\n"
                   "  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 32, 32>) -> !pto.tile<acc, f32, 32, 32>\n%s%s}\n"
                   "func.func @v(%%A: !pto.ptr<f32>) attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, "
                   "%s, 4096, 3, 2>\n  %%lane = pto.get_subblock_idx : index\n"
                   "  %%row = arith.muli %%lane, 16 : index\n%s%s}\n}\n",
                   arch, dir, down ? "  pto.tpush %acc, %p {split = 1} : (!pto.tile<f32, 32, 32>)\n" : "",
                   up ? "  %x = pto.tpop %p {split = 1} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 32, 32>\n  %xl = "
                        "pto.tmov %x : (!pto.tile<f32, 32, 32>) -> !pto.tile<left, f32, 32, 32>\n"
                        "  %acc2 = pto.tmatmul %xl, %r : (!pto.tile<f32, 32, 32>) -> !pto.tile<acc, f32, 32, 32>\n  "
                        "pto.tstore %acc2, %C : (!pto.tile<f32, 32, 32>)\n"
                      : "",
                   dir,
                   up ? "  %va = pto.partition_view %A, offsets = [%row, 0], sizes = [16, 32]\n  %t = pto.tload %va : "
                        "(!pto.ptr<f32>) -> !pto.tile<vec, f32, 16, 32>\n"
                        "  pto.tpush %t, %p {split = 1} : (!pto.tile<f32, 16, 32>)\n"
                      : "",
                   down ? "  %y = pto.tpop %p {split = 1} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 32>\n  %vd = "
                          "pto.partition_view @D, offsets = [%row, 0], sizes = [16, 32]\n"
                          "  pto.tstore %y, %vd : (!pto.tile<f32, 16, 32>)\n"
                        : "");
  bool local = strcmp(arch, "a5") == 0 && !strstr(dir, "GM");
  struct pto_machine *m = pto_machine_new(p, true);
  for (unsigned i = 0; i < 32; i++) util_put(m, "I", i * 33, 1);
  enum pto_end_kind end = pto_machine_run(m, 1000000);
  if (local) { /* no TFREE in this program: the data is right, the destructor's drain is not fed */
    assert_int_equal(end, PTO_DEADLOCKED);
  } else {
    if (m->finding_count || end != PTO_RAN) print_message("%s %s\n", arch, dir);
    util_expect_clean(m, end);
  }
  for (unsigned i = 0; i < 1024; i++) {
    if (up && util_get(m, "C", i) != i) fail_msg("%s %s: C[%u] is %g", arch, dir, i, util_get(m, "C", i));
    if (down && util_get(m, "D", i) != i) fail_msg("%s %s: D[%u] is %g", arch, dir, i, util_get(m, "D", i));
  }
  pto_machine_free(m);
  pto_program_free(p);
}

static void all_directions(void **state) {
  (void)state;
  direction("a2a3", "C2V", true, false);
  direction("a2a3", "V2C", false, true);
  direction("a2a3", "BOTH", true, true);
  direction("a5", "C2V", true, false);
  direction("a5", "V2C", false, true);
  direction("a5", "BOTH", true, true);
  direction("a5", "C2V_GM", true, false);
  direction("a5", "V2C_GM", false, true);
  direction("a5", "BOTH_GM", true, true);
}

/* A5 HEAD's BOTH_GM waits on its own free flag: it cannot work. */
static void both_gm_upstream_cannot_work(void **state) {
  (void)state;
  struct pto_program *p =
      util_program("module attributes {pto.target_arch = \"a5\", pto.policy = \"a5-head\"} {\n"
                   "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, BOTH_GM, "
                   "1024, 2, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
                   "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n}\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n "
                   " %%p = pto.tpipe {nosplit} : !pto.tpipe<0, BOTH_GM, 1024, 2, 2>\n"
                   "  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n}\n}\n");
  assert_int_equal(ended(p), PTO_DEADLOCKED);
}

/* The control FIFO: a 32-bit word from the Vectors decides what the Cube does. */
static void control_words(void **state) {
  (void)state;
  for (unsigned a5 = 0; a5 < 2; a5++)
    for (unsigned word = 0; word < 3; word++) {
      struct pto_program *p =
          util_program("module attributes {pto.target_arch = \"%s\"} {\n  pto.global @W : tensor<1x8xi32> {init = \"fill\", "
                       "value = %u}\n  pto.global @C : tensor<16x16xf32>\n"
                       "func.func @v() attributes {pto.core = \"%s\"} {\n  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, "
                       "V2C_CTRL, 4, 2, 2>\n  %%w = pto.tload @W : (!pto.ptr<i32>) -> !pto.tile<vec, i32, 1, 8>\n"
                       "  scf.for %%i = 0 to 5 step 1 {\n    pto.tpush %%w, %%p : (!pto.tile<i32, 1, 8>)\n  }\n}\n"
                       "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, "
                       "V2C_CTRL, 4, 2, 2>\n"
                       "  scf.for %%i = 0 to 5 step 1 {\n    %%s = pto.tpop %%p : (!pto.tpipe<...>) -> i32\n    %%go = "
                       "arith.cmpi eq, %%s, 1 : i32\n"
                       "    scf.if %%go {\n      pto.compute {unit = \"M\", cost = 1000}\n    }\n  }\n}\n}\n",
                       a5 ? "a5" : "a2a3", word, a5 ? "aiv0" : "aiv");
      struct pto_machine *m = pto_machine_new(p, true);
      enum pto_end_kind end = pto_machine_run(m, 1000000);
      util_expect_clean(m, end);
      assert_int_equal(m->stats.busy[pto_agent(PTO_AIC, PTO_M)], word == 1 ? 5000 : 0);
      pto_machine_free(m);
      pto_program_free(p);
    }
}

/* The control words are in a separate buffer: a ring at the same address of L1 keeps its tiles. */
static void control_words_are_not_in_l1(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module attributes {pto.target_arch = \"a5\"} {\n  pto.global @W : tensor<1x8xi32> {init = \"fill\", value = 7}\n"
      "  pto.global @I : tensor<16x16xf32> {init = \"fill\", value = 1}\n  pto.global @C : tensor<16x16xf32>\n"
      "func.func @v() attributes {pto.core = \"aiv0\"} {\n"
      "  %%d = pto.tpipe (v2c_consumer_buf = 0) {nosplit} : !pto.tpipe<2, V2C, 1024, 2, 2>\n"
      "  %%p = pto.tpipe (v2c_consumer_buf = 0) {nosplit} : !pto.tpipe<0, V2C_CTRL, 4, 2, 2>\n"
      "  %%w = pto.tload @W : (!pto.ptr<i32>) -> !pto.tile<vec, i32, 1, 8>\n"
      "  %%i = pto.tload @I : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 16, 16>\n"
      "  pto.tpush %%i, %%d : (!pto.tile<f32, 16, 16>)\n  pto.tpush %%w, %%p : (!pto.tile<i32, 1, 8>)\n}\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n"
      "  %%d = pto.tpipe (v2c_consumer_buf = 0) {nosplit} : !pto.tpipe<2, V2C, 1024, 2, 2>\n"
      "  %%p = pto.tpipe (v2c_consumer_buf = 0) {nosplit} : !pto.tpipe<0, V2C_CTRL, 4, 2, 2>\n"
      "  %%s = pto.tpop %%p : (!pto.tpipe<...>) -> i32\n"
      "  %%x = pto.tpop %%d : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n"
      "  %%l = pto.tmov %%x : (!pto.tile<f32, 16, 16>) -> !pto.tile<left, f32, 16, 16>\n"
      "  %%r = pto.tmov %%x : (!pto.tile<f32, 16, 16>) -> !pto.tile<right, f32, 16, 16>\n  pto.tfree %%d : !pto.tpipe<...>\n"
      "  %%a = pto.tmatmul %%l, %%r : (!pto.tile<f32, 16, 16>) -> !pto.tile<acc, f32, 16, 16>\n"
      "  pto.tstore ins(%%a : !pto.tile_buf<f32, 16, 16>) outs(@C : !pto.ptr<f32>)\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 1000000);
  util_expect_clean(m, end);
  for (unsigned i = 0; i < 256; i++) assert_true(util_get(m, "C", i) == 16.0);
  pto_machine_free(m);
  pto_program_free(p);
}

/* set_flag and wait_flag between a pipe and the scalar unit, in both directions. */
static void events_of_the_scalar_unit(void **state) {
  (void)state;
  static const char *const set = "  pto.set_flag {src = \"MTE2\", dst = \"S\", event = 3}\n";
  for (unsigned given = 0; given < 2; given++) {
    struct pto_program *p =
        util_program("module {\nfunc.func @v() attributes {pto.core = \"aiv\", pto.sync = \"manual\"} {\n"
                     "  pto.wait_flag {src = \"S\", dst = \"V\", event = 1}\n  pto.compute {unit = \"V\", cost = 500}\n"
                     "  pto.compute {unit = \"MTE2\", cost = 1000}\n%s"
                     "  pto.wait_flag {src = \"MTE2\", dst = \"S\", event = 3}\n"
                     "  pto.set_flag {src = \"S\", dst = \"V\", event = 1}\n}\n}\n",
                     given ? set : "");
    struct pto_machine *m = pto_machine_new(p, false);
    enum pto_end_kind end = pto_machine_run(m, 100000);
    if (given) {
      util_expect_clean(m, end);
      assert_in_range(m->engine.now, 1500, 1520); /* one after the other: S waits for MTE2, V for S */
      assert_in_range(m->stats.stalled[pto_agent(PTO_AIV0, PTO_S)][PTO_WAIT_LOCAL], 990, 1000);
    } else {
      char text[2048];
      assert_int_equal(end, PTO_DEADLOCKED);
      pto_explain_deadlock(m, text, sizeof text);
      util_assert_words(text, "AIV0 S has been waiting since cycle");
      util_assert_words(text, "for event 3 from MTE2, wait_flag at line 6; no agent can release it");
      util_assert_words(text, "  AIV0 V: waiting since cycle");
      util_assert_words(text, "for event 1 from S, wait_flag at line 3, behind AIV0 S\n");
    }
    pto_machine_free(m);
    pto_program_free(p);
  }
}

/* --- TMPipe --- */

static void one_cube_one_vector(void **state) {
  (void)state;
  static const struct {
    const char *arch, *ratio, *core;
  } rows[] = {{"a2a3", "V2C2_VECS", "aiv0"}, {"a2a3", "V1C1_VEC0", "aiv0"}, {"a2a3", "V1C1_VEC1", "aiv1"},
              {"a5", "V2C2_VECS", "aiv0"},   {"a5", "V1C1_VEC0", "aiv0"},   {"a5", "V1C1_VEC1", "aiv1"}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static const char *const pipe =
        "!pto.tmpipe<4, GM_FIFO, 4, 2, !pto.tile<vec, f32, 16, 16>, !pto.tile<mat, f32, 16, 16>, true, 2, ";
    ran(util_program("module attributes {pto.target_arch = \"%s\"} {\nfunc.func @v() attributes {pto.core = \"%s\"} {\n  "
                     "%%p = pto.tmpipe (gm_slot_buffer = 0x200000) : %s%s>\n"
                     "  %%t = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n  scf.for %%i = 0 to 11 step 1 {\n    "
                     "pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n  }\n}\n"
                     "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tmpipe (gm_slot_buffer = 0x200000) : "
                     "%s%s>\n  scf.for %%i = 0 to 11 step 1 {\n"
                     "    %%x = pto.tpop %%p : (!pto.tmpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n  }\n}\n}\n",
                     rows[i].arch, rows[i].core, pipe, rows[i].ratio, pipe, rows[i].ratio));
  }
}

/* Two parts of one slot in both directions: allocate with the first, record with the last, entry offsets between, explicit tile id. */
static void parts_of_a_slot(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module {\n  pto.global @A : tensor<8x16xf32> {init = \"iota\"}\n  pto.global @C : tensor<8x16xf32>\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, V2C, 512, 2, 2>\n"
      "  %%va = pto.partition_view @A, offsets = [0, 0], sizes = [4, 16]\n  %%vb = pto.partition_view @A, offsets = [4, 0], "
      "sizes = [4, 16]\n"
      "  %%a = pto.tload %%va : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 4, 16>\n  %%b = pto.tload %%vb : (!pto.ptr<f32>) -> "
      "!pto.tile<vec, f32, 4, 16>\n"
      "  pto.set_record_status %%p, false\n  pto.tpush %%a, %%p : (!pto.tile<f32, 4, 16>)\n"
      "  pto.set_prod_tile_id %%p, 0\n  pto.set_prod_entry_offset %%p, 256\n  pto.set_allocate_status %%p, false\n  "
      "pto.set_record_status %%p, true\n"
      "  pto.tpush %%b, %%p : (!pto.tile<f32, 4, 16>)\n}\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, V2C, 512, 2, 2>\n"
      "  pto.set_free_status %%p, false\n  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 4, 16>\n"
      "  %%l = pto.tmov %%x : (!pto.tile<f32, 4, 16>) -> !pto.tile<left, f32, 4, 16>\n"
      "  pto.set_wait_status %%p, false\n  pto.set_free_status %%p, true\n  pto.set_cons_tile_id %%p, 0\n  "
      "pto.set_cons_entry_offset %%p, 256\n"
      "  %%y = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 4, 16>\n  %%l2 = pto.tmov %%y : (!pto.tile<f32, 4, "
      "16>) -> !pto.tile<left, f32, 4, 16>\n"
      "}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 100000);
  util_expect_clean(m, end);
  assert_int_equal(m->cores[PTO_AIV0].ends[0].pushed, 2);
  assert_int_equal(m->cores[PTO_AIV0].ends[0].prod_tile, 1);
  const struct pto_tile *left = p->functions[1].tiles; /* %x, %l, %y, %l2 in order of use */
  for (unsigned i = 0; i < 128; i++) {
    uint8_t *at = m->local[PTO_AIC][PTO_LEFT] + left[i < 64 ? 1 : 3].at + (i % 64) * 4;
    assert_true(pto_dtype_load(PTO_F32, at) == i);
  }
  pto_machine_free(m);
  pto_program_free(p);
}

/* --- the record event --- */

static void a_record_event_can_be_waited_for(void **state) {
  (void)state;
  static const char *const text =
      "module {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n  "
      "%%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "  %%e = pto.tpush %%t, %%p {cost = 3000} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>) -> !pto.record_event\n%s  "
      "pto.compute {unit = \"M\", cost = 3000}\n}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>\n  %%x = "
      "pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n}\n}\n";
  char with[2048], without[2048];
  snprintf(with, sizeof with, text, "  pto.wait_event %e\n");
  snprintf(without, sizeof without, text, "");
  sim_time slow = ran(util_parse(with)), fast = ran(util_parse(without));
  assert_true(slow > 6000 && slow < 6100);
  assert_true(fast < 3200);
}

/* Two pops before the first TFREE see two slots. */
static void delayed_free(void **state) {
  (void)state;
  struct pto_program *p =
      util_program("module attributes {pto.target_arch = \"a5\"} {\n"
                   "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, "
                   "1024, 4, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
                   "  scf.for %%i = 0 to 12 step 1 {\n    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n  }\n}\n"
                   "func.func @v() attributes {pto.core = \"aiv0\"} {\n  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, "
                   "1024, 4, 2>\n  scf.for %%i = 0 to 6 step 1 {\n"
                   "    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n    %%y = pto.tpop %%p : "
                   "(!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
                   "    %%z = pto.tadd %%x, %%y : (!pto.tile<f32, 16, 16>) -> !pto.tile<vec, f32, 16, 16>\n    pto.tfree "
                   "%%p : !pto.tpipe<...>\n    pto.tfree %%p : !pto.tpipe<...>\n  }\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 1000000);
  util_expect_clean(m, end);
  assert_int_not_equal(m->cores[PTO_AIV0].tile_binding[0].addr, m->cores[PTO_AIV0].tile_binding[1].addr);
  pto_machine_free(m);
  pto_program_free(p);
}

static void softmax_of_rows(void **state) {
  (void)state;
  struct pto_program *p =
      util_program("module {\n  pto.global @A : tensor<8x32xf32> {init = \"random\", seed = 5, low = -3.0, high = 3.0}\n  "
                   "pto.global @C : tensor<8x32xf32>\n"
                   "func.func @v(%%A: !pto.ptr<f32>, %%C: !pto.ptr<f32>) attributes {pto.core = \"aiv0\"} {\n  %%a = "
                   "pto.tload %%A : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 8, 32>\n"
                   "  %%m = pto.trowmax %%a : (!pto.tile<f32, 8, 32>) -> !pto.tile<vec, f32, 8, 1>\n  %%s = "
                   "pto.trowexpandsub %%a, %%m : (!pto.tile<f32, 8, 32>) -> !pto.tile<vec, f32, 8, 32>\n"
                   "  %%e = pto.texp %%s : (!pto.tile<f32, 8, 32>) -> !pto.tile<vec, f32, 8, 32>\n  %%t = pto.trowsum %%e : "
                   "(!pto.tile<f32, 8, 32>) -> !pto.tile<vec, f32, 8, 1>\n"
                   "  %%d = pto.trowexpanddiv %%e, %%t : (!pto.tile<f32, 8, 32>) -> !pto.tile<vec, f32, 8, 32>\n  %%c = "
                   "pto.tscale %%d, 2.0 : (!pto.tile<f32, 8, 32>) -> !pto.tile<vec, f32, 8, 32>\n"
                   "  pto.tstore %%c, %%C : (!pto.tile<f32, 8, 32>)\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 1000000);
  util_expect_clean(m, end);
  for (unsigned r = 0; r < 8; r++) {
    double sum = 0, top = -1e30;
    for (unsigned c = 0; c < 32; c++) top = fmax(top, util_get(m, "A", r * 32 + c));
    for (unsigned c = 0; c < 32; c++) sum += exp(util_get(m, "A", r * 32 + c) - top);
    for (unsigned c = 0; c < 32; c++)
      assert_true(fabs(util_get(m, "C", r * 32 + c) - 2 * exp(util_get(m, "A", r * 32 + c) - top) / sum) < 1e-6);
  }
  pto_machine_free(m);
  pto_program_free(p);
}

static void a_fault_is_a_value(void **state) {
  (void)state;
  struct pto_program *p =
      util_program("module {\n  pto.global @A : tensor<16x16xf32>\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n"
                   "  %%i = arith.constant 1000000 : index\n  %%v = pto.partition_view @A, offsets = [%%i, 0], sizes = [16, "
                   "16]\n  %%a = pto.tload %%v : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 16, 16>\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, true);
  assert_int_equal(pto_machine_run(m, 1000000), PTO_FAULTED);
  assert_int_equal(m->fault.kind, SIM_FAULT_ADDRESS);
  util_assert_words(m->fault.why, "line 6, AIV0: loads from row 1000015 of tensor @A");
  pto_machine_free(m);
  pto_program_free(p);
}

static void runs_are_the_same(void **state) {
  (void)state;
  char *text = util_read("examples/pto/pattern2.pto");
  struct pto_program *p = util_parse(text);
  struct pto_machine *a = pto_machine_new(p, true), *b = pto_machine_new(p, true);
  pto_machine_run(a, 1000000);
  pto_machine_run(b, 1000000);
  assert_int_equal(a->engine.now, b->engine.now);
  assert_memory_equal(a->gm, b->gm, p->gm_bytes);
  assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
  sim_time first = a->engine.now;
  pto_machine_reset(a);
  pto_machine_run(a, 1000000);
  assert_int_equal(a->engine.now, first);
  pto_machine_free(a);
  pto_machine_free(b);
  pto_program_free(p);
}

static void a_limit_is_kept(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module {\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n  pto.compute {unit = \"V\", cost = 12345}\n}\n}\n");
  struct pto_machine *m = pto_machine_new(p, false);
  assert_int_equal(pto_machine_run(m, 1000), PTO_TIME_LIMIT);
  assert_int_equal(m->engine.now, 1000);
  pto_machine_free(m);
  pto_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_precision),
      cmocka_unit_test(brain_float_and_integers),
      cmocka_unit_test(transfer_times),
      cmocka_unit_test(a2a3_broadcasts_and_reduces),
      cmocka_unit_test(a5_is_point_to_point),
      cmocka_unit_test(a_set_fires_after_earlier_work_of_its_pipe),
      cmocka_unit_test(who_a_wait_stalls),
      cmocka_unit_test(flags_and_pipes),
      cmocka_unit_test(a_split_tile_waits_for_both_lanes),
      cmocka_unit_test(all_directions),
      cmocka_unit_test(both_gm_upstream_cannot_work),
      cmocka_unit_test(control_words),
      cmocka_unit_test(control_words_are_not_in_l1),
      cmocka_unit_test(events_of_the_scalar_unit),
      cmocka_unit_test(one_cube_one_vector),
      cmocka_unit_test(parts_of_a_slot),
      cmocka_unit_test(a_record_event_can_be_waited_for),
      cmocka_unit_test(delayed_free),
      cmocka_unit_test(softmax_of_rows),
      cmocka_unit_test(a_fault_is_a_value),
      cmocka_unit_test(runs_are_the_same),
      cmocka_unit_test(a_limit_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
