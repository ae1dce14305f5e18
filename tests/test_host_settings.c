/* Environment variables of the library for host programs: defaults, every legal value, and rejected values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "host/settings.h"
#include "observe/trace/tracer.h"
#include "tessera/host.h"

static const char *variable, *value;

static char *get(const char *name) {
  static char text[64];
  if (!variable || strcmp(name, variable) != 0) return NULL;
  strncpy(text, value, sizeof text - 1);
  return text;
}

static struct host_options options;
static char error[128];

static bool read_one(const char *name, const char *text) {
  variable = name, value = text;
  error[0] = 0;
  return host_options_read(&options, get, error, sizeof error);
}

static void standard_values(void **state) {
  (void)state;
  assert_true(read_one(NULL, NULL));
  assert_true(options.timing);
  assert_int_equal(options.cycles_per_clock, 1);
  assert_int_equal(options.poll_cycles, 10000);
  assert_false(options.exit_on_error);
  assert_null(options.report);
  assert_true(read_one("TESSERA_TIMING", "")); /* empty is as unset */
  assert_true(options.timing);
}

static void values(void **state) {
  (void)state;
  assert_true(read_one("TESSERA_TIMING", "off"));
  assert_false(options.timing);
  assert_true(read_one("TESSERA_THREADS", "7"));
  assert_int_equal(options.threads, 7);
  assert_true(read_one("TESSERA_POLL_CYCLES", "0"));
  assert_int_equal(options.poll_cycles, 0);
  assert_true(read_one("TESSERA_ON_ERROR", "exit"));
  assert_true(options.exit_on_error);
  assert_true(read_one("TESSERA_CHECK", "a,cf"));
  assert_int_equal(options.check, 1 | 4 | 32);
  assert_true(read_one("TESSERA_CHECK", "all"));
  assert_int_equal(options.check, 63);
  assert_true(read_one("TESSERA_CHECK", "none"));
  assert_int_equal(options.check, 0);
  assert_true(read_one("TESSERA_TRACE_FORMAT", "vcd"));
  assert_int_equal(options.trace_format, OBS_TRACE_VCD);
  assert_true(read_one("TESSERA_LOG", "info"));
  assert_int_equal(options.log, HOST_LOG_INFO);
}

static void refusals(void **state) {
  (void)state;
  assert_false(read_one("TESSERA_TIMING", "on"));
  assert_string_equal(error, "TESSERA_TIMING=on: must be one of off, cycle");
  assert_false(read_one("TESSERA_CLOCK_CYCLES", "0"));
  assert_string_equal(error, "TESSERA_CLOCK_CYCLES=0: must be a number from 1 to 1000000");
  static const char *const bad[] = {"-1", "1x", "99999999999999999999999", " ", "0x10"};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(read_one("TESSERA_THREADS", bad[i]));
  assert_false(read_one("TESSERA_LOG", "erro"));
  assert_false(read_one("TESSERA_CHECK", "abg"));
  assert_string_equal(error, "TESSERA_CHECK=abg: must be letters of a to f with commas, all or none");
}

/* Every listed variable is read: an invalid value is rejected, or the variable takes any text. */
static void the_list_is_what_is_read(void **state) {
  (void)state;
#define VARIABLE(name, values, standard, text) name,
  static const char *const listed[] = {TESSERA_HOST_VARIABLES(VARIABLE)};
#undef VARIABLE
  for (unsigned n = 0; n < sizeof listed / sizeof *listed; n++) {
    static const char *const texts[] = {"TESSERA_PRODUCT",   "TESSERA_REPORT",      "TESSERA_KERNEL_CACHE",
                                        "TESSERA_TRACE",     "TESSERA_TRACE_TILES", "TESSERA_GDB",
                                        "TESSERA_GDB_TILES", "TESSERA_SYSTEM",      "TESSERA_LINKS"};
    bool text = false;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) text |= !strcmp(listed[n], texts[i]);
    assert_int_equal(read_one(listed[n], "?!"), text);
  }
}

static const char *unknown(const char *first, const char *second) {
#define VARIABLE(name, values, standard, text) name,
  static const char *const known[] = {TESSERA_HOST_VARIABLES(VARIABLE) NULL};
#undef VARIABLE
  char *environment[] = {"HOME=/", (char *)first, (char *)second, NULL};
  return host_options_unknown(environment, known, error, sizeof error) ? error : NULL;
}

static void an_unknown_name_is_told(void **state) {
  (void)state;
  assert_string_equal(unknown("TESSERA_TIMNG=off", NULL), "TESSERA_TIMNG: there is no such variable; is it TESSERA_TIMING?");
  assert_string_equal(unknown("TESSERA_LOG=info", "TESSERA_REPORTS=x"),
                      "TESSERA_REPORTS: there is no such variable; is it TESSERA_REPORT?");
  assert_string_equal(unknown("TESSERA_ONERROR", NULL),
                      "TESSERA_ONERROR: there is no such variable; is it TESSERA_ON_ERROR?");
  /* Names of other programs, of the tests, and all listed names */
  assert_null(unknown("TESSERA_LIB=x", "TESSERA_SFPI=/opt"));
  assert_null(unknown("TESSERA_TEST_SCALE=1", "TESSERA_CACHE=x"));
  assert_null(unknown("TESSERA_=1", "TESSERA_FORWARD_MARKS=x"));
  assert_string_equal(unknown("TESSERA_TEST_SCALE=1", "TESSERA_VERBOSE=1"),
                      "TESSERA_VERBOSE: there is no such variable; tessera sim --help lists them");
  assert_string_equal(
      unknown("TESSERA_A_NAME_OF_MORE_THAN_THIRTY_TWO_LETTERS=1", NULL),
      "TESSERA_A_NAME_OF_MORE_THAN_THIRTY_TWO_LETTERS: there is no such variable; tessera sim --help lists them");
#define VARIABLE(name, values, standard, text) assert_null(unknown(name "=1", NULL));
  TESSERA_HOST_VARIABLES(VARIABLE)
#undef VARIABLE
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(standard_values),
      cmocka_unit_test(values),
      cmocka_unit_test(refusals),
      cmocka_unit_test(the_list_is_what_is_read),
      cmocka_unit_test(an_unknown_name_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
