/* The public acceptance programs with real data, exact or within the tolerance stated for them. */
#include "pto/accept.h"
#include "scale.h"

static void check_case(const struct accept *c) {
  struct pto_program *program = accept_program(c);
  program->dispatches = util_scale(program->dispatches);
  struct pto_machine *m = pto_machine_new(program, true);
  assert_non_null(m);
  enum pto_end_kind end = pto_machine_run(m, UINT64_C(1) << 40);
  if (end != PTO_RAN || m->finding_count) print_message("%s\n", c->name);
  util_expect_clean(m, end);
  unsigned different = 0;
  for (unsigned r = 0; r < c->m; r++)
    for (unsigned col = 0; col < c->n; col++) {
      double expected = accept_families[c->kind].expect(c, m, r, col), got = util_get(m, "C", (size_t)r * c->n + col);
      double room = c->tolerance * (1 + fabs(expected));
      if (fabs(expected - got) > room) fail_msg("%s: C[%u][%u] is %g, expected %g", c->name, r, col, got, expected);
      different += got != 0;
    }
  assert_true(different > c->m * c->n / 4); /* not a field of zeros */
  pto_machine_free(m);
  pto_program_free(program);
}

static void all_cases(void **state) {
  (void)state;
  accept_list();
  for (unsigned i = 0; i < accept_count; i++)
    if (test_in_slice(i)) check_case(&accept_cases[i]);
  print_message("%u programs\n", accept_count);
  assert_true(accept_count >= 70);
}

/* 40 tiles, 80 dispatches (#248): the drain is 2 under the A2/A3 HEAD policy and no credit is left. */
static void forty_tiles_eighty_dispatches(void **state) {
  (void)state;
  accept_list();
  for (unsigned i = 0; i < accept_count; i++) {
    if (accept_cases[i].dispatches != 80 || accept_cases[i].a5) continue;
    struct pto_program *program = accept_program(&accept_cases[i]);
    struct pto_machine *m = pto_machine_new(program, false);
    pto_machine_set_policy(m, pto_policy_find("a2a3-head"));
    enum pto_end_kind end = pto_machine_run(m, UINT64_C(1) << 40);
    util_expect_clean(m, end);
    assert_int_equal(m->cores[PTO_AIC].ends[0].waited, 8);
    assert_int_equal(m->cores[PTO_AIV0].ends[0].notified, 10);
    pto_machine_free(m);
    pto_program_free(program);
    return;
  }
  fail();
}

/* --- from the CPU simulator's list --- */

static struct pto_machine *run_text(const char *text) {
  struct pto_program *program = util_parse(text);
  struct pto_machine *m = pto_machine_new(program, true);
  assert_non_null(m);
  enum pto_end_kind end = pto_machine_run(m, UINT64_C(1) << 40);
  util_expect_clean(m, end);
  return m;
}

static void drop(struct pto_machine *m) {
  struct pto_program *program = (struct pto_program *)(uintptr_t)m->program;
  pto_machine_free(m);
  pto_program_free(program);
}

#define IDENTITY \
  "  %i = pto.tload @I : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n" \
  "  %r = pto.tmov %i : (!pto.tile<f32, 1, 1>) -> !pto.tile<right, f32, 16, 16>\n"
#define THROUGH_CUBE(from, to) \
  "    %l" to " = pto.tmov %" from " : (!pto.tile<f32, 1, 1>) -> !pto.tile<left, f32, 16, 16>\n" \
  "    %" to " = pto.tmatmul %l" to ", %r : (!pto.tile<f32, 1, 1>, !pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, 16, 16>\n"

static char text[16384];
static const char *ones(void) {
  static char words[1024];
  size_t used = 0;
  for (unsigned i = 0; i < 256; i++)
    used += (size_t)snprintf(words + used, sizeof words - used, "%s%u", i ? ", " : "", i % 17 == 0);
  return words;
}

/* inactive_lane_is_noop: without split on A5 only lane 0 takes part; lane 1's data stays unchanged. */
static void inactive_lane_is_noop(void **state) {
  (void)state;
  snprintf(text, sizeof text,
           "module attributes {pto.target_arch = \"a5\"} {\n  pto.global @A : tensor<48x16xf32> {init = \"iota\"}\n"
           "  pto.global @C : tensor<96x16xf32>\n  pto.global @I : tensor<16x16xf32> {values = [%s]}\n",
           ones());
  util_append(
      text, sizeof text,
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 1024, 2, "
      "2>\n" IDENTITY "  scf.for %t = 0 to 3 step 1 {\n    %r0 = arith.muli %t, 16 : index\n"
      "    %v = pto.partition_view @A, offsets = [%r0, 0], sizes = [16, 16]\n"
      "    %a = pto.tload %v : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n" THROUGH_CUBE(
          "a", "acc") "    pto.tpush %acc, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
                      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, "
                      "1024, 2, 2>\n"
                      "  %lane = pto.get_subblock_idx : index\n  %d = arith.muli %lane, 48 : index\n  %active = "
                      "arith.cmpi eq, %lane, 0 : index\n"
                      "  %k = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
                      "  scf.for %t = 0 to 3 step 1 {\n    %r0 = arith.muli %t, 16 : index\n    %r1 = arith.addi %r0, %d "
                      ": index\n"
                      "    pto.texpands ins() outs(%k : !pto.tile_buf<f32, 16, 16>) {value = -7.0}\n"
                      "    scf.if %active {\n      %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
                      "      pto.tmov ins(%x : !pto.tile_buf<f32, 16, 16>) outs(%k : !pto.tile_buf<f32, 16, 16>)\n"
                      "      pto.tfree %p : !pto.tpipe<...>\n    }\n"
                      "    %vc = pto.partition_view @C, offsets = [%r1, 0], sizes = [16, 16]\n"
                      "    pto.tstore %k, %vc : (!pto.tile<f32, 16, 16>, !pto.ptr<f32>)\n  }\n}\n}\n");
  struct pto_machine *m = run_text(text);
  for (size_t i = 0; i < 768; i++) {
    assert_true(util_get(m, "C", i) == (double)i);
    assert_true(util_get(m, "C", 768 + i) == -7);
  }
  assert_int_equal(m->cores[PTO_AIV1].ends[0].popped, 0);
  drop(m);
}

