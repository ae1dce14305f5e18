/* Runs one function of the vector unit (tests/kernels/sfpu_ops.c) on tiles of numbers, and the references of all of them
 * (tests/kernels/sfpu_reference.def). */
#ifndef TESSERA_TESTS_SFPU_RUN_H
#define TESSERA_TESTS_SFPU_RUN_H

#include <math.h>

#include "../scale.h"
#include "op_case.h"

KERNEL(sfpu_ops)

enum {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) F_##name,
#include "../../kernels/include/sfpu_functions.def"
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
  F_uint16_to_float_tile,
  F_float_to_uint16_tile,
  F_int32_to_uint16_tile,
  F_uint32_to_uint16_tile,
  F_uint16_to_int32_tile,
  F_signed_to_int32_tile,
  F_int32_to_signed_tile,
  F_uint32_to_signed_tile,
  F_int32_to_uint8_tile,
  FUNCTIONS
};

#define IN2 0xb0000u
#define TILE 1024u

struct run {
  unsigned function, format, out, tiles;
  bool on_pack; /* the pack thread uses the vector unit */
  bool wide;    /* a 32-bit Dst also for a format of 16 bits */
  uint32_t parameter[3];
  uint32_t a[3 * TILE], b[3 * TILE], c[3 * TILE], result[3 * TILE]; /* as FP32 bits or integers */
  uint64_t cycles; /* from the first load to the last store of the last tile */
};

static inline double from_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return (double)f;
}
static inline uint32_t to_bits(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}
/* FLOAT16 as FP32 bits; below the normal numbers 0, beyond them the largest exponent, which is a number in this format. */
static inline uint16_t half_of(uint32_t bits) {
  int exponent = (int)(bits >> 23 & 255u) - 112;
  if (exponent <= 0) return (uint16_t)(bits >> 16 & 0x8000u);
  assert_true(exponent < 32);
  return (uint16_t)((bits >> 16 & 0x8000u) | (unsigned)exponent << 10 | (bits >> 13 & 0x3ffu));
}
static inline uint32_t of_half(uint16_t half) {
  uint32_t exponent = half >> 10 & 31u;
  return (uint32_t)(half & 0x8000u) << 16 | (exponent ? (exponent + 112) << 23 | (half & 0x3ffu) << 13 : 0);
}

static inline bool is_narrow(unsigned format) { return format == NUM_BF16 || format == NUM_FP16 || format == NUM_INT16; }

static inline void put(struct rig *r, uint32_t base, const uint32_t *words, const struct run *x) {
  for (unsigned i = 0; i < x->tiles * TILE; i++) {
    uint32_t word = words[i];
    uint16_t half = x->format == NUM_BF16 ? (uint16_t)(word >> 16) : (uint16_t)word;
    if (x->format == NUM_FP16) half = half_of(word);
    if (is_narrow(x->format)) memcpy(r->t->l1 + base + 2 * i, &half, 2);
    else memcpy(r->t->l1 + base + 4 * i, &word, 4);
  }
}

static inline void take(const struct rig *r, struct run *x) {
  for (unsigned i = 0; i < x->tiles * TILE; i++) {
    uint16_t half;
    memcpy(&half, r->t->l1 + OUT + 2 * i, 2);
    if (x->out == NUM_BF16) x->result[i] = (uint32_t)half << 16;
    else if (x->out == NUM_FP16) x->result[i] = of_half(half);
    else if (x->out == NUM_INT16) x->result[i] = half;
    else memcpy(&x->result[i], r->t->l1 + OUT + 4 * i, 4);
  }
}

static inline uint64_t cycles_of_last_tile(const struct rig *r) {
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

static inline void run_function(struct run *x) {
  struct launch l;
  struct rig *r = rig_new(true);
  bool wide = x->wide || !is_narrow(x->format);
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
  take(r, x);
  x->cycles = cycles_of_last_tile(r);
  rig_free(r);
}

/* The inverse of erf by Newton's method: of erf where 1 - x would lose the digits of x, of erfc beside 1. */
static inline double erfinv(double x) {
  double y = 0, p = fabs(x), q = 1 - p;
  for (unsigned i = 0; i < 100 && x != 0; i++)
    y += (p < 0.5 ? p - erf(y) : erfc(y) - q) / (2 / sqrt(acos(-1)) * exp(-y * y));
  return x < 0 ? -y : y;
}

/* Uses the power series where x - tanh(x) would cancel. */
static inline double tanhshrink(double x) {
  double u = x * x;
  if (u > 1e-4) return x - tanh(x);
  return x * u * (1.0 / 3 - u * (2.0 / 15 - u * 17 / 315));
}

/* I0 and I1 by their power series, whose terms are all positive. */
static inline double bessel(unsigned order, double x) {
  double term = order ? x / 2 : 1, sum = term;
  for (unsigned k = 1; k < 400; k++) sum += term *= x * x / 4 / ((double)k * (k + order));
  return sum;
}

/* Uses the recurrence up to 40, then the asymptotic series. */
static inline double digamma(double x) {
  double sum = 0;
  for (; x < 40; x++) sum -= 1 / x;
  return sum + log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * pow(x, 4)) - 1 / (252 * pow(x, 6));
}

