/* Explore: no finding in the acceptance programs; every seeded bug is found and explained, with a small schedule. */
#include <time.h>

#include "pto/accept.h"

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void acceptance_programs_never_break(void **state) {
  (void)state;
  double start = seconds();
  unsigned schedules = util_scale(1000), runs = 0;
  accept_list();
  for (unsigned i = 0; i < accept_count; i++) {
    struct pto_program *program = accept_program(&accept_cases[i]);
    struct pto_explore_result result;
    double begin = seconds();
    assert_true(
        pto_explore(program, &(struct pto_explore_options){.schedules = schedules, .seed = i, .policy = -1}, &result));
    if (result.broken) fail_msg("%s\n%s%s", accept_cases[i].name, result.schedule_text, result.text);
    if (seconds() - begin > 2) print_message("%s: %.1f s\n", accept_cases[i].name, seconds() - begin);
    runs += result.runs;
    pto_program_free(program);
  }
  print_message("%u schedules in %.1f s\n", runs, seconds() - start);
  assert_int_equal(runs, accept_count * schedules);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(acceptance_programs_never_break)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
