/* Errors found before the first instruction: pipes whose slots overlap, and ends of a pipe that disagree. */
#include "pto/program/check.h"
#include "pto/util.h"

static struct pto_notes notes;
static char words[1024];

/* Two pipes from the Cube, 1 and 2 in their tiles; the Vector pops the second before the first. */
static struct pto_program *two_down(const char *arch, const char *first, const char *second, unsigned slots) {
  bool a5 = strcmp(arch, "a5") == 0;
  return util_program(
      "module attributes {pto.target_arch = \"%s\"} {\n  pto.global @G : tensor<64x64xf32>\n"
      "  pto.global @P : tensor<16x16xf32>\n  pto.global @Q : tensor<16x16xf32>\n"
      "func.func @c(%%G: !pto.ptr<f32>) attributes {pto.core = \"aic\"} {\n"
      "  %%p = pto.tpipe (%s) {nosplit} : !pto.tpipe<0, C2V, 1024, %u, 2>\n"
      "  %%q = pto.tpipe (%s) {nosplit} : !pto.tpipe<2, C2V, 1024, %u, 2>\n"
      "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n  %%u = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "  pto.texpands ins() outs(%%t : !pto.tile_buf<f32, 16, 16>) {value = 1.0}\n"
      "  pto.texpands ins() outs(%%u : !pto.tile_buf<f32, 16, 16>) {value = 2.0}\n"
      "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n  pto.tpush %%u, %%q : (!pto.tile<f32, 16, 16>)\n}\n"
      "func.func @v(%%G: !pto.ptr<f32>) attributes {pto.core = \"%s\"} {\n"
      "  %%p = pto.tpipe (%s) {nosplit} : !pto.tpipe<0, C2V, 1024, %u, 2>\n"
      "  %%q = pto.tpipe (%s) {nosplit} : !pto.tpipe<2, C2V, 1024, %u, 2>\n"
      "  %%y = pto.tpop %%q : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
      "  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
      "  pto.tstore ins(%%x : !pto.tile_buf<f32, 16, 16>) outs(@P : !pto.ptr<f32>)\n"
      "  pto.tstore ins(%%y : !pto.tile_buf<f32, 16, 16>) outs(@Q : !pto.ptr<f32>)\n"
      "  pto.tfree %%q : !pto.tpipe<...>\n  pto.tfree %%p : !pto.tpipe<...>\n}\n}\n",
      arch, first, slots, second, slots, a5 ? "aiv0" : "aiv", first, slots, second, slots);
}

/* Both use the same bytes: check reports it, a run reports it before the first cycle, and a tile is lost. */
static void expect_meeting(struct pto_program *p, const char *where, const char *bytes) {
  pto_check(p, -1, &notes);
  assert_int_equal(notes.errors, 1);
  assert_int_equal(notes.notes[0].rule, PTO_RULE_BUFFER);
  util_assert_words(notes.notes[0].text, bytes);
  struct pto_machine *m = pto_machine_new(p, true);
  assert_int_equal(pto_machine_run(m, 100000), PTO_RAN);
  assert_int_equal(m->finding_total[PTO_FIND_RING_RING], 1);
  assert_int_equal(m->findings[0].kind, PTO_FIND_RING_RING);
  pto_explain_finding(m, &m->findings[0], words, sizeof words);
  util_assert_words(words, "ring-over-ring at cycle 0: pipes %p (line 6) and %q (line 7) both have slots in");
  util_assert_words(words, where);
  util_assert_words(words, bytes);
  assert_true(util_get(m, "P", 0) != 1.0 || util_get(m, "Q", 0) != 2.0);
  pto_machine_free(m);
  m = pto_machine_new(p, false);
  m->strict = 1;
  assert_int_equal(pto_machine_run(m, 100000), PTO_HAZARD_STOP);
  assert_true(m->engine.now == 0);
  pto_machine_free(m);
  pto_program_free(p);
}

static void expect_quiet(struct pto_program *p) {
  pto_check(p, -1, &notes);
  for (uint32_t i = 0; i < notes.count; i++)
    if (notes.notes[i].severity == SIM_ERROR) fail_msg("%s", notes.notes[i].text);
  struct pto_machine *m = pto_machine_new(p, true);
  enum pto_end_kind end = pto_machine_run(m, 100000);
  util_expect_clean(m, end);
  assert_true(util_get(m, "P", 0) == 1.0 && util_get(m, "Q", 0) == 2.0);
  pto_machine_free(m);
  pto_program_free(p);
}

