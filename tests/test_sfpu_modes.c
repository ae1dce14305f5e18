/* The vector unit's functions in further modes: on the pack core, on UINT16 and on FLOAT16 in a 16-bit Dst. References as in test_sfpu.c. */
#include <float.h>

#include "kernels/sfpu_run.h"

/* --- the pack thread --- */

static void compare_with_pack(struct run *x, const char *name) {
  static uint32_t on_math[TILE];
  x->tiles = 1;
  x->on_pack = false;
  run_function(x);
  memcpy(on_math, x->result, sizeof on_math);
  x->on_pack = true;
  run_function(x);
  if (memcmp(on_math, x->result, sizeof on_math) != 0) fail_msg("%s_pack does not give the bits of %s", name, name);
}

static void compare_floats_with_pack(const struct float_row *row, bool narrow) {
  static struct run x;
  x.function = row->function;
  x.format = x.out = narrow ? NUM_BF16 : NUM_FP32;
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = to_bits(row->parameter[i]);
  if (row->function == F_power_iterative_tile) x.parameter[0] = (uint32_t)row->parameter[0];
  for (unsigned i = 0; i < TILE; i++) {
    uint32_t mask = narrow ? 0xffff0000u : ~0u;
    x.a[i] = row->range[0].high != 0 ? operand(&row->range[0], i, narrow) : special(i) & mask;
    x.b[i] = row->range[0].high != 0 ? operand(&row->range[0], i * 37 % TILE, narrow) : special(i * 7 + 1) & mask;
    x.c[i] = row->range[0].high != 0 ? operand(&row->range[0], i * 101 % TILE, narrow) : special(i * 5 + 3) & mask;
  }
  compare_with_pack(&x, row->name);
}

/* NAME_pack on the pack thread gives the bits of NAME on the math thread. */
static void test_pack_thread(void **state) {
  (void)state;
  static struct run x;
  unsigned step = test_percent() < 25 ? 16 : 1;
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i += step)
    compare_floats_with_pack(&rounded_rows[i], i & 1);
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i += step)
    compare_floats_with_pack(&exact_rows[i], i & 1);
  for (unsigned k = 0; k < sizeof integer_rows / sizeof *integer_rows; k += step) {
    const struct integer_row *row = &integer_rows[k];
    x.function = row->function;
    x.format = x.out = strstr(row->name, "uint16") ? NUM_INT16 : NUM_INT32;
    for (unsigned i = 0; i < 3; i++) x.parameter[i] = (uint32_t)row->parameter[i];
    for (unsigned i = 0; i < TILE; i++) {
      x.a[i] = (uint32_t)special_integer(i);
      x.b[i] = second_integer(row->function, i, (uint32_t)special_integer(i * 5 + i / 13));
      x.c[i] = (uint32_t)special_integer(i * 3 + 1);
    }
    compare_with_pack(&x, row->name);
  }
}

/* --- UINT16: the low 16 bits of what the integer functions make of numbers without sign --- */

static bool is_uint16_only(const char *name) { return strstr(name, "uint16") != NULL; }

/* In a Dst of 16 bits and, where each number is in both halves, in one of 32. */
static void check_uint16(const struct integer_row *row, bool wide) {
  static struct run x;
  x.function = row->function;
  x.format = x.out = NUM_INT16;
  x.wide = wide;
  x.tiles = 1;
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = (uint32_t)row->parameter[i];
  for (unsigned i = 0; i < TILE; i++) {
    x.a[i] = i % 5 ? i * 40503u & 0xffffu : i << 8 & 0xffffu;
    x.b[i] = second_integer(row->function, i, i * 25173u & 0xffffu);
    x.c[i] = (i * 3 + 1) * 7919u & 0xffffu;
  }
  run_function(&x);
  for (unsigned i = 0; i < TILE; i++) {
    uint32_t want = (uint32_t)row->value((int32_t)x.a[i], (int32_t)x.b[i], (int32_t)x.c[i], row->parameter[0],
                                         row->parameter[1], row->parameter[2]) &
                    0xffffu;
    if (x.result[i] != want)
      fail_msg("%s of UINT16 %u, %u, Dst%s: %u, expected %u", row->name, x.a[i], x.b[i], wide ? "32" : "16", x.result[i],
               want);
  }
}

