/* The texts of DPRINT's numbers (kernels/include/dprint_number.h), compared with the C library's: printf's digits of floats and integers,
 * and for `{}` of a float that strtof reads the same float and that no shorter text does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../kernels/include/dprint_number.h"
#include "scale.h"

static const char *put(const struct dprint_field *f) {
  static char text[DPRINT_FIELD + 1];
  assert_true(f->length <= DPRINT_FIELD && f->prefix <= f->length);
  memcpy(text, f->text, f->length);
  text[f->length] = '\0';
  return text;
}

static struct dprint_spec spec_of(const char *hole) {
  struct dprint_spec s;
  int16_t index = -1;
  const char *end = dprint_read_hole(hole + 1, &s, &index);
  assert_non_null(end);
  assert_int_equal(*end, '\0');
  return s;
}

static const char *float_text(uint32_t bits, const char *hole) {
  struct dprint_field f = {.length = 0};
  struct dprint_spec s = spec_of(hole);
  dprint_put_float(&f, bits, &s);
  return put(&f);
}

static const char *integer_text(uint64_t value, int negative, const char *hole) {
  struct dprint_field f = {.length = 0};
  struct dprint_spec s = spec_of(hole);
  dprint_put_integer(&f, (uint32_t)value, (uint32_t)(value >> 32), negative, &s);
  return put(&f);
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t random_state = UINT64_C(88172645463325252);
static uint64_t random_next(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

/* Powers of two and the floats below them, BF16, all bits, and numbers with few digits. */
static uint32_t float_bits(unsigned i) {
  uint64_t r = random_next();
  if (i < 510) return i / 2 << 23 | (i % 2 ? 0x7fffffu : 0u);
  switch (i % 4) {
    case 0: return (uint32_t)r & 0xffff0000u;
    case 1: return (uint32_t)r;
    case 2: return ((uint32_t)(r >> 32) % 5000 << 12) + 0x3f000000u;
    default: {
      float value = (float)((double)(r % 100000) / 1000.0);
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      return bits;
    }
  }
}

static void digits_of_floats(void **state) {
  static const char *const holes[][2] = {
      {"{:f}", "%f"},       {"{:.2f}", "%.2f"},   {"{:e}", "%e"},       {"{:.3e}", "%.3e"}, {"{:g}", "%g"},
      {"{:.9g}", "%.9g"},   {"{:.0f}", "%.0f"},   {"{:.0e}", "%.0e"},   {"{:.1}", "%.1g"},  {"{:#g}", "%#g"},
      {"{:.12f}", "%.12f"}, {"{:#.0f}", "%#.0f"}, {"{:.3G}", "%.3G"},   {"{:E}", "%E"},     {"{:.60f}", "%.60f"},
      {"{:+.1f}", "%+.1f"}, {"{: .4g}", "% .4g"}, {"{:.40e}", "%.40e"}, {"{:.0g}", "%.0g"}, {"{:F}", "%F"}};
  unsigned count = (unsigned)test_scaled(20000);
  (void)state;
  for (unsigned i = 0; i < 510 + count; i++) {
    uint32_t bits = float_bits(i);
    if ((bits & 0x7fffffffu) > 0x7f800000u) continue; /* a NaN has a sign here, as in {fmt} */
    for (unsigned k = 0; k < sizeof holes / sizeof *holes; k++) {
      char want[160];
      snprintf(want, sizeof want, holes[k][1], (double)float_of(bits));
      assert_string_equal(float_text(bits, holes[k][0]), want);
    }
  }
}

/* Significant digits of a text: leading zeros do not count, nor those at the end of an integer. */
static unsigned digits_in(const char *text) {
  unsigned count = 0, zeros = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text < '0' || *text > '9') continue;
    zeros = *text == '0' ? zeros + 1 : 0;
    if (count || *text != '0') count++;
  }
  return count - (zeros < count ? zeros : 0);
}

static void shortest_texts_of_floats(void **state) {
  unsigned count = (unsigned)test_scaled(100000);
  (void)state;
  for (unsigned i = 0; i < 510 + count; i++) {
    uint32_t bits = float_bits(i);
    if ((bits & 0x7fffffffu) >= 0x7f800000u || !(bits & 0x7fffffffu)) continue;
    float value = float_of(bits);
    const char *text = float_text(bits, "{}");
    char shorter[64];
    assert_true(strtof(text, NULL) == value);
    for (int digits = 1; digits < (int)digits_in(text); digits++) {
      snprintf(shorter, sizeof shorter, "%.*e", digits - 1, (double)value);
      assert_true(strtof(shorter, NULL) != value);
    }
  }
}