static void rings_in_ub(void **state) {
  (void)state;
  expect_meeting(two_down("a5", "c2v_consumer_buf = 0x2000", "c2v_consumer_buf = 0x2000", 4), "vec of AIV0",
                 "from 0x2000 to 0x3000");
  expect_meeting(two_down("a5", "c2v_consumer_buf = 0x2000", "c2v_consumer_buf = 0x1e00", 4), "vec of AIV0",
                 "from 0x2000 to 0x2e00");                                                   /* half a slot apart */
  expect_quiet(two_down("a5", "c2v_consumer_buf = 0x2000", "c2v_consumer_buf = 0x3000", 4)); /* end to end */
  expect_quiet(two_down("a5", "c2v_consumer_buf = 0x2000", "v2c_consumer_buf = 0x2000", 4)); /* L1 is not UB */
}

static void landing_slots(void **state) {
  (void)state; /* two landing slots each, whatever the depth of the ring */
  expect_meeting(two_down("a2a3", "c2v_consumer_buf = 0x400", "c2v_consumer_buf = 0x600", 4), "vec of AIV0",
                 "from 0x600 to 0xc00");
  expect_quiet(two_down("a2a3", "c2v_consumer_buf = 0x400", "c2v_consumer_buf = 0xc00", 4));
}

static void rings_in_gm(void **state) {
  (void)state;
  expect_meeting(two_down("a2a3", "gm_slot_buffer = 0x10000", "gm_slot_buffer = 0x10000", 2), "slots in gm from",
                 "from 0x10000 to 0x10800");
  expect_meeting(two_down("a2a3", "gm_slot_buffer = %G", "gm_slot_buffer = %G", 2), "slots in gm from", "from 0x0 to 0x800");
  expect_quiet(two_down("a2a3", "gm_slot_buffer = 0x10000", "gm_slot_buffer = 0x10800", 2));
  expect_quiet(two_down("a2a3", "gm_slot_buffer = %G", "", 2));
  expect_quiet(two_down("a5", "gm_slot_buffer = 0x10000", "gm_slot_buffer = 0x10000", 2)); /* no part of them is in GM */
}

/* Two pipes with one end each, on different cores: neither waits for the other. */
static void ends_without_a_core_in_common(void **state) {
  (void)state;
  for (unsigned apart = 0; apart < 2; apart++)
    for (unsigned gone = 0; gone < 2; gone++) {
      struct pto_program *p =
          util_program("module {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
                       "  %%p = pto.tpipe (gm_slot_buffer = 0x10000) : !pto.tpipe<0, C2V, 1024, 2, 2>\n%s}\n"
                       "func.func @v() attributes {pto.core = \"aiv\"} {\n"
                       "  %%q = pto.tpipe (gm_slot_buffer = %s) : !pto.tpipe<2, V2C, 1024, 2, 2>\n}\n}\n",
                       gone ? "  pto.destroy_pipe %p : !pto.tpipe<...>\n" : "", apart ? "0x10800" : "0x10400");
      struct pto_machine *m = pto_machine_new(p, false);
      assert_int_equal(pto_machine_run(m, 1000), PTO_RAN);
      assert_int_equal(m->finding_total[PTO_FIND_RING_RING], !apart);
      pto_explain_finding(m, &m->findings[0], words, sizeof words);
      if (!apart) util_assert_words(words, "both have slots in gm from 0x10400 to 0x10800");
      pto_machine_free(m);
      pto_program_free(p);
    }
}

/* V2C: the Cube's L1. */
static void rings_in_l1(void **state) {
  (void)state;
  for (unsigned apart = 0; apart < 2; apart++) {
    const char *q = apart ? "0x800" : "0x400";
    struct pto_program *p =
        util_program("module attributes {pto.target_arch = \"a5\"} {\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n"
                     "  %%p = pto.tpipe (v2c_consumer_buf = 0) {nosplit} : !pto.tpipe<0, V2C, 1024, 2, 2>\n"
                     "  %%q = pto.tpipe (v2c_consumer_buf = %s) {nosplit} : !pto.tpipe<2, BOTH, 1024, 2, 2>\n}\n"
                     "func.func @c() attributes {pto.core = \"aic\"} {\n"
                     "  %%p = pto.tpipe (v2c_consumer_buf = 0) {nosplit} : !pto.tpipe<0, V2C, 1024, 2, 2>\n"
                     "  %%q = pto.tpipe (v2c_consumer_buf = %s) {nosplit} : !pto.tpipe<2, BOTH, 1024, 2, 2>\n}\n}\n",
                     q, q);
    struct pto_machine *m = pto_machine_new(p, false);
    assert_int_equal(pto_machine_run(m, 1000), PTO_RAN);
    assert_int_equal(m->finding_total[PTO_FIND_RING_RING], !apart);
    pto_explain_finding(m, &m->findings[0], words, sizeof words);
    if (!apart) util_assert_words(words, "both have slots in mat of AIC from 0x400 to 0x800");
    pto_machine_free(m);
    pto_program_free(p);
  }
}