static void test_uint16(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof integer_rows / sizeof *integer_rows; k++) {
    if (test_percent() < 25 && k % 8 && !is_uint16_only(integer_rows[k].name)) continue;
    for (unsigned wide = 0; wide < 2; wide++) check_uint16(&integer_rows[k], wide);
  }
}

static void convert(struct run *x, unsigned function, unsigned format, unsigned out) {
  x->tiles = 1;
  x->function = function;
  x->format = format;
  x->out = out;
  run_function(x);
}

/* The nearest integer, halves away from zero: what is above 65535 becomes 65535, negative numbers 0. A NaN has the place of its bits: beyond
 * infinity, or below zero with a sign. */
static uint32_t nearest_uint16(uint32_t bits) {
  double v = from_bits(bits);
  if (isnan(v)) return bits >> 31 ? 0 : 65535;
  return v <= 0 ? 0 : v >= 65535 ? 65535 : (uint32_t)lround(v);
}
static void check_floats_to_uint16(struct run *x) {
  static const double edges[] = {0.49999997, 0.5,     0.50000006, 0.99999994, 1.4999999, 2.5,   3.5,   255.5, 256.5,
                                 32767.5,    32768.5, 65534.496,  65534.5,    65535.5,   65536, 1e-40, NAN,   -NAN};
  enum { EDGES = sizeof edges / sizeof *edges };
  for (unsigned i = 0; i < TILE; i++) {
    uint32_t bits = i < 2 * EDGES ? to_bits(edges[i / 2]) ^ (i % 2 ? 0x80000000u : 0) : special(i);
    x->a[i] = bits & (x->wide ? ~0u : 0xffff0000u);
  }
  convert(x, F_float_to_uint16_tile, x->wide ? NUM_FP32 : NUM_BF16, NUM_INT16);
  for (unsigned i = 0; i < TILE; i++) {
    uint32_t want = nearest_uint16(x->a[i]);
    if (x->result[i] != want)
      fail_msg("UINT16 of %.9g (0x%08x): %u, expected %u", from_bits(x->a[i]), x->a[i], x->result[i], want);
  }
}

static void check_uint16_conversions(bool wide) {
  static struct run x;
  x.wide = wide;
  for (unsigned i = 0; i < TILE; i++) x.a[i] = i < 600 ? i : i * 40503u & 0xffffu;
  convert(&x, F_uint16_to_float_tile, NUM_INT16, wide ? NUM_FP32 : NUM_BF16);
  for (unsigned i = 0; i < TILE; i++) {
    uint32_t want = wide ? to_bits(x.a[i]) : (to_bits(x.a[i]) + 0x8000u) & 0xffff0000u;
    if (x.result[i] != want) fail_msg("float of %u: %g, expected %g", x.a[i], from_bits(x.result[i]), from_bits(want));
  }
  check_floats_to_uint16(&x);
}

static void test_uint16_conversions(void **state) {
  (void)state;
  check_uint16_conversions(false);
  check_uint16_conversions(true);
}

