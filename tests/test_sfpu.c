/* The vector unit's functions (kernels/include/sfpu_functions.def) against double-precision references (tests/kernels/sfpu_reference.def), in
 * FP32 and BFLOAT16 Dst. Rounded ones: errors in units of the last place by range, which docs/reference/sfpu-accuracy.md tables; the test
 * compares that page, and writes it with TESSERA_WRITE_TABLE=1. Exact ones and integers: every bit. */
#include <math.h>

#include "kernels/op_case.h"
#include "scale.h"

KERNEL(sfpu_ops)

enum {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, body) F_##name,
#include "../kernels/include/sfpu_functions.def"
#undef SFPU_FUNCTION
  F_float_to_int32_tile,
  F_float_to_uint32_tile,
  F_int32_to_float_tile,
  F_uint32_to_float_tile,
  F_float_to_bf16_tile,
  F_quant_int8_tile,
  F_quant_uint8_tile,
  F_requant_int8_tile,
  F_requant_uint8_tile,
  F_dequant_scaled_tile,
  F_divide_int32_tile,
  FUNCTIONS
};

#define IN2 0xb0000u
#define TILE 1024u

struct run {
  unsigned function, format, out, tiles;
  bool on_pack; /* the pack thread uses the vector unit */
  uint32_t parameter[3];
  uint32_t a[3 * TILE], b[3 * TILE], c[3 * TILE], result[3 * TILE]; /* as FP32 bits or integers */
  uint64_t cycles; /* from the first load to the last store of the last tile */
};

static void put(struct rig *r, uint32_t base, const uint32_t *words, const struct run *x) {
  for (unsigned i = 0; i < x->tiles * TILE; i++) {
    if (x->format == NUM_BF16) memcpy(r->t->l1 + base + 2 * i, (const uint8_t *)&words[i] + 2, 2);
    else memcpy(r->t->l1 + base + 4 * i, &words[i], 4);
  }
}

static uint64_t cycles_of_last_tile(const struct rig *r) {
  uint64_t first = 0, last = 0;
  bool behind_unpack = true;
  for (size_t i = 0; i < r->issue_count; i++) {
    if (r->issues[i].thread != 1) continue;
    unsigned opcode = r->issues[i].word >> 24;
    if (opcode == 0x70 && behind_unpack) first = r->issues[i].at;
    if (opcode == 0x72) last = r->issues[i].at;
    if (opcode == 0x70 || opcode == 0x72) behind_unpack = false;
    if (opcode == 0xa2) behind_unpack = true; /* STALLWAIT before and after a tile */
  }
  return last - first + 1;
}

static void run_function(struct run *x) {
  struct launch l;
  struct rig *r = rig_new(true);
  bool wide = x->format != NUM_BF16;
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, x->format, 64);
  buffer(&l, 1, IN1, x->format, 64);
  buffer(&l, 2, IN2, x->format, 64);
  buffer(&l, 16, OUT, x->out, 64);
  l.args[0] = x->tiles;
  l.args[5] = wide;
  l.args[7] = x->function;
  l.args[8] = x->on_pack;
  memcpy(&l.args[11], x->parameter, sizeof x->parameter);
  l.args[18] = wide; /* straight into a 32-bit Dst */
  put(r, IN0, x->a, x);
  put(r, IN1, x->b, x);
  put(r, IN2, x->c, x);
  record_kernel(r, 0, sfpu_ops_unpack, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 1, sfpu_ops_math, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 2, sfpu_ops_pack, &l);
  assert_string_equal(record_failure(), "");
  rig_run_well(r);
  for (unsigned i = 0; i < r->t->diag.finding_count && rig_findings(r); i++)
    print_message("function %u: %s: %s\n", x->function, tx_diag_infos[r->t->diag.findings[i].id].name,
                  r->t->diag.findings[i].why);
  if (x->function != F_stochastic_round_tile) assert_int_equal(rig_findings(r), 0);
  for (unsigned i = 0; i < x->tiles * TILE; i++) {
    x->result[i] = 0;
    if (x->out == NUM_BF16) memcpy((uint8_t *)&x->result[i] + 2, r->t->l1 + OUT + 2 * i, 2);
    else memcpy(&x->result[i], r->t->l1 + OUT + 4 * i, 4);
  }
  x->cycles = cycles_of_last_tile(r);
  rig_free(r);
}