/* A buffer used by one pipe after the other is no error; `end` destroys the first, `loop` repeats it three times. */
static struct pto_program *in_turns(const char *end, const char *last, bool loop) {
  const char *open = loop ? "  scf.for %i = 0 to 3 step 1 {\n" : "", *close = loop ? "  }\n" : "";
  return util_program(
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
      "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n%s"
      "  %%p = pto.tpipe (c2v_consumer_buf = 0) {nosplit} : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
      "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n%s"
      "  %%q = pto.tpipe (c2v_consumer_buf = 0) {nosplit} : !pto.tpipe<2, C2V, 1024, 2, 2>\n"
      "  pto.tpush %%t, %%q : (!pto.tile<f32, 16, 16>)\n%s%s}\n"
      "func.func @v() attributes {pto.core = \"aiv0\"} {\n%s"
      "  %%p = pto.tpipe (c2v_consumer_buf = 0) {nosplit} : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
      "  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  pto.tfree %%p : !pto.tpipe<...>\n%s"
      "  %%q = pto.tpipe (c2v_consumer_buf = 0) {nosplit} : !pto.tpipe<2, C2V, 1024, 2, 2>\n"
      "  %%y = pto.tpop %%q : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  pto.tfree %%q : "
      "!pto.tpipe<...>\n%s%s}\n}\n",
      open, end, last, close, open, end, last, close);
}

static void one_after_the_other(void **state) {
  (void)state;
  static const char *const first = "  pto.destroy_pipe %p : !pto.tpipe<...>\n",
                           *const second = "  pto.destroy_pipe %q : !pto.tpipe<...>\n";
  struct pto_region common;
  static const struct {
    bool end, last, loop, meet;
  } cases[] = {{false, false, false, true}, {false, true, false, true}, {true, false, false, false},
               {true, true, false, false},  {true, true, true, false},  {true, false, true, true}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct pto_program *p = in_turns(cases[i].end ? first : "", cases[i].last ? second : "", cases[i].loop);
    assert_int_equal(pto_pipes_meet(p, 0, 1, &common), cases[i].meet);
    assert_int_equal(pto_pipes_meet(p, 1, 0, &common), cases[i].meet);
    struct pto_machine *m = pto_machine_new(p, false);
    enum pto_end_kind end = pto_machine_run(m, 100000);
    assert_int_equal(end, PTO_RAN);
    assert_int_equal(m->finding_total[PTO_FIND_RING_RING], cases[i].meet);
    pto_machine_free(m);
    pto_program_free(p);
  }
}

/* Two rings from one base, kept apart by a constant entry offset after the first. */
static void moved_by_its_offset(void **state) {
  (void)state;
  static const char *const offset[] = {"", "  %off = arith.constant 2048 : index\n  pto.set_prod_entry_offset %q, %off\n",
                                       "", "  %off = arith.constant 2048 : index\n  pto.set_cons_entry_offset %q, %off\n"};
  for (unsigned far = 0; far < 2; far++) {
    struct pto_program *p =
        util_program("module {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
                     "  %%p = pto.tpipe (gm_slot_buffer = 0x10000) : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
                     "  %%q = pto.tpipe (gm_slot_buffer = 0x10000) : !pto.tpipe<2, C2V, 1024, 2, 2>\n%s}\n"
                     "func.func @v() attributes {pto.core = \"aiv\"} {\n"
                     "  %%p = pto.tpipe (gm_slot_buffer = 0x10000) : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
                     "  %%q = pto.tpipe (gm_slot_buffer = 0x10000) : !pto.tpipe<2, C2V, 1024, 2, 2>\n%s}\n}\n",
                     offset[far], offset[2 + far]);
    struct pto_region common;
    assert_int_equal(pto_pipes_meet(p, 0, 1, &common), !far);
    pto_program_free(p);
  }
}

/* --- ends --- */