/* Its derivative of order n: the series up to 60 by summing, the rest as digamma's. */
static inline double polygamma(double n, double x) {
  double sum = 0, sign = fmod(n, 2) != 0 ? 1 : -1, s = n + 1, start = x;
  unsigned terms = x < 60 ? (unsigned)(60 - x) + 1 : 0;
  for (unsigned k = terms; k-- > 0;) sum += pow(start + k, -s);
  x += terms;
  double rest = pow(x, -n) / n + pow(x, -s) / 2 + s / 12 * pow(x, -s - 1) - s * (s + 1) * (s + 2) / 720 * pow(x, -s - 3) +
                s * (s + 1) * (s + 2) * (s + 3) * (s + 4) / 30240 * pow(x, -s - 5);
  return sign * tgamma(s) * (sum + rest);
}

/* e^x - 1 - x, by its series near 0 */
static inline double xielu_negative(double x) {
  double term = x * x / 2, sum = 0;
  if (x < -1) return expm1(x) - x;
  for (unsigned k = 3; k < 30; k++) sum += term, term *= x / k;
  return sum;
}

static inline int64_t floor_division(int64_t a, int64_t b) {
  if (b == 0) return a < 0 ? 0 : -1; /* with the rounding of the unit's division */
  int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/* Euclid's algorithm; the multiple in 32 bits, as the unit computes it. */
static inline uint32_t common_divisor(int64_t a, int64_t b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return (uint32_t)a;
}
static inline uint32_t common_multiple(int64_t a, int64_t b) {
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
#include "sfpu_reference.def"
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
#include "sfpu_reference.def"
#undef ROUNDED
#undef EXACT
#undef INTEGER
};
static const struct float_row exact_rows[] = {
#define ROUNDED(name, value, parameters, limit, ranges)
#define EXACT(name, value, parameters) {#name, F_##name, value_##name, parameters, 0, {{0}}},
#define INTEGER(name, value, parameters)
#include "sfpu_reference.def"
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
#include "sfpu_reference.def"
};

static inline unsigned range_count(const struct float_row *row) {
  unsigned n = 0;
  while (n < 3 && row->range[n].high != 0) n++;
  return n;
}

/* Operand i of a range, rounded to the format, so that the reference and the function get the same value. */
static inline uint32_t operand(const struct range *r, unsigned i, bool narrow) {
  double u = (i + 0.5) / TILE, x = r->geometric ? r->low * pow(r->high / r->low, u) : r->low + (r->high - r->low) * u;
  uint32_t bits = to_bits(x);
  return narrow ? (bits + 0x8000u) & 0xffff0000u : bits;
}

/* In units of the last place of the reference's own binade; numbers below the normal ones count as 0. */
static inline double ulp_error(uint32_t got, double want, bool narrow) {
  double y = from_bits(got), smallest = ldexp(1, -126);
  int exponent;
  if (fabs(want) < smallest) want = 0;
  if (y == want) return 0;
  if (fabs(want) > (double)3.4028235e38f && isinf(y)) return 0;
  (void)frexp(want == 0 ? smallest : want, &exponent);
  double error = fabs(y - want) / ldexp(1, exponent - (narrow ? 8 : 24));
  return isnan(error) ? INFINITY : error;
}

static inline uint32_t special(unsigned i) {
  static const float values[] = {0.0f, -0.0f, 1,        -1,        1.5f,        -1.5f,       2.5f,    -2.5f,
                                 0.5f, -0.5f, INFINITY, -INFINITY, 8388608.0f,  -8388607.0f, 3.0e38f, -1.0e-30f,
                                 2,    -2,    255,      -100.0f,   0.99609375f, -1.0078125f};
  unsigned n = sizeof values / sizeof *values;
  uint32_t random = i * 2654435761u;
  if (i % 3 == 2) return (random & 0x80ff0000u) | (0x3c800000u + (random >> 3 & 0x06800000u)); /* 0.01 to 2^12 */
  return to_bits((double)values[i % n]);
}

static inline int32_t special_integer(unsigned i) {
  static const int32_t values[] = {0, 1, -1, 2, -2, INT32_MAX, INT32_MIN, INT32_MIN + 1, 1000, -1000, -5, 65535, 65536};
  return i % 3 ? (int32_t)(i * 2654435761u ^ i << 13) : values[i / 3 % 13];
}

static inline bool is_shift(unsigned function) {
  return function == F_binary_left_shift_tile || function == F_binary_right_shift_tile ||
         function == F_binary_logical_right_shift_tile;
}
/* Of a shift most amounts are near the 32 bits of a number, others any. */
static inline uint32_t second_integer(unsigned function, unsigned i, uint32_t any) {
  return is_shift(function) && i % 4 ? any % 40 : any;
}

#endif