static double from_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return (double)f;
}
static uint32_t to_bits(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

/* The inverse of erf by Newton's method, from either side of 1. */
static double erfinv(double x) {
  double y = 0, q = 1 - fabs(x);
  for (unsigned i = 0; i < 100 && x != 0; i++) y += (erfc(y) - q) / (2 / sqrt(acos(-1)) * exp(-y * y));
  return x < 0 ? -y : y;
}

/* Uses the power series where x - tanh(x) would cancel. */
static double tanhshrink(double x) {
  double u = x * x;
  if (u > 1e-4) return x - tanh(x);
  return x * u * (1.0 / 3 - u * (2.0 / 15 - u * 17 / 315));
}

/* I0 and I1 by their power series, whose terms are all positive. */
static double bessel(unsigned order, double x) {
  double term = order ? x / 2 : 1, sum = term;
  for (unsigned k = 1; k < 400; k++) sum += term *= x * x / 4 / ((double)k * (k + order));
  return sum;
}

/* Uses the recurrence up to 40, then the asymptotic series. */
static double digamma(double x) {
  double sum = 0;
  for (; x < 40; x++) sum -= 1 / x;
  return sum + log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * pow(x, 4)) - 1 / (252 * pow(x, 6));
}

/* e^x - 1 - x, by its series near 0 */
static double xielu_negative(double x) {
  double term = x * x / 2, sum = 0;
  if (x < -1) return expm1(x) - x;
  for (unsigned k = 3; k < 30; k++) sum += term, term *= x / k;
  return sum;
}

static int64_t floor_division(int64_t a, int64_t b) {
  if (b == 0) return a < 0 ? 0 : -1; /* with the rounding of the unit's division */
  int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* Euclid's algorithm; the multiple in 32 bits, as the unit computes it. */
static uint32_t common_divisor(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return (uint32_t)a;
}
static uint32_t common_multiple(int64_t a, int64_t b) {
  uint32_t d = common_divisor(a, b);
  return d ? (uint32_t)(a < 0 ? -a : a) / d * (uint32_t)(b < 0 ? -b : b) : 0;
}

/* --- rounded functions --- */

struct range {
  bool geometric;
  double low, high;
};

#define P(p, q, r) \
  { p, q, r }
#define INTEGER_BITS(n) (n)
#define R(low, high) {false, low, high},
#define G(low, high) {true, low, high},
#define UNUSED_ARGUMENTS (void)a, (void)b, (void)c, (void)p, (void)q, (void)r
#define ROUNDED(name, value, parameters, limit, ranges) \
  static double value_##name(double a, double b, double c, double p, double q, double r) { \
    UNUSED_ARGUMENTS; \
    return (value); \
  }
#define EXACT(name, value, parameters) \
  static double value_##name(double a, double b, double c, double p, double q, double r) { \
    UNUSED_ARGUMENTS; \
    return (value); \
  }
#define INTEGER(name, value, parameters) \
  static int32_t value_##name(int32_t a, int32_t b, int32_t c, int32_t p, int32_t q, int32_t r) { \
    UNUSED_ARGUMENTS; \
    return (value); \
  }
#include "kernels/sfpu_reference.def"
#undef ROUNDED
#undef EXACT
#undef INTEGER

