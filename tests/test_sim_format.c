/* sim_format against the C library's snprintf. */
#pragma GCC diagnostic ignored "-Wformat-truncation" /* cut text is what is tested */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/format.h"
#include "sim/text.h"

#define SAME(size, ...) \
  do { \
    char got[300], want[300]; \
    memset(got, '#', sizeof got); \
    memset(want, '#', sizeof want); \
    int n = snprintf((size) ? want : NULL, size, __VA_ARGS__); \
    assert_int_equal(sim_format((size) ? got : NULL, size, __VA_ARGS__), n); \
    assert_memory_equal(got, want, sizeof got); \
  } while (0)

#define NUMBERS(flags, length, type) \
  do { \
    SAME(size, "<%" flags length "d>", (type)value); \
    SAME(size, "%" flags length "i.", (type)value); \
    SAME(size, "[%" flags length "u]", (unsigned type)value); \
    SAME(size, "%" flags length "x|%" flags length "X", (unsigned type)value, (unsigned type)value); \
  } while (0)

#define FLAGS(length, type) \
  do { \
    NUMBERS("", length, type); \
    NUMBERS("0", length, type); \
    NUMBERS("-12", length, type); \
    NUMBERS("08", length, type); \
    NUMBERS("21", length, type); \
    NUMBERS("024", length, type); \
  } while (0)

static void numbers(void **state) {
  (void)state;
  static const long long values[] = {0,     1,       -1,      9,       10,       15,        16,       255,
                                     99999, -100000, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN};
  static const size_t sizes[] = {0, 1, 2, 5, 13, 300};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const long long value = values[i];
      const size_t size = sizes[k];
      FLAGS("", int);
      FLAGS("l", long);
      FLAGS("ll", long long);
      SAME(size, "%zu %5zu%%", (size_t)value, (size_t)value);
    }
}

static void strings_and_characters(void **state) {
  (void)state;
  for (size_t size = 0; size < 24; size++) {
    SAME(size, "%s", "");
    SAME(size, "plain");
    SAME(size, "%s and %-8s%s", "one", "two", "three");
    SAME(size, "%12s|%.3s|%-6.2s|%.0s", "right", "precise", "cut", "gone");
    SAME(size, "%c%5c%-3c.", 'a', 'b', 'c');
    SAME(size, "100%%");
  }
}

/* Conversions that the formatter does not support go to the C library with all their arguments. */
static void the_rest_is_left_to_the_library(void **state) {
  (void)state;
  int width = 7;
  for (size_t size = 0; size < 40; size += 3) {
    SAME(size, "%u %s %.2f %d", 5u, "text", 2.5, -3);
    SAME(size, "%*d %.*s", width, 42, 3, "abcdef");
    SAME(size, "%+d %#x %hhu", 3, 255u, (unsigned char)200);
    SAME(size, "%.3u", 7u);
  }
}

static void text_is_cut_and_counted(void **state) {
  (void)state;
  for (size_t size = 0; size < 20; size++) {
    char data[20], whole[] = "\"a\\\"b\\u0007c\\\\\"";
    memset(data, '#', sizeof data);
    struct sim_text text = {.data = data, .size = size};
    sim_text_add_json(&text, "a\"b\ac\\");
    assert_int_equal(text.length, sizeof whole - 1);
    if (size) assert_memory_equal(data, whole, size - 1 < sizeof whole - 1 ? size - 1 : sizeof whole - 1);
    if (size) assert_int_equal(data[size - 1 < sizeof whole - 1 ? size - 1 : sizeof whole - 1], 0);
    if (size < sizeof data) assert_int_equal(data[size], '#');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),
      cmocka_unit_test(strings_and_characters),
      cmocka_unit_test(the_rest_is_left_to_the_library),
      cmocka_unit_test(text_is_cut_and_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
