/* Check: each rule by the smallest program that breaks it, and silence on the acceptance programs. */
#include "pto/accept.h"
#include "pto/program/check.h"

static struct pto_notes notes;

static bool said(unsigned severity, unsigned rule, const char *words) {
  for (uint32_t i = 0; i < notes.count; i++)
    if (notes.notes[i].severity == severity && notes.notes[i].rule == rule && strstr(notes.notes[i].text, words))
      return true;
  for (uint32_t i = 0; i < notes.count; i++)
    print_message("  said: %s: %s\n", pto_rule_name(notes.notes[i].rule), notes.notes[i].text);
  return false;
}

/* arch, Cube's pipe, Cube's body, Vector's core, Vector's pipe, Vector's body */
static struct pto_program *two_sides(const char *arch, const char *pipe, const char *cube, const char *core,
                                     const char *vpipe, const char *vector) {
  return util_program(
      "module attributes {pto.target_arch = \"%s\"} {\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {} : !pto.tpipe<%s>\n"
      "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n  %%m = pto.alloc_tile : !pto.tile_buf<mat, "
      "f32, 16, 16>\n%s}\n"
      "func.func @v() attributes {pto.core = \"%s\"} {\n  %%p = pto.tpipe {} : !pto.tpipe<%s>\n%s}\n}\n",
      arch, pipe, cube, core, vpipe ? vpipe : pipe, vector);
}

static void check_program(const char *arch, const char *pipe, const char *cube, const char *core, const char *vpipe,
                          const char *vector) {
  struct pto_program *p = two_sides(arch, pipe, cube, core, vpipe, vector);
  pto_check(p, -1, &notes);
  pto_program_free(p);
}

#define PUSH "  pto.tpush %t, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
#define POP "  %x = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
#define FREE "  pto.tfree %p : !pto.tpipe<...>\n"

static void acceptance_programs_are_clean(void **state) {
  (void)state;
  accept_list();
  for (unsigned i = 0; i < accept_count; i++) {
    struct pto_program *p = accept_program(&accept_cases[i]);
    pto_check(p, -1, &notes);
    for (uint32_t n = 0; n < notes.count; n++)
      if (notes.notes[n].severity != SIM_NOTE && notes.notes[n].rule != PTO_RULE_SPLIT)
        fail_msg("%s: %s: %s", accept_cases[i].name, pto_rule_name(notes.notes[n].rule), notes.notes[n].text);
    assert_int_equal(notes.errors, 0);
    pto_program_free(p);
  }
}