/* both_direction, slots out of phase: three tiles go up per tile that comes down, so the two directions never use the same slot. */
static void both_ways_out_of_step(void **state) {
  (void)state;
  static const char *const arch[] = {"a2a3", "a5"};
  for (unsigned a5 = 0; a5 < 2; a5++) {
    const char *pipe = "  %p = pto.tpipe {nosplit} : !pto.tpipe<0, BOTH, 1024, 4, 2>\n";
    snprintf(text, sizeof text,
             "module attributes {pto.target_arch = \"%s\"} {\n  pto.global @A : tensor<240x16xf32> {init = \"iota\"}\n"
             "  pto.global @C : tensor<80x16xf32>\n  pto.global @I : tensor<16x16xf32> {values = [%s]}\n"
             "func.func @c() attributes {pto.core = \"aic\"} {\n%s",
             arch[a5], ones(), pipe);
    util_append(
        text, sizeof text,
        IDENTITY
        "  scf.for %t = 0 to 5 step 1 {\n"
        "    %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n" THROUGH_CUBE(
            "x", "acc0") "    pto.tfree %p : !pto.tpipe<...>\n"
                         "    %y = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n"
                         "    %l1 = pto.tmov %y : (!pto.tile<f32, 1, 1>) -> !pto.tile<left, f32, 16, 16>\n"
                         "    pto.tfree %p : !pto.tpipe<...>\n"
                         "    pto.tmatmul.acc ins(%acc0, %l1, %r : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>, "
                         "!pto.tile_buf<f32, 1, 1>) outs(%acc0 : !pto.tile_buf<f32, 1, 1>)\n"
                         "    %z = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n"
                         "    %l2 = pto.tmov %z : (!pto.tile<f32, 1, 1>) -> !pto.tile<left, f32, 16, 16>\n"
                         "    pto.tfree %p : !pto.tpipe<...>\n"
                         "    pto.tmatmul.acc ins(%acc0, %l2, %r : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>, "
                         "!pto.tile_buf<f32, 1, 1>) outs(%acc0 : !pto.tile_buf<f32, 1, 1>)\n"
                         "    pto.tpush %acc0, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
                         "func.func @v() attributes {pto.core = \"");
    util_append(text, sizeof text, a5 ? "aiv0" : "aiv");
    util_append(text, sizeof text, "\"} {\n");
    util_append(text, sizeof text, pipe);
    util_append(
        text, sizeof text,
        "  %lane = pto.get_subblock_idx : index\n  %one = arith.cmpi eq, %lane, 0 : index\n"
        "  scf.for %t = 0 to 5 step 1 {\n    scf.for %n = 0 to 3 step 1 {\n      %t3 = arith.muli %t, 3 : index\n"
        "      %s = arith.addi %t3, %n : index\n      %r0 = arith.muli %s, 16 : index\n"
        "      %v = pto.partition_view @A, offsets = [%r0, 0], sizes = [16, 16]\n"
        "      %a = pto.tload %v : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 16, 16>\n"
        "      pto.tpush %a, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n    }\n"
        "    %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
        "    %y = pto.tadds %x, 1.0 : (!pto.tile<f32, 1, 1>) -> !pto.tile<vec, f32, 16, 16>\n    pto.tfree %p : "
        "!pto.tpipe<...>\n"
        "    %r1 = arith.muli %t, 16 : index\n    %vc = pto.partition_view @C, offsets = [%r1, 0], sizes = [16, 16]\n"
        "    scf.if %one {\n      pto.tstore %y, %vc : (!pto.tile<f32, 16, 16>, !pto.ptr<f32>)\n    }\n  }\n}\n}\n");
    struct pto_machine *m = run_text(text);
    for (size_t i = 0; i < 1280; i++) {
      size_t first = i / 256 * 768 + i % 256;
      assert_true(util_get(m, "C", i) == (double)(3 * first + 256 + 512 + 1));
    }
    assert_int_equal(m->cores[PTO_AIC].ends[0].cons_tile, 15);
    assert_int_equal(m->cores[PTO_AIC].ends[0].prod_tile, 5);
    drop(m);
  }
}