struct float_row {
  const char *name;
  unsigned function;
  double (*value)(double, double, double, double, double, double);
  double parameter[3], limit;
  struct range range[4];
};
static const struct float_row rounded_rows[] = {
#define ROUNDED(name, value, parameters, limit, ranges) {#name, F_##name, value_##name, parameters, limit, {ranges}},
#define EXACT(name, value, parameters)
#define INTEGER(name, value, parameters)
#include "kernels/sfpu_reference.def"
#undef ROUNDED
#undef EXACT
#undef INTEGER
};
static const struct float_row exact_rows[] = {
#define ROUNDED(name, value, parameters, limit, ranges)
#define EXACT(name, value, parameters) {#name, F_##name, value_##name, parameters, 0, {{0}}},
#define INTEGER(name, value, parameters)
#include "kernels/sfpu_reference.def"
#undef ROUNDED
#undef EXACT
#undef INTEGER
};
struct integer_row {
  const char *name;
  unsigned function;
  int32_t (*value)(int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
  int32_t parameter[3];
};
static const struct integer_row integer_rows[] = {
#define ROUNDED(name, value, parameters, limit, ranges)
#define EXACT(name, value, parameters)
#define INTEGER(name, value, parameters) {#name, F_##name, value_##name, parameters},
#include "kernels/sfpu_reference.def"
};

static unsigned range_count(const struct float_row *row) {
  unsigned n = 0;
  while (n < 3 && row->range[n].high != 0) n++;
  return n;
}

/* Operand i of a range, rounded to the format, so that the reference and the function get the same value. */
static uint32_t operand(const struct range *r, unsigned i, bool narrow) {
  double u = (i + 0.5) / TILE, x = r->geometric ? r->low * pow(r->high / r->low, u) : r->low + (r->high - r->low) * u;
  uint32_t bits = to_bits(x);
  return narrow ? (bits + 0x8000u) & 0xffff0000u : bits;
}

struct error {
  double max, sum;
  uint32_t at;
};

/* In units of the last place of the reference's own binade; numbers below the normal ones count as 0. */
static double ulp_error(uint32_t got, double want, bool narrow) {
  double y = from_bits(got), smallest = ldexp(1, -126);
  int exponent;
  if (fabs(want) < smallest) want = 0;
  if (y == want) return 0;
  if (fabs(want) > (double)3.4028235e38f && isinf(y)) return 0;
  (void)frexp(want == 0 ? smallest : want, &exponent);
  double error = fabs(y - want) / ldexp(1, exponent - (narrow ? 8 : 24));
  return isnan(error) ? INFINITY : error;
}

static void measure(const struct float_row *row, bool narrow, struct error *errors, uint64_t *cycles) {
  static struct run x;
  unsigned ranges = range_count(row);
  x.function = row->function;
  x.format = x.out = narrow ? NUM_BF16 : NUM_FP32;
  x.tiles = ranges;
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = to_bits(row->parameter[i]);
  if (row->function == F_power_iterative_tile) x.parameter[0] = (uint32_t)row->parameter[0];
  for (unsigned i = 0; i < ranges * TILE; i++) {
    const struct range *r = &row->range[i / TILE];
    x.a[i] = operand(r, i % TILE, narrow);
    x.b[i] = operand(r, i * 37 % TILE, narrow);
    x.c[i] = operand(r, i * 101 % TILE, narrow);
  }
  run_function(&x);
  *cycles = x.cycles;
  memset(errors, 0, 3 * sizeof *errors);
  for (unsigned i = 0; i < ranges * TILE; i++) {
    double want = row->value(from_bits(x.a[i]), from_bits(x.b[i]), from_bits(x.c[i]), from_bits(x.parameter[0]),
                             from_bits(x.parameter[1]), from_bits(x.parameter[2]));
    double error = ulp_error(x.result[i], want, narrow);
    struct error *e = &errors[i / TILE];
    e->sum += error;
    if (error > e->max) e->at = x.a[i];
    if (error > e->max) e->max = error;
  }
}

static void range_text(const struct range *r, char *text, size_t n) { snprintf(text, n, "%g to %g", r->low, r->high); }

static const char *figure(double x, char *text, size_t n) {
  if (x < 1000) snprintf(text, n, "%.2f", x);
  else snprintf(text, n, "%.1e", x);
  return text;
}

static void table_row(FILE *f, const struct float_row *row, unsigned i, const struct error *wide,
                      const struct error *narrow) {
  char range[64], t[4][16];
  range_text(&row->range[i], range, sizeof range);
  fprintf(f, "| %s | %s | %s | %s | %s | %s |\n", i ? "" : row->name, range, figure(wide[i].max, t[0], 16),
          figure(wide[i].sum / TILE, t[1], 16), figure(narrow[i].max, t[2], 16), figure(narrow[i].sum / TILE, t[3], 16));
}

static const char head[] = "# Accuracy of the vector unit's functions\n\n"
                           "Written by tests/test_sfpu.c (`TESSERA_WRITE_TABLE=1 build/tests/test_sfpu`), which also "
                           "compares it. Errors are in units of the last\n"
                           "place (ULP) of the reference's binade, against double precision, on 1024 arguments per range: "
                           "maximum and mean, with FP32 in a 32-bit\n"
                           "Dst and with BFLOAT16 in a 16-bit Dst. Rounding the exact value to nearest would give at most "
                           "0.50. Results below the smallest\n"
                           "normal number are zero, as in hardware. Parameters are those of "
                           "tests/kernels/sfpu_reference.def. Functions that are not here give the\n"
                           "exact result (comparisons, rounding to integers, selections, integers), by the same test.\n\n"
                           "| function | range | FP32 max | mean | BF16 max | mean |\n|---|---|---|---|---|---|\n";

static char *made_table(unsigned step, unsigned *bad) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  fputs(head, f);
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i += step) {
    const struct float_row *row = &rounded_rows[i];
    struct error wide[3], narrow[3];
    uint64_t cycles;
    measure(row, false, wide, &cycles);
    measure(row, true, narrow, &cycles);
    for (unsigned k = 0; k < range_count(row); k++) {
      table_row(f, row, k, wide, narrow);
      if (wide[k].max <= row->limit && narrow[k].max <= 1 + row->limit / 65536) continue;
      print_message("%s range %u: FP32 %g ULP at %g, BF16 %g ULP at %g\n", row->name, k, wide[k].max, from_bits(wide[k].at),
                    narrow[k].max, from_bits(narrow[k].at));
      ++*bad;
    }
  }
  fclose(f);
  return text;
}