/* Between the forms of integers in a 32-bit Dst. */
static void test_forms_of_integers(void **state) {
  (void)state;
  static struct run x;
  x.wide = true;
  for (unsigned i = 0; i < TILE; i++) x.a[i] = i % 5 ? i * 40503u & 0xffffu : i << 8 & 0xffffu;
  convert(&x, F_uint16_to_int32_tile, NUM_INT16, NUM_INT32);
  for (unsigned i = 0; i < TILE; i++) assert_int_equal(x.result[i], x.a[i]);
  for (unsigned i = 0; i < TILE; i++) x.a[i] = (uint32_t)special_integer(i);
  convert(&x, F_int32_to_uint16_tile, NUM_INT32, NUM_INT16);
  for (unsigned i = 0; i < TILE; i++) {
    int32_t v = (int32_t)x.a[i];
    assert_int_equal(x.result[i], v < 0 ? 0 : v > 65535 ? 65535 : v);
  }
  convert(&x, F_uint32_to_uint16_tile, NUM_INT32, NUM_INT16);
  for (unsigned i = 0; i < TILE; i++) assert_int_equal(x.result[i], x.a[i] > 65535 ? 65535 : x.a[i]);
  convert(&x, F_uint32_to_signed_tile, NUM_INT32, NUM_INT32);
  for (unsigned i = 0; i < TILE; i++) assert_int_equal(x.result[i], x.a[i] > INT32_MAX ? (uint32_t)INT32_MAX : x.a[i]);
  convert(&x, F_int32_to_uint8_tile, NUM_INT32, NUM_INT32);
  for (unsigned i = 0; i < TILE; i++) assert_int_equal(x.result[i], x.a[i] & 0xffu);
  convert(&x, F_int32_to_signed_tile, NUM_INT32, NUM_INT32);
  for (unsigned i = 0; i < TILE; i++) {
    int64_t v = (int32_t)x.a[i];
    int64_t magnitude = v < -INT32_MAX ? INT32_MAX : v < 0 ? -v : v;
    assert_int_equal(x.result[i], (v < 0 ? 0x80000000u : 0) | (uint32_t)magnitude);
  }
  memcpy(x.a, x.result, sizeof x.a);
  x.a[0] = 0x80000000u; /* -0 */
  convert(&x, F_signed_to_int32_tile, NUM_INT32, NUM_INT32);
  for (unsigned i = 0; i < TILE; i++)
    assert_int_equal((int32_t)x.result[i], x.a[i] >> 31 ? -(int32_t)(x.a[i] & 0x7fffffffu) : (int32_t)x.a[i]);
}

/* --- FLOAT16: operands and results in the range of its normal numbers --- */

#define HALF_SMALLEST 6.103515625e-05
#define HALF_LARGEST 65504.0

static bool half_operand(const struct range *r, unsigned i, uint32_t *bits) {
  uint32_t exact = operand(r, i, false);
  *bits = (exact + 0x1000u) & 0xffffe000u;
  double v = fabs(from_bits(*bits));
  return v == 0 || (v >= HALF_SMALLEST && v <= HALF_LARGEST);
}

/* The worst error in units of the last place, of the results that FLOAT16 holds as normal numbers. */
static double half_error(const struct float_row *row, struct run *x, const bool *usable) {
  double worst = 0;
  for (unsigned i = 0; i < x->tiles * TILE; i++) {
    double want = row->value(from_bits(x->a[i]), from_bits(x->b[i]), from_bits(x->c[i]), from_bits(x->parameter[0]),
                             from_bits(x->parameter[1]), from_bits(x->parameter[2]));
    int exponent;
    if (!usable[i] || !(fabs(want) >= HALF_SMALLEST && fabs(want) <= HALF_LARGEST)) continue;
    (void)frexp(want, &exponent);
    worst = fmax(worst, fabs(from_bits(x->result[i]) - want) / ldexp(1, exponent - 11));
  }
  return worst;
}

static void check_half(const struct float_row *row, bool exact, unsigned *checked) {
  static struct run x;
  static bool usable[3 * TILE];
  x.function = row->function;
  x.format = x.out = NUM_FP16;
  x.tiles = exact ? 1 : range_count(row);
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = to_bits(row->parameter[i]);
  if (row->function == F_power_iterative_tile) x.parameter[0] = (uint32_t)row->parameter[0];
  for (unsigned i = 0; i < x.tiles * TILE; i++) {
    static const struct range plain = {false, -100, 100};
    const struct range *r = exact ? &plain : &row->range[i / TILE];
    bool a = half_operand(r, i % TILE, &x.a[i]), b = half_operand(r, i * 37 % TILE, &x.b[i]),
         c = half_operand(r, i * 101 % TILE, &x.c[i]);
    usable[i] = a && b && c;
    if (!usable[i]) x.a[i] = x.b[i] = x.c[i] = 0x3f800000u;
    *checked += usable[i];
  }
  run_function(&x);
  double worst = half_error(row, &x, usable), limit = exact ? 0 : 0.501 + row->limit / 8192; /* rounded to nearest */
  if (worst > limit) fail_msg("%s in FLOAT16: %g ULP, at most %g expected", row->name, worst, limit);
}