static void a_good_program_has_nothing(void **state) {
  (void)state;
  check_program("a2a3", "0, C2V, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_int_equal(notes.count, 0);
}

static void locations_and_directions(void **state) {
  (void)state;
  check_program("a2a3", "0, C2V, 1024, 4, 2", "  pto.tpush %m, %p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n", "aiv",
                NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_PRODUCER, "%m is in mat"));
  check_program("a2a3", "0, V2C, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_DIRECTION, "tpush on the Cube needs C2V"));
  assert_true(said(SIM_ERROR, PTO_RULE_DIRECTION, "tpop on a Vector needs C2V"));
  check_program("a2a3", "0, C2V_GM, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_PROFILE, "has no direction C2V_GM"));
}

/* A run also rejects code that no header would compile. */
static void refused(void **state) {
  (void)state;
  static const struct {
    const char *arch, *pipe, *cube, *core, *vector, *why;
  } rows[] = {
      {"a2a3", "0, C2V, 1024, 4, 2", "  pto.tpush %m, %p : (!pto.tile<f32, 16, 16>)\n", "aiv", POP, "%m is in mat"},
      {"a5", "0, V2C, 1024, 4, 2, true", PUSH, "aiv0", POP FREE, "tpush on the Cube needs C2V, but pipe %p is V2C"},
      {"a2a3", "0, C2V_GM, 1024, 4, 2", PUSH, "aiv", POP, "a2a3 has no direction C2V_GM"},
      {"a2a3", "40, C2V, 1024, 4, 2", PUSH, "aiv", POP, "needs flags 40 to 41, there are 0 to 15"},
      {"a5", "13, BOTH, 1024, 4, 2, true", PUSH, "aiv0", POP FREE, "needs flags 13 to 16, there are 0 to 15"},
      {"a5", "0, C2V, 1024, 4, 2, true", PUSH, "aiv0",
       "  %g = pto.tpop %p : (!pto.tpipe<...>) -> !pto.tensor_view<16x16xf32>\n",
       "global-tensor form needs a *_GM direction"},
      {"a5", "0, C2V, 1024, 4, 2", "  pto.tpush %t, %p {split = \"UP_DOWN_ODD\"} : (!pto.tile<f32, 16, 16>)\n", "aiv",
       "  %x = pto.tpop %p {split = \"UP_DOWN_ODD\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 8, 16>\n" FREE,
       "a push to UB moves nothing"},
      {"a2a3", "0, V2C, 1024, 4, 2",
       "  %x = pto.tpop %p {split = \"LEFT_RIGHT_ODD\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, 16, 15>\n", "aiv",
       "  %v = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 8>\n"
       "  pto.tpush %v, %p {split = \"LEFT_RIGHT_ODD\"} : (!pto.tile<f32, 16, 8>)\n",
       "only a C2V tile can be cut in unequal parts"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct pto_program *p = two_sides(rows[i].arch, rows[i].pipe, rows[i].cube, rows[i].core, NULL, rows[i].vector);
    pto_check(p, -1, &notes);
    assert_true(notes.errors > 0);
    struct pto_machine *m = pto_machine_new(p, false);
    assert_int_equal(pto_machine_run(m, 100000), PTO_FAULTED);
    assert_int_equal(m->fault.kind, SIM_FAULT_UNSUPPORTED);
    util_assert_words(m->fault.why, rows[i].why);
    assert_true(m->engine.now == 0);
    pto_machine_free(m);
    pto_program_free(p);
  }
}

/* One flag pair for each slot: with that policy, ids beyond 15 are rejected; one pair for the whole pipe would fit. */
static void refused_under_a_policy(void **state) {
  (void)state;
  static const struct {
    const char *module, *cube, *vector;
    int asked;
    bool refused;
  } rows[] = {{"", "", "", 0, false},
              {"", "", "", 1, true},
              {"attributes {pto.policy = \"per-slot\"}", "", "", 0, true},
              {"", "{policy = \"per-slot\"}", "", 0, true},
              {"", "", "{policy = \"per-slot\"}", 0, true}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned id = 8; id <= 12; id += 4) { /* 2 slots each direction: 8 flags, from 8 on they just fit */
      struct pto_program *p = util_program("module %s {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
                                           "  %%p = pto.tpipe %s : !pto.tpipe<%u, BOTH, 1024, 2, 2>\n}\n"
                                           "func.func @v() attributes {pto.core = \"aiv\"} {\n"
                                           "  %%p = pto.tpipe %s : !pto.tpipe<%u, BOTH, 1024, 2, 2>\n}\n}\n",
                                           rows[i].module, rows[i].cube, id, rows[i].vector, id);
      bool refuse = rows[i].refused && id == 12;
      int policy = rows[i].asked ? pto_policy_find("per-slot") : -1;
      struct pto_machine *m = pto_machine_new(p, false);
      pto_machine_set_policy(m, policy);
      assert_int_equal(pto_machine_run(m, 100000), refuse ? PTO_FAULTED : PTO_RAN);
      if (refuse) util_assert_words(m->fault.why, "needs flags 12 to 19, there are 0 to 15");
      pto_check(p, policy, &notes);
      assert_int_equal(notes.errors, refuse);
      pto_machine_free(m);
      pto_program_free(p);
    }
}

static void limits(void **state) {
  (void)state;
  check_program("a2a3", "9, C2V, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_int_equal(notes.count, 1); /* the document's limit only */
  check_program("a2a3", "10, C2V, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_NOTE, PTO_RULE_FLAG_RANGE, "flags 10 to 11; CANN documents 0 to 10"));
  assert_int_equal(notes.errors, 0);
  check_program("a2a3", "8, C2V, 1024, 10, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_NOTE, PTO_RULE_DOCUMENT_DEPTH, "2 to 8"));
  assert_true(said(SIM_NOTE, PTO_RULE_DOCUMENT_FLAG, "0 to 7"));
  assert_int_equal(notes.errors, 0);
  check_program("a5", "0, C2V, 1024, 16, 2, true", PUSH, "aiv0", NULL, POP FREE);
  assert_true(said(SIM_ERROR, PTO_RULE_COUNTER, "16 slots"));
  check_program("a5", "0, C2V, 1024, 15, 2, true", PUSH, "aiv0", NULL, POP FREE);
  assert_int_equal(notes.errors, 0);
  check_program("a2a3", "15, C2V, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_FLAG_RANGE, "15 to 16"));
  check_program("a2a3", "13, BOTH, 1024, 4, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_FLAG_RANGE, "13 to 16"));
}

static void odd_slots(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module attributes {pto.policy = \"a2a3-head\"} {\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 5, 2>\n}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 5, 2>\n}\n}\n");
  pto_check(p, -1, &notes);
  assert_true(said(SIM_ERROR, PTO_RULE_ODD_SLOTS, "push 5 takes slot 0 without waiting"));
  pto_check(p, PTO_POLICY_EXACT, &notes);
  assert_int_equal(notes.errors, 0);
  assert_true(said(SIM_NOTE, PTO_RULE_ODD_SLOTS, "odd SlotNum 5"));
  pto_program_free(p);
}

static void flags_that_overlap(void **state) {
  (void)state;
  struct pto_program *p = util_program("module {\n"
                                       "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, "
                                       "BOTH, 1024, 4, 2>\n  %%q = pto.tpipe : !pto.tpipe<2, C2V, 1024, 4, 2>\n}\n"
                                       "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, "
                                       "BOTH, 1024, 4, 2>\n  %%q = pto.tpipe : !pto.tpipe<2, C2V, 1024, 4, 2>\n}\n}\n");
  pto_check(p, -1, &notes);
  assert_true(said(SIM_ERROR, PTO_RULE_FLAG_OVERLAP, "uses flags 2 to 3, pipe %p (line 3) 0 to 3"));
  pto_program_free(p);
}

static void sizes(void **state) {
  (void)state;
  check_program("a2a3", "0, C2V, 512, 4, 2", PUSH, "aiv", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_SLOT_SIZE, "needs 1024 bytes"));
  check_program("a5", "0, C2V, 65536, 8, 2, true", PUSH, "aiv0", NULL, POP FREE); /* 8 slots of 128 x 128 f32 */
  assert_true(said(SIM_ERROR, PTO_RULE_BUFFER, "do not fit into vec"));
  struct pto_program *p = util_program("module attributes {pto.target_arch = \"a5\"} {\n"
                                       "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {nosplit} "
                                       "(c2v_consumer_buf = 0) : !pto.tpipe<0, C2V, 1024, 4, 2>\n"
                                       "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
                                       "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
                                       "}\n"
                                       "func.func @v() attributes {pto.core = \"aiv0\"} {\n  %%p = pto.tpipe {nosplit} "
                                       "(c2v_consumer_buf = 0) : !pto.tpipe<0, C2V, 1024, 4, 2>\n"
                                       "  %%u = pto.alloc_tile {addr = 2048} : !pto.tile_buf<vec, f32, 16, 16>\n  %%x = "
                                       "pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
                                       "  pto.trelu ins(%%x : !pto.tile_buf<f32, 1, 1>) outs(%%u : !pto.tile_buf<f32, 1, "
                                       "1>)\n  pto.tfree %%p : !pto.tpipe<...>\n}\n}\n");
  pto_check(p, -1, &notes);
  assert_true(said(SIM_ERROR, PTO_RULE_BUFFER, "overlap tile %u"));
  pto_program_free(p);
}

static void splits(void **state) {
  (void)state;
  check_program("a2a3", "0, C2V, 1024, 4, 2", PUSH, "aiv", NULL,
                "  %x = pto.tpop %p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 8, 16>\n");
  assert_true(said(SIM_ERROR, PTO_RULE_SPLIT, "with UP_DOWN"));
  check_program("a5", "0, C2V, 1024, 4, 2, true", PUSH, "aiv", NULL, POP FREE);
  assert_true(said(SIM_ERROR, PTO_RULE_SPLIT, "AIV1 pushes or pops as well"));
  check_program("a2a3", "0, C2V, 1024, 4, 2",
                "  pto.tpush %t, %p {split = \"UP_DOWN\", quant = \"F322F16\"} : (!pto.tile<f32, 16, 16>)\n", "aiv", NULL,
                "  %x = pto.tpop %p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f16, 8, 16>\n");
  assert_true(said(SIM_WARNING, PTO_RULE_SPLIT, "the fixpipe form of tpush has no split, this one has UP_DOWN"));
}

static void frees_and_counts(void **state) {
  (void)state;
  check_program("a5", "0, C2V, 1024, 4, 2, true", PUSH, "aiv0", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_TFREE, "1 pops but 0 TFREE"));
  check_program("a5", "0, C2V, 1024, 4, 2, true", PUSH, "aiv0", NULL, POP FREE FREE);
  assert_true(said(SIM_ERROR, PTO_RULE_TFREE, "2 TFREE for 1 pops"));
  check_program("a5", "0, C2V_GM, 1024, 4, 2, true", PUSH, "aiv0", NULL, POP FREE);
  assert_true(said(SIM_ERROR, PTO_RULE_TFREE, "frees twice"));
  check_program("a2a3", "0, C2V, 1024, 4, 2", PUSH, "aiv", NULL, "  scf.for %i = 0 to 3 step 1 {\n" POP "  }\n");
  assert_true(said(SIM_ERROR, PTO_RULE_COUNT, "the Cube pushes 1 tiles, AIV0 pops 3"));
  check_program("a2a3", "0, C2V, 1024, 4, 2", PUSH, "aiv0", NULL, POP);
  assert_true(said(SIM_ERROR, PTO_RULE_ENDS, "only AIV0 takes part"));
  check_program("a2a3", "0, C2V, 1024, 4, 2", PUSH, "aiv", "0, C2V, 1024, 8, 2", POP);
  assert_true(said(SIM_ERROR, PTO_RULE_ENDS, "4 slots of 1024 bytes"));
}

/* Control flow that depends on the lane: check must compute as the scalar unit does, also with -1. */
static void counts_by_lane(void **state) {
  (void)state;
  check_program("a2a3", "0, C2V, 1024, 4, 2", PUSH, "aiv", NULL,
                "  %l = pto.get_subblock_idx : index\n  %m = arith.constant -1 : index\n"
                "  %n = arith.subi %l, 3 : index\n  %k = arith.divsi %n, %m : index\n" /* 3 or 2 */
                "  %go = arith.cmpi sgt, %k, 1 : index\n  scf.if %go {\n" POP "  }\n");
  assert_int_equal(notes.errors, 0);
}

static void policies(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module {\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 8, 2>\n  %%t = "
      "pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "  scf.for %%i = 0 to 40 step 1 {\n    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 8, 2>\n"
      "  scf.for %%i = 0 to 40 step 1 {\n    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  "
      "}\n}\n}\n");
  pto_check(p, pto_policy_find("fixed-drain"), &notes);
  assert_true(said(SIM_ERROR, PTO_RULE_POLICY, "gives 10 credits in all, pushes take 8 and the destructor 4: it hangs"));
  pto_check(p, pto_policy_find("a5-head"), &notes);
  assert_true(said(SIM_WARNING, PTO_RULE_POLICY, "start-up window twice"));
  assert_true(said(SIM_WARNING, PTO_RULE_POLICY, "leaves 2 credits"));
  pto_check(p, -1, &notes);
  assert_int_equal(notes.errors + notes.warnings, 0);
  pto_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(acceptance_programs_are_clean),
      cmocka_unit_test(a_good_program_has_nothing),
      cmocka_unit_test(locations_and_directions),
      cmocka_unit_test(refused),
      cmocka_unit_test(refused_under_a_policy),
      cmocka_unit_test(limits),
      cmocka_unit_test(odd_slots),
      cmocka_unit_test(flags_that_overlap),
      cmocka_unit_test(sizes),
      cmocka_unit_test(splits),
      cmocka_unit_test(frees_and_counts),
      cmocka_unit_test(counts_by_lane),
      cmocka_unit_test(policies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