static void test_rounded(void **state) {
  (void)state;
  const char *page = "docs/reference/sfpu-accuracy.md";
  unsigned bad = 0, whole = test_percent() >= 25;
  char *text = made_table(whole ? 1 : 16, &bad);
  if (getenv("TESSERA_WRITE_TABLE")) {
    FILE *f = fopen(page, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
  }
  assert_int_equal(bad, 0);
  if (whole) {
    FILE *f = fopen(page, "r");
    assert_non_null(f);
    char *there = calloc(1, strlen(text) + 2);
    size_t n = fread(there, 1, strlen(text) + 1, f);
    fclose(f);
    if (n != strlen(text) || memcmp(there, text, n) != 0) fail_msg("%s is not what the functions give now", page);
    free(there);
  }
  free(text);
}

/* --- exact functions --- */

static uint32_t special(unsigned i) {
  static const float values[] = {0.0f, -0.0f, 1,        -1,        1.5f,        -1.5f,       2.5f,    -2.5f,
                                 0.5f, -0.5f, INFINITY, -INFINITY, 8388608.0f,  -8388607.0f, 3.0e38f, -1.0e-30f,
                                 2,    -2,    255,      -100.0f,   0.99609375f, -1.0078125f};
  unsigned n = sizeof values / sizeof *values;
  uint32_t random = i * 2654435761u;
  if (i % 3 == 2) return (random & 0x80ff0000u) | (0x3c800000u + (random >> 3 & 0x06800000u)); /* 0.01 to 2^12 */
  return to_bits((double)values[i % n]);
}

static void check_exact(const struct float_row *row, bool narrow) {
  static struct run x;
  x.function = row->function;
  x.format = x.out = narrow ? NUM_BF16 : NUM_FP32;
  x.tiles = 1;
  for (unsigned i = 0; i < 3; i++) x.parameter[i] = to_bits(row->parameter[i]);
  for (unsigned i = 0; i < TILE; i++) {
    x.a[i] = special(i) & (narrow ? 0xffff0000u : ~0u);
    x.b[i] = special(i * 7 + i / 22) & (narrow ? 0xffff0000u : ~0u);
    x.c[i] = special(i * 5 + 3) & (narrow ? 0xffff0000u : ~0u);
  }
  for (unsigned i = 0; i < TILE && narrow; i++) /* a 16-bit copy turns -0 into 0 */
    if (x.a[i] == 0x80000000u) x.a[i] = 0;
  if (row->function == F_isnan_tile || row->function == F_isfinite_tile) x.a[5] = 0x7fc00000u;
  run_function(&x);
  for (unsigned i = 0; i < TILE; i++) {
    double want = row->value(from_bits(x.a[i]), from_bits(x.b[i]), from_bits(x.c[i]), from_bits(x.parameter[0]),
                             from_bits(x.parameter[1]), from_bits(x.parameter[2]));
    double got = from_bits(x.result[i]);
    if (!(got == want ||
          (isnan(want) && (isnan(got) || (narrow && isinf(got)))))) /* the packer turns a NaN into infinity in BFLOAT16 */
      fail_msg("%s %s of %g, %g, %g: %g, expected %g", row->name, narrow ? "BF16" : "FP32", from_bits(x.a[i]),
               from_bits(x.b[i]), from_bits(x.c[i]), got, want);
  }
}

static void test_exact(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i++) {
    if (test_percent() < 25 && i % 8) continue;
    check_exact(&exact_rows[i], false);
    check_exact(&exact_rows[i], true);
  }
}