static void test_float16(void **state) {
  (void)state;
  unsigned step = test_percent() < 25 ? 16 : 1, checked = 0;
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i += step)
    check_half(&rounded_rows[i], false, &checked);
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i += step) check_half(&exact_rows[i], true, &checked);
  assert_true(checked > 10 * TILE);
}

/* --- polygamma of every order: the power n + 1 multiplies the error of a reciprocal --- */

static void test_polygamma(void **state) {
  (void)state;
  static struct run x;
  static const struct range range = {true, 0.2, 500};
  for (unsigned n = 1; n <= 11; n += test_percent() < 25 ? 5 : 1) {
    x.function = F_polygamma_tile;
    x.format = x.out = NUM_FP32;
    x.tiles = 1;
    x.parameter[0] = to_bits(n);
    x.parameter[1] = to_bits((n & 1 ? 1 : -1) * tgamma(n + 1));
    for (unsigned i = 0; i < TILE; i++) x.a[i] = operand(&range, i, false);
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++) {
      double error = ulp_error(x.result[i], polygamma(n, from_bits(x.a[i])), false);
      if (error > 3 * (n + 1)) fail_msg("polygamma %u of %g: %g ULP", n, from_bits(x.a[i]), error);
    }
  }
}

/* --- ends of the ranges: each function of one operand pair against the reference of its row --- */

static const struct {
  const char *name;
  uint32_t a, b;
  double limit; /* ULP */
} ends[] = {
    {"sqrt_tile", 0x00800000u, 0, 1},
    {"rsqrt_tile", 0x00800000u, 0, 1},
    {"rsqrt_tile", 0x7f7fffffu, 0, 1},
    {"cbrt_tile", 0x00800000u, 0, 2},
    {"cbrt_tile", 0xff7fffffu, 0, 2},
    {"exp_tile", 0x7f800000u, 0, 0},
    {"exp_tile", 0xff800000u, 0, 0},
    {"exp_tile", 0x7f7fffffu, 0, 0},
    {"exp_tile", 0xff7fffffu, 0, 0},
    {"exp_tile", 0x42b170a4u, 0, 2}, /* 88.72: near the largest with a finite result */
    {"exp_tile", 0x42b20000u, 0, 0},
    {"exp2_tile", 0x7f800000u, 0, 0},
    {"exp2_tile", 0x42fffffdu, 0, 8},
    {"exp2_tile", 0xff7fffffu, 0, 0},
    {"recip_tile", 0x00800000u, 0, 1},
    {"recip_tile", 0x80000000u, 0, 0},
    {"recip_tile", 0xff800000u, 0, 0},
    {"tanh_tile", 0xff800000u, 0, 0},
    {"sigmoid_tile", 0xff800000u, 0, 0},
    {"sigmoid_tile", 0x7f800000u, 0, 0},
    {"erfc_tile", 0x7f800000u, 0, 0},
    {"erfc_tile", 0xff7fffffu, 0, 0},
    {"erf_tile", 0xff800000u, 0, 0},
    {"softsign_tile", 0x7f7fffffu, 0, 1},
    {"softsign_tile", 0xff61b1e6u, 0, 1},
    {"softsign_tile", 0x00800000u, 0, 1},
    {"div_binary_tile", 0x7f61b1e6u, 0x7f61b1e6u, 1}, /* 3e38 */
    {"div_binary_tile", 0xff61b1e6u, 0x7e967699u, 1},
    {"div_binary_tile", 0x7f800000u, 0xff61b1e6u, 0},
    {"div_binary_tile", 0x3f800000u, 0x7f7fffffu, 0},
    {"div_binary_tile", 0x40000000u, 0x7f800000u, 0},
    {"div_binary_tile", 0x7f800000u, 0x7f800000u, 0},
    {"div_binary_tile", 0x40000000u, 0, 0},
    {"div_binary_tile", 0x00800000u, 0x00800000u, 1},
    {"atan2_binary_tile", 0x7f800000u, 0x7f800000u, 1},
    {"atan2_binary_tile", 0xff800000u, 0xff800000u, 1},
    {"atan2_binary_tile", 0x7f61b1e6u, 0x7f61b1e6u, 1},
    {"atan2_binary_tile", 0x3f800000u, 0x7f800000u, 0},
    {"atan2_binary_tile", 0x3f800000u, 0xff800000u, 1},
    {"fmod_binary_tile", 0x40a00000u, 0x7f800000u, 0},
    {"fmod_binary_tile", 0xc0a00000u, 0xff800000u, 0},
    {"fmod_binary_tile", 0x7f800000u, 0x7f800000u, 0},
    {"fmod_binary_tile", 0x7f800000u, 0x40000000u, 0},
    {"remainder_binary_tile", 0x40a00000u, 0x7f800000u, 0},
};