/* `cube` and `vector`: the construction of each end. */
static void expect_ends(const char *arch, const char *cube, const char *vector, const char *said) {
  struct pto_program *p = util_program(
      "module attributes {pto.target_arch = \"%s\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n  %%p = %s\n}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = %s\n}\n}\n",
      arch, cube, vector);
  struct pto_machine *m = pto_machine_new(p, false);
  assert_int_equal(pto_machine_run(m, 1000), PTO_RAN);
  assert_int_equal(m->finding_total[PTO_FIND_ENDS], said ? 2 : 0); /* one for each Vector */
  assert_int_equal(m->finding_count, said ? 2 : 0);
  pto_check(p, -1, &notes);
  assert_int_equal(notes.errors > 0, said != NULL);
  if (said) {
    pto_explain_finding(m, &m->findings[0], words, sizeof words);
    util_assert_words(words, "ends-disagree at cycle 0: pipe %p: ");
    util_assert_words(words, said);
    assert_int_equal(notes.notes[0].rule, PTO_RULE_ENDS);
  }
  pto_machine_free(m);
  pto_program_free(p);
}

#define MPIPE(depth, period, ratio) \
  "pto.tmpipe : !pto.tmpipe<0, GM_FIFO, " depth ", " period ", !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, 16, 16>, " \
  "false, 2, " ratio ">"

static void ends_that_disagree(void **state) {
  (void)state;
  static const char *const plain = "pto.tpipe : !pto.tpipe<0, C2V, 1024, 4, 2>";
  expect_ends("a2a3", plain, plain, NULL);
  expect_ends("a2a3", plain, "pto.tpipe : !pto.tpipe<0, C2V, 1024, 4, 3>", NULL); /* landing slots are the consumer's own */
  expect_ends("a2a3", plain, "pto.tpipe : !pto.tpipe<0, C2V, 1024, 8, 2>",
              "SlotNum is 4 on the Cube (line 3), but 8 on AIV0");
  expect_ends("a2a3", plain, "pto.tpipe : !pto.tpipe<0, C2V, 2048, 4, 2>", "SlotSize is 1024 on the Cube");
  expect_ends("a2a3", plain, "pto.tpipe : !pto.tpipe<0, BOTH, 1024, 4, 2>",
              "direction is C2V on the Cube (line 3), but BOTH");
  expect_ends("a2a3", plain, "pto.tpipe {sync_period = 2} : !pto.tpipe<0, C2V, 1024, 4, 2>", "sync period is 0 on");
  expect_ends("a2a3", MPIPE("4", "1", "V2C1_VECS"), MPIPE("4", "1", "V2C1_VECS"), NULL);
  expect_ends("a2a3", MPIPE("4", "1", "V2C1_VECS"), MPIPE("4", "1", "V1C1_VEC0"), "VCRatio is 0 on the Cube");
  expect_ends("a2a3", "pto.tpipe (gm_slot_buffer = 0x1000) : !pto.tpipe<0, C2V, 1024, 4, 2>",
              "pto.tpipe (gm_slot_buffer = 0x2000) : !pto.tpipe<0, C2V, 1024, 4, 2>",
              "the slots' address is 0x1000 on the Cube (line 3), but 0x2000");
  expect_ends("a5", "pto.tpipe (c2v_consumer_buf = 0x1000) : !pto.tpipe<0, C2V, 1024, 4, 2>",
              "pto.tpipe (c2v_consumer_buf = 0x2000) : !pto.tpipe<0, C2V, 1024, 4, 2>", "the slots' address is 0x1000");
  expect_ends("a5", "pto.tpipe (v2c_consumer_buf = 0x1000) : !pto.tpipe<0, V2C, 1024, 4, 2>",
              "pto.tpipe (v2c_consumer_buf = 0x2000) : !pto.tpipe<0, V2C, 1024, 4, 2>", "the slots' address is 0x1000");
  expect_ends("a5", "pto.tpipe (c2v_consumer_buf = 0x1000) : !pto.tpipe<0, C2V, 1024, 4, 2>", plain,
              NULL); /* it learns it */
  expect_ends("a5", plain, "pto.tpipe (c2v_consumer_buf = 0x1000) : !pto.tpipe<0, C2V, 1024, 4, 2>", NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_in_ub),         cmocka_unit_test(landing_slots),
      cmocka_unit_test(rings_in_gm),         cmocka_unit_test(rings_in_l1),
      cmocka_unit_test(one_after_the_other), cmocka_unit_test(moved_by_its_offset),
      cmocka_unit_test(ends_that_disagree),  cmocka_unit_test(ends_without_a_core_in_common),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
