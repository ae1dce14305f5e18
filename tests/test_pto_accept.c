/* The public acceptance programs with real data, exact or within the tolerance stated for them. */
#include "pto/accept.h"

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
  for (unsigned i = 0; i < accept_count; i++) check_case(&accept_cases[i]);
  print_message("%u programs\n", accept_count);
  assert_true(accept_count >= 70);
}

/* 40 tiles, 80 dispatches (#248): the drain is 2 under the A2/A3 HEAD policy and nothing is left over. */
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_cases), cmocka_unit_test(forty_tiles_eighty_dispatches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