static const struct float_row *row_of(const char *name) {
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++)
    if (strcmp(rounded_rows[i].name, name) == 0) return &rounded_rows[i];
  return NULL;
}

static void test_ends(void **state) {
  (void)state;
  static struct run x;
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
    const struct float_row *row = row_of(ends[i].name);
    assert_non_null(row);
    x.function = row->function;
    x.format = x.out = NUM_FP32;
    x.tiles = 1;
    for (unsigned k = 0; k < TILE; k++) x.a[k] = ends[i].a, x.b[k] = ends[i].b;
    run_function(&x);
    double got = from_bits(x.result[0]), want = row->value(from_bits(ends[i].a), from_bits(ends[i].b), 0, 0, 0, 0);
    if (row->function == F_remainder_binary_tile) want = from_bits(ends[i].a); /* less 0 times infinity */
    if (isnan(want) ? !isnan(got) : ulp_error(x.result[0], want, false) > ends[i].limit)
      fail_msg("%s of %g, %g: %g, expected %g", ends[i].name, from_bits(ends[i].a), from_bits(ends[i].b), got, want);
  }
}

/* 0, infinities, NaN and signs as base and exponent: pow of C, but NaN where the library has no case of its own (sfpu-accuracy.md). */
static const float power_operands[] = {0.0f,    -0.0f, 1,     -1,       2,         -2,  0.5f,  -0.5f,  3,
                                       -3,      1.5f,  -2.5f, INFINITY, -INFINITY, NAN, 1e30f, -1e30f, 1e-30f,
                                       -1e-30f, 100,   -100,  127,      -127,      33,  -33};
enum { POWERS = sizeof power_operands / sizeof *power_operands };
static bool power_is_nan(float a, float b) {
  bool negative = signbit(a) != 0, odd_or_even = isinf(b) || truncf(b) == b;
  if (fabsf(a) == 1 && (isinf(b) || (isnan(b) && !negative))) return true; /* e^(y log 1), log 1 = 0 */
  return negative && !odd_or_even;                                         /* -0 and -infinity, too */
}
static void test_power_ends(void **state) {
  (void)state;
  static struct run x;
  const struct float_row *row = row_of("power_binary_tile");
  assert_non_null(row);
  x.wide = true;
  x.function = row->function;
  x.format = x.out = NUM_FP32;
  x.tiles = 1;
  assert_true(POWERS * POWERS <= TILE);
  for (unsigned k = 0; k < TILE; k++) {
    x.a[k] = to_bits((double)power_operands[k / POWERS % POWERS]);
    x.b[k] = to_bits((double)power_operands[k % POWERS]);
  }
  run_function(&x);
  for (unsigned k = 0; k < TILE; k++) {
    float a = (float)from_bits(x.a[k]), b = (float)from_bits(x.b[k]);
    double got = from_bits(x.result[k]), want = power_is_nan(a, b) ? (double)NAN : pow((double)a, (double)b);
    if (fabs(want) > (double)FLT_MAX) want = copysign(INFINITY, want);
    if (fabs(want) < (double)FLT_MIN) want = 0;
    bool same = isnan(want) ? isnan(got) : isfinite(want) ? fabs(got - want) <= 1e-4 * fabs(want) : got == want;
    if (!same) fail_msg("power_binary of %g, %g: %g, expected %g", (double)a, (double)b, got, want);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pack_thread), cmocka_unit_test(test_uint16),     cmocka_unit_test(test_uint16_conversions),
      cmocka_unit_test(test_float16),     cmocka_unit_test(test_polygamma),  cmocka_unit_test(test_forms_of_integers),
      cmocka_unit_test(test_ends),        cmocka_unit_test(test_power_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