/* --- integers --- */

static int32_t special_integer(unsigned i) {
  static const int32_t values[] = {0, 1, -1, 2, -2, INT32_MAX, INT32_MIN, INT32_MIN + 1, 1000, -1000, -5, 65535, 65536};
  return i % 3 ? (int32_t)(i * 2654435761u ^ i << 13) : values[i / 3 % 13];
}

static bool is_shift(unsigned function) {
  return function == F_binary_left_shift_tile || function == F_binary_right_shift_tile ||
         function == F_binary_logical_right_shift_tile;
}

static void test_integers(void **state) {
  (void)state;
  static struct run x;
  for (unsigned k = 0; k < sizeof integer_rows / sizeof *integer_rows; k++) {
    const struct integer_row *row = &integer_rows[k];
    if (test_percent() < 25 && k % 8) continue;
    x.function = row->function;
    x.format = x.out = NUM_INT32;
    x.tiles = 1;
    for (unsigned i = 0; i < 3; i++) x.parameter[i] = (uint32_t)row->parameter[i];
    for (unsigned i = 0; i < TILE; i++) {
      int32_t b = special_integer(i * 5 + i / 13);
      x.a[i] = (uint32_t)special_integer(i);
      x.b[i] = is_shift(row->function) ? (uint32_t)b & 31u : (uint32_t)b;
      x.c[i] = (uint32_t)special_integer(i * 3 + 1);
    }
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++) {
      int32_t a = (int32_t)x.a[i], b = (int32_t)x.b[i];
      int32_t want = row->value(a, b, (int32_t)x.c[i], row->parameter[0], row->parameter[1], row->parameter[2]);
      if ((int32_t)x.result[i] != want)
        fail_msg("%s of %d, %d: %d, expected %d", row->name, a, b, (int32_t)x.result[i], want);
    }
  }
}

/* --- conversions: Dst and the packer do not change their bits --- */

static uint32_t converted(unsigned function, uint32_t bits) {
  double x = from_bits(bits), t = trunc(x);
  switch (function) {
    case F_float_to_int32_tile:
      return (uint32_t)(int32_t)(t >= 2147483647.0 ? INT32_MAX : t <= -2147483648.0 ? INT32_MIN : (int32_t)t);
    case F_float_to_uint32_tile: return t <= 0 ? 0 : t >= 4294967295.0 ? UINT32_MAX : (uint32_t)t;
    case F_int32_to_float_tile: return to_bits((double)(int32_t)bits);
    default: return to_bits((double)bits);
  }
}

static void test_conversions(void **state) {
  (void)state;
  static struct run x;
  for (unsigned function = F_float_to_int32_tile; function <= F_uint32_to_float_tile; function++) {
    bool from_float = function <= F_float_to_uint32_tile;
    x.function = function;
    x.format = x.out = from_float ? NUM_FP32 : NUM_INT32;
    x.tiles = 1;
    for (unsigned i = 0; i < TILE; i++)
      x.a[i] = !from_float ? (uint32_t)special_integer(i)
               : i & 1     ? special(i)
                           : (i * 2654435761u & 0x80ffffffu) | (0x3e000000u + (i % 12 << 24));
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++)
      if (x.result[i] != converted(function, x.a[i]))
        fail_msg("conversion %u of 0x%08x: 0x%08x, expected 0x%08x", function - F_float_to_int32_tile, x.a[i], x.result[i],
                 converted(function, x.a[i]));
  }
}

/* --- quantization, and integers over integers --- */