/* The form of {fmt}: fixed for exponents from -4 to 6. */
static void forms_of_floats(void **state) {
  static const struct {
    float value;
    const char *hole, *want;
  } rows[] = {{0.0f, "{}", "0"},
              {-0.0f, "{}", "-0"},
              {1.5f, "{}", "1.5"},
              {0.1f, "{}", "0.1"},
              {3.14f, "{}", "3.14"},
              {1e6f, "{}", "1000000"},
              {9999999.0f, "{}", "9999999"},
              {1e7f, "{}", "1e+07"},
              {12345678.0f, "{}", "1.2345678e+07"},
              {1e-4f, "{}", "0.0001"},
              {1e-5f, "{}", "1e-05"},
              {3.4028235e38f, "{}", "3.4028235e+38"},
              {1e-45f, "{}", "1e-45"},
              {5.684342e-14f, "{}", "5.684342e-14"}, /* 2^-44: nearest above the interval's shorter side */
              {9.5e-3f, "{:+}", "+0.0095"},
              {2.5f, "{:.0f}", "2"},
              {3.5f, "{:.0f}", "4"}};
  (void)state;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint32_t bits;
    memcpy(&bits, &rows[i].value, sizeof bits);
    assert_string_equal(float_text(bits, rows[i].hole), rows[i].want);
  }
  assert_string_equal(float_text(0x7f800000u, "{}"), "inf");
  assert_string_equal(float_text(0xff800000u, "{:F}"), "-INF");
  assert_string_equal(float_text(0x7fc00000u, "{:+}"), "+nan");
}

static void integers(void **state) {
  unsigned count = (unsigned)test_scaled(50000);
  (void)state;
  for (unsigned i = 0; i < count; i++) {
    uint64_t value = random_next() >> random_next() % 64;
    char want[96];
    snprintf(want, sizeof want, "%llu", (unsigned long long)value);
    assert_string_equal(integer_text(value, 0, "{}"), want);
    snprintf(want, sizeof want, "%llx", (unsigned long long)value);
    assert_string_equal(integer_text(value, 0, "{:x}"), want);
    snprintf(want, sizeof want, "0X%llX", (unsigned long long)value);
    assert_string_equal(integer_text(value, 0, "{:#X}"), want);
    snprintf(want, sizeof want, "%#llo", (unsigned long long)value);
    assert_string_equal(integer_text(value, 0, "{:#o}"), want);
    snprintf(want, sizeof want, "-%llu", (unsigned long long)(0 - value));
    assert_string_equal(integer_text(value, 1, "{:d}"), want);
    char *binary = want + sizeof want - 1, *end = binary;
    uint64_t rest = value;
    *end = '\0';
    do *--binary = (char)('0' + rest % 2);
    while (rest /= 2);
    assert_string_equal(integer_text(value, 0, "{:b}"), binary);
  }
}

static void holes(void **state) {
  struct dprint_spec s = spec_of("{:*^+#012.3X}");
  int16_t index = 4;
  (void)state;
  assert_int_equal(s.fill, '*');
  assert_int_equal(s.align, '^');
  assert_int_equal(s.sign, '+');
  assert_true(s.alternate && s.zeros && s.width == 12 && s.precision == 3 && s.type == 'X');
  s = spec_of("{:<8}");
  assert_true(s.fill == ' ' && s.align == '<' && s.width == 8 && s.precision == -1 && !s.type);
  s = spec_of("{:>>3}");
  assert_true(s.fill == '>' && s.align == '>' && s.width == 3);
  assert_non_null(dprint_read_hole("12:x} and more", &s, &index));
  assert_true(index == 12 && s.type == 'x');
  assert_null(dprint_read_hole("x}", &s, &index));
  assert_null(dprint_read_hole(":8", &s, &index));
  assert_null(dprint_read_hole(":y}", &s, &index));
  s = spec_of("{:9999.9999f}");
  assert_true(s.width == DPRINT_WIDTH_MAX && s.precision == DPRINT_PRECISION_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(digits_of_floats), cmocka_unit_test(shortest_texts_of_floats),
                                     cmocka_unit_test(forms_of_floats), cmocka_unit_test(integers), cmocka_unit_test(holes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