/* gm_slot_uses_valid_shape: rows in the slot have the length of the valid part, not of the tile. */
static void gm_slot_uses_valid_shape(void **state) {
  (void)state;
  struct pto_machine *m = run_text(
      "module {\n  pto.global @A : tensor<16x32xf32> {init = \"iota\"}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %p = pto.tpipe {nosplit} : !pto.tpipe<0, V2C, 2048, 2, 2>\n"
      "  %a = pto.tload @A : (!pto.ptr<f32>) -> !pto.tile<loc=vec, dtype=f32, rows=16, cols=32, v_row=12, v_col=20>\n"
      "  pto.tpush %a, %p : (!pto.tile<f32, 16, 32>, !pto.tpipe<...>)\n}\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %p = pto.tpipe {nosplit} : !pto.tpipe<0, V2C, 2048, 2, 2>\n"
      "  %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<loc=mat, dtype=f32, rows=16, cols=32, v_row=12, v_col=20>\n"
      "  %l = pto.tmov %x : (!pto.tile<f32, 1, 1>) -> !pto.tile<loc=left, dtype=f32, rows=16, cols=32, v_row=12, "
      "v_col=20>\n}\n}\n");
  const uint8_t *slot = m->gm + m->program->pipes[0].gm_addr;
  const uint8_t *left = m->local[PTO_AIC][PTO_LEFT] + m->program->functions[1].tiles[1].at;
  for (unsigned r = 0; r < 12; r++)
    for (unsigned c = 0; c < 20; c++) {
      assert_true(pto_dtype_load(PTO_F32, slot + (size_t)(r * 20 + c) * 4) == r * 32 + c);
      assert_true(pto_dtype_load(PTO_F32, left + (size_t)(r * 32 + c) * 4) == r * 32 + c);
    }
  for (unsigned i = 240; i < 512; i++) assert_true(pto_dtype_load(PTO_F32, slot + (size_t)i * 4) == 0);
  drop(m);
}

/* no_split_dual_lane_fast_lane_wrap_waits: A2/A3 without split, one lane far slower. A slot is free when both lanes have read it. */
static void fast_lane_waits_at_the_wrap(void **state) {
  (void)state;
  snprintf(text, sizeof text,
           "module {\n  pto.global @A : tensor<160x16xf32> {init = \"iota\"}\n  pto.global @C : tensor<320x16xf32>\n"
           "  pto.global @I : tensor<16x16xf32> {values = [%s]}\n",
           ones());
  util_append(text, sizeof text,
              "func.func @c() attributes {pto.core = \"aic\"} {\n  %p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 1024, 2, "
              "2>\n" IDENTITY "  scf.for %t = 0 to 10 step 1 {\n    %r0 = arith.muli %t, 16 : index\n"
              "    %v = pto.partition_view @A, offsets = [%r0, 0], sizes = [16, 16]\n"
              "    %a = pto.tload %v : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n" THROUGH_CUBE(
                  "a", "acc") "    pto.tpush %acc, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
                              "func.func @v() attributes {pto.core = \"aiv\"} {\n  %p = pto.tpipe {nosplit} : "
                              "!pto.tpipe<0, C2V, 1024, 2, 2>\n"
                              "  %lane = pto.get_subblock_idx : index\n  %d = arith.muli %lane, 160 : index\n"
                              "  scf.for %t = 0 to 10 step 1 {\n    %r0 = arith.muli %t, 16 : index\n    %r1 = arith.addi "
                              "%r0, %d : index\n"
                              "    %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
                              "    scf.if %lane {\n      pto.compute {unit = \"V\", cost = 5000}\n      pto.barrier {pipe "
                              "= \"ALL\"}\n    }\n"
                              "    %vc = pto.partition_view @C, offsets = [%r1, 0], sizes = [16, 16]\n"
                              "    pto.tstore %x, %vc : (!pto.tile<f32, 16, 16>, !pto.ptr<f32>)\n  }\n}\n}\n");
  struct pto_machine *m = run_text(text);
  for (size_t i = 0; i < 5120; i++) assert_true(util_get(m, "C", i) == (double)(i % 2560));
  /* the fast lane cannot be ahead by more than the ring: it has waited nearly as long as the slow lane has worked */
  assert_true(m->engine.now > 10 * 5000);
  assert_true(m->stats.stalled[pto_agent(PTO_AIV0, PTO_S)][PTO_WAIT_FLAG] > 6 * 5000);
  assert_true(m->stats.stalled[pto_agent(PTO_AIC, PTO_S)][PTO_WAIT_FLAG] > 6 * 5000);
  drop(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_cases),
      cmocka_unit_test(forty_tiles_eighty_dispatches),
      cmocka_unit_test(inactive_lane_is_noop),
      cmocka_unit_test(both_ways_out_of_step),
      cmocka_unit_test(gm_slot_uses_valid_shape),
      cmocka_unit_test(fast_lane_waits_at_the_wrap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