/* In double precision; operands are chosen so that the rounding of the fused product and sum changes nothing. */
static uint32_t quantized(unsigned function, uint32_t a, uint32_t b, double zero) {
  bool integer = function >= F_requant_int8_tile,
       narrow = function == F_quant_uint8_tile || function == F_requant_uint8_tile;
  double first = integer ? (double)(int32_t)a : from_bits(a), x = first * from_bits(b) + zero;
  if (function == F_divide_int32_tile) return to_bits(first / (int32_t)b);
  if (function == F_dequant_scaled_tile) return to_bits((first + zero) * from_bits(b));
  x = fmin(fmax(round(x), narrow ? 0 : -127), narrow ? 255 : 127);
  return (uint32_t)(int32_t)x;
}

static void test_quantization(void **state) {
  (void)state;
  static struct run x;
  for (unsigned function = F_quant_int8_tile; function <= F_divide_int32_tile; function++) {
    double zero = function == F_dequant_scaled_tile ? -5 : 3;
    bool integer = function >= F_requant_int8_tile;
    x.function = function;
    x.format = x.out = NUM_INT32; /* bits as they are */
    x.tiles = 1;
    x.parameter[0] = to_bits(zero);
    for (unsigned i = 0; i < TILE; i++) {
      x.a[i] = integer ? i * 37 % 1024 - 512u : to_bits(((double)(i * 37 % 1024) - 512) / 8);
      x.b[i] = function == F_divide_int32_tile ? i % 97 + 1 : to_bits(i % 3 ? 0.25 : 1.5);
    }
    run_function(&x);
    for (unsigned i = 0; i < TILE; i++) {
      uint32_t want = quantized(function, x.a[i], x.b[i], zero),
               ulp = function == F_divide_int32_tile; /* as div_binary_tile */
      if (x.result[i] - want + ulp > 2 * ulp)
        fail_msg("function %u of 0x%08x, 0x%08x: 0x%08x, expected 0x%08x", function - F_quant_int8_tile, x.a[i], x.b[i],
                 x.result[i], want);
    }
  }
}

/* --- random numbers: their range, mean and spread; no two rows alike --- */

static void test_random(void **state) {
  (void)state;
  static struct run x;
  double sum = 0, squares = 0;
  unsigned equal = 0, zero = 0;
  x.format = x.out = NUM_FP32;
  x.tiles = 3;
  x.function = F_rand_tile;
  x.parameter[0] = to_bits(-2);
  x.parameter[1] = to_bits(5);
  run_function(&x);
  for (unsigned i = 0; i < 3 * TILE; i++) {
    double v = from_bits(x.result[i]);
    assert_true(v >= -2 && v < 3);
    sum += v;
    squares += (v - 0.5) * (v - 0.5);
    for (unsigned k = 1; k <= 64 && k <= i; k++) equal += x.result[i] == x.result[i - k];
  }
  assert_true(fabs(sum / (3 * TILE) - 0.5) < 0.1 &&
              fabs(squares / (3 * TILE) - 25.0 / 12) < 0.15); /* five standard errors */
  assert_true(equal < 3);
  x.function = F_dropout_tile;
  x.parameter[0] = 0x20000000; /* a quarter of 2^31 */
  x.parameter[1] = to_bits(1.5);
  for (unsigned i = 0; i < 3 * TILE; i++) x.a[i] = to_bits(i + 1);
  run_function(&x);
  for (unsigned i = 0; i < 3 * TILE; i++) {
    zero += x.result[i] == 0;
    assert_true(x.result[i] == 0 || from_bits(x.result[i]) == 1.5 * (i + 1));
  }
  assert_in_range(zero, 3 * TILE / 4 - 120, 3 * TILE / 4 + 120);
}

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
    x.format = x.out = NUM_INT32;
    for (unsigned i = 0; i < 3; i++) x.parameter[i] = (uint32_t)row->parameter[i];
    for (unsigned i = 0; i < TILE; i++) {
      x.a[i] = (uint32_t)special_integer(i);
      x.b[i] = (uint32_t)special_integer(i * 5 + i / 13) & (is_shift(row->function) ? 31u : ~0u);
      x.c[i] = (uint32_t)special_integer(i * 3 + 1);
    }
    compare_with_pack(&x, row->name);
  }
}

/* Every function of the library has a reference: the rows of both files are the same. */
static void test_every_function_has_a_reference(void **state) {
  (void)state;
  static bool seen[FUNCTIONS];
  for (unsigned i = 0; i < sizeof rounded_rows / sizeof *rounded_rows; i++) seen[rounded_rows[i].function] = true;
  for (unsigned i = 0; i < sizeof exact_rows / sizeof *exact_rows; i++) seen[exact_rows[i].function] = true;
  for (unsigned i = 0; i < sizeof integer_rows / sizeof *integer_rows; i++) seen[integer_rows[i].function] = true;
  seen[F_stochastic_round_tile] = true;            /* test_stochastic_round */
  seen[F_rand_tile] = seen[F_dropout_tile] = true; /* test_random */
  for (unsigned i = 0; i < F_float_to_int32_tile; i++)
    if (!seen[i]) fail_msg("function %u of sfpu_functions.def has no reference", i);
}

/* One of the two neighbours in BFLOAT16, and not always the same one. */
static void test_stochastic_round(void **state) {
  (void)state;
  static struct run x;
  unsigned up = 0;
  x.function = F_stochastic_round_tile;
  x.format = x.out = NUM_FP32;
  x.tiles = 1;
  for (unsigned i = 0; i < TILE; i++) x.a[i] = 0x3f808000u + i;
  run_function(&x);
  for (unsigned i = 0; i < TILE; i++) {
    assert_true(x.result[i] == 0x3f800000u || x.result[i] == 0x3f810000u);
    up += x.result[i] == 0x3f810000u;
  }
  assert_true(up > TILE / 4 && up < TILE / 4 * 3);
}

/* Cycles per tile, with a 32-bit Dst and floats (integers: as such), beside what the vendor's sources claim for their own kernels: cycles per
 * 32 values in comments of tt-metal, tt_metal/hw/ckernels/blackhole/metal/llk_api/llk_sfpu and tt_metal/tt-llk/tt_llk_blackhole/common/inc/sfpu,
 * times 32. */
static const struct {
  unsigned function;
  unsigned cycles;
  const char *file;
} claimed[] = {
    {F_recip_tile, 5 * 32, "ckernel_sfpu_recip.h"},
    {F_where_float_tile, 4 * 32, "ckernel_sfpu_where.h"},
    {F_unary_max_tile, 2 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_unary_min_tile, 2 * 32, "ckernel_sfpu_unary_max_min.h"},
    {F_binary_max_tile, 3 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_binary_min_tile, 3 * 32, "ckernel_sfpu_binary_max_min.h"},
    {F_mul_int_tile, 8 * 32, "ckernel_sfpu_mul_int32.h"},
    {F_signbit_tile, 1 * 32, "ckernel_sfpu_signbit.h"},
};

static int print_cycles(void) {
  static const struct {
    const char *name;
    char numbers;
  } functions[] = {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, body) {#name, #numbers[0]},
#include "../kernels/include/sfpu_functions.def"
#undef SFPU_FUNCTION
  };
  static struct run x;
  for (unsigned i = 0; i < F_float_to_int32_tile; i++) {
    x.function = i;
    x.format = x.out = functions[i].numbers == 'I' ? NUM_INT32 : NUM_FP32;
    x.tiles = 2;
    x.parameter[0] = x.parameter[1] = x.parameter[2] =
        i == F_power_iterative_tile || functions[i].numbers == 'I' ? 3 : 0x3f000000u;
    for (unsigned k = 0; k < 2 * TILE; k++) x.a[k] = x.b[k] = x.c[k] = 0x3f400000u;
    run_function(&x);
    printf("bench_sfpu %-32s %6llu cycles per tile", functions[i].name, (unsigned long long)x.cycles);
    for (unsigned k = 0; k < sizeof claimed / sizeof *claimed; k++)
      if (claimed[k].function == i) printf("   LLK %u (%s)", claimed[k].cycles, claimed[k].file);
    printf("\n");
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--cycles") == 0) return print_cycles();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_function_has_a_reference),
      cmocka_unit_test(test_rounded),
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_quantization),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_stochastic_round),
      cmocka_unit_test(test_pack_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
