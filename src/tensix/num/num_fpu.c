/* The scalar reference of num_fpu.h: docs/reference/matrix-unit.md ("The arithmetic") step by step, one element at a time. */
#include "tensix/num/num_fpu.h"

#include <stdlib.h>

#include "tensix/num/prng.h"

static uint32_t exponent_of(uint32_t datum) { return datum & 0xffu; }
static uint32_t sign_of(uint32_t datum) { return datum >> 18 & 1u; }
static uint32_t significand_of(uint32_t datum) { return (datum >> 8 & 0x3ffu) | 0x400u; } /* 1.10 */

/* --- storage --- */

static uint32_t swap_to_value(uint32_t high) {
  return (high & 0x8000u) << 16 | (high & 0xffu) << 23 | (high >> 8 & 0x7fu) << 16;
}
static uint32_t swap_to_storage(uint32_t value) {
  return (value >> 16 & 0x8000u) | (value >> 16 & 0x7fu) << 8 | (value >> 23 & 0xffu);
}

uint32_t num_fpu_load(uint32_t high, uint32_t low, uint32_t dst) {
  if (dst == NUM_FPU_DST_FP16) return (high & 0x8000u) << 16 | (high & 0x1fu) << 23 | (high >> 5 & 0x3ffu) << 13;
  return swap_to_value(high) | (dst == NUM_FPU_DST_BF16 ? 0 : low & 0xffffu);
}

uint32_t num_fpu_store(uint32_t value, uint32_t dst) {
  if (dst == NUM_FPU_DST_FP16) return (value >> 16 & 0x8000u) | (value >> 13 & 0x3ffu) << 5 | (value >> 23 & 0x1fu);
  if (dst == NUM_FPU_DST_BF16) return swap_to_storage(value);
  return swap_to_storage(value) << 16 | (value & 0xffffu);
}

/* --- accumulate: two sums of eight products and the old Dst value --- */

/* Shift right, rounding to nearest; `tie_down` makes an exact half round down instead of up. From 31 on the result is 0. */
static uint32_t shift_rounded(uint32_t magnitude, int32_t shift, uint32_t tie_down) {
  if (shift <= 0) return magnitude;
  if (shift >= 31) return 0;
  return (magnitude + (1u << (shift - 1)) - tie_down) >> shift;
}

/* The adder has 32 bits, two's complement. Only the anomaly of num_fpu_add exceeds them. */
static uint32_t with_sign(uint32_t magnitude, uint32_t sign) { return sign ? 0u - magnitude : magnitude; }

/* Group terms break ties towards +infinity, so the tie of a negative one goes down in magnitude. */
static uint32_t align_term(const struct num_fpu_term *term, int32_t exp, bool narrow) {
  uint32_t m = shift_rounded(term->magnitude, exp - term->exp, term->sign);
  if (narrow) m = (m + (1u << 12) - term->sign) & ~0x1fffu;
  return with_sign(m, term->sign);
}

static uint32_t align_dst(uint32_t dst, int32_t exp, bool narrow) {
  int32_t dst_exp = (int32_t)(dst >> 23 & 0xffu);
  uint32_t m = dst_exp ? (dst & 0x7fffffu) | 0x800000u : 0;
  m = shift_rounded(m, exp - dst_exp, 0);
  if (narrow) m = (m + (1u << 12)) & ~0x1fffu;
  return with_sign(m, dst >> 31);
}

static int32_t highest_bit(uint32_t x) { return 31 - __builtin_clz(x); }

static uint32_t encode(uint32_t sign, int32_t exp, uint32_t mantissa, uint32_t dst) {
  if (exp <= 0) return 0;
  if (dst == NUM_FPU_DST_FP16) {
    if (exp >= 32) return sign << 31 | 31u << 23 | 0x3ffu << 13;
  } else if (exp >= 255) {
    return sign << 31 | 255u << 23;
  }
  return sign << 31 | (uint32_t)exp << 23 | mantissa;
}

/* Shift right 1..31; round up if the discarded bits >= the random limit. */
static uint32_t shift_random(uint32_t magnitude, int32_t shift, uint32_t random) {
  uint32_t discarded = magnitude & ((1u << shift) - 1u);
  return (magnitude >> shift) + (discarded >= num_prng_limit(random, (unsigned)shift));
}

static uint32_t normalise(uint32_t sum, int32_t exp, const struct num_fpu_mode *mode) {
  uint32_t dst = mode->dst;
  uint32_t sign = sum >> 31;
  uint32_t m = with_sign(sum, sign);
  if (m == 0) return 0;
  int32_t bits = dst == NUM_FPU_DST_FP32 ? 24 : dst == NUM_FPU_DST_FP16 ? 11 : 8;
  int32_t top = highest_bit(m);
  exp += top - 23;
  int32_t drop = top - (bits - 1);
  if (drop > 0) m = mode->stochastic ? shift_random(m, drop, mode->random) : shift_rounded(m, drop, 0);
  else m <<= -drop;
  if (m >> bits) {
    m >>= 1;
    exp++;
  }
  uint32_t mantissa = (m << (24 - bits)) & 0x7fffffu;
  return encode(sign, exp, mantissa, dst);
}

static uint32_t accumulate(const struct num_fpu_term *g0, const struct num_fpu_term *g1, uint32_t dst,
                           const struct num_fpu_mode *mode) {
  bool narrow = mode->dst != NUM_FPU_DST_FP32;
  int32_t exp = (int32_t)(dst >> 23 & 0xffu);
  if (g0->exp > exp) exp = g0->exp;
  if (g1->exp > exp) exp = g1->exp;
  if (exp <= 0) return 0;
  uint32_t sum = align_term(g0, exp, narrow) + align_term(g1, exp, narrow) + align_dst(dst, exp, narrow);
  return normalise(sum, exp, mode);
}

/* --- products --- */

int32_t num_fpu_bias(const struct num_fpu_mode *mode) {
  int32_t bias = mode->exp8 ? -127 : mode->dst == NUM_FPU_DST_FP32 ? 97 : -15;
  if (mode->phase & 1u) bias -= 5;
  if (mode->phase & 2u) bias -= 7;
  return bias;
}

static int32_t zero_exponent(const struct num_fpu_mode *mode) { return mode->bias > 0 ? mode->bias : 0; }

static uint32_t slice_a(uint32_t datum, uint32_t phase) {
  return phase & 1u ? significand_of(datum) >> 1 & 31u : significand_of(datum) >> 6;
}

static uint32_t slice_b(uint32_t datum, uint32_t phase) {
  return phase & 2u ? (significand_of(datum) & 15u) << 3 : significand_of(datum) >> 4;
}

/* A 12-bit product; a zero factor leaves a zero that still has an exponent (docs/reference/matrix-unit.md). */
static struct num_fpu_term product(uint32_t a, uint32_t b, const struct num_fpu_mode *mode) {
  a &= mode->mask_a;
  b &= mode->mask_b;
  if (exponent_of(a) == 0 || (exponent_of(b) == 0 && !mode->keep_b)) return (struct num_fpu_term){0, zero_exponent(mode), 0};
  return (struct num_fpu_term){slice_a(a, mode->phase) * slice_b(b, mode->phase),
                               (int32_t)(exponent_of(a) + exponent_of(b)) + mode->bias, sign_of(a) ^ sign_of(b)};
}

static struct num_fpu_term sum_group(const struct num_fpu_term terms[8]) {
  int32_t exp = terms[0].exp;
  for (unsigned i = 1; i < 8; i++)
    if (terms[i].exp > exp) exp = terms[i].exp;
  if (exp <= 0) return (struct num_fpu_term){0, 0, 0};
  int32_t sum = 0;
  for (unsigned i = 0; i < 8; i++) {
    int32_t m = (int32_t)shift_rounded(terms[i].magnitude, exp - terms[i].exp, 0);
    sum += terms[i].sign ? -m : m;
  }
  return (struct num_fpu_term){(uint32_t)abs(sum) << 13, exp, sum < 0};
}

uint32_t num_fpu_dot(const uint32_t a[16], const uint32_t b[16], uint32_t dst, const struct num_fpu_mode *mode) {
  struct num_fpu_term terms[16];
  for (unsigned k = 0; k < 16; k++) terms[k] = product(a[k], b[k], mode);
  struct num_fpu_term g0 = sum_group(terms), g1 = sum_group(terms + 8);
  return accumulate(&g0, &g1, dst, mode);
}

static const struct num_fpu_term nothing = {0, 0, 0};

uint32_t num_fpu_mul(uint32_t a, uint32_t b, uint32_t dst, const struct num_fpu_mode *mode) {
  struct num_fpu_term p = product(a, b, mode);
  if (p.exp <= 0) p = (struct num_fpu_term){0, zero_exponent(mode), 0};
  p.magnitude <<= 13;
  return accumulate(&p, &nothing, dst, mode);
}

/* --- sums --- */

/* Exponent of the sum in Dst's terms. A phase other than 0 divides by 32 and 128 (ISA: ELWADD.md); the effect on small exponents
 * is inferred: as in a product, an exponent of 0 or below gives zero. */
static int32_t sum_exponent(int32_t exp, const struct num_fpu_mode *mode) {
  if (!mode->exp8 && mode->dst == NUM_FPU_DST_FP32) exp = exp ? exp + 112 : 97;
  if (mode->phase & 1u) exp -= 5;
  if (mode->phase & 2u) exp -= 7;
  return exp;
}

/* With Zero_Flag_disabled_src a SrcB of -0 is not flushed and has the significand 1.0. It is then the smaller operand against a SrcA
 * of 0: the difference is negative, and its 32 bits are used as a magnitude. The golden model does so; no document mentions it. */
uint32_t num_fpu_add(uint32_t a, uint32_t b, bool subtract, uint32_t dst, const struct num_fpu_mode *mode) {
  a &= mode->mask_a;
  b = (subtract ? b ^ 1u << 18 : b) & mode->mask_b;
  if (exponent_of(a) == 0) a = 0;
  if (exponent_of(b) == 0 && !mode->keep_b) b = 0;
  uint32_t order_a = exponent_of(a) << 10 | (a >> 8 & 0x3ffu), order_b = exponent_of(b) << 10 | (b >> 8 & 0x3ffu);
  uint32_t large = order_a < order_b ? b : a, small = order_a < order_b ? a : b;
  uint32_t m = large ? significand_of(large) : 0;
  uint32_t n = small ? significand_of(small) : 0;
  int32_t distance = (int32_t)exponent_of(large) - (int32_t)exponent_of(small);
  n = distance < 12 ? shift_rounded(n, distance, 0) : 0;
  uint32_t magnitude = sign_of(large) == sign_of(small) ? m + n : m - n;
  struct num_fpu_term sum = {magnitude << 13, sum_exponent((int32_t)exponent_of(large), mode), sign_of(large)};
  if (sum.exp <= 0 && mode->phase) sum = nothing;
  return accumulate(&sum, &nothing, dst, mode);
}

/* --- integers --- */

uint32_t num_fpu_int8_mask_a(uint32_t phase) { return phase & 1u ? 0x01fu : 0x0e0u; }
uint32_t num_fpu_int8_mask_b(uint32_t phase) { return phase & 2u ? 0x00fu : 0x3f0u; }

int32_t num_fpu_int8(uint32_t datum, uint32_t magnitude_mask, bool keep) {
  if (exponent_of(datum) == 0 && !keep) return 0;
  int32_t m = (int32_t)(datum >> 8 & 0x3ffu & magnitude_mask);
  return sign_of(datum) ? -m : m;
}

uint32_t num_fpu_add_int32(int64_t sum, uint32_t dst) {
  int64_t magnitude = dst & 0x7fffffffu;
  sum += dst >> 31 ? -magnitude : magnitude;
  if (sum > INT32_MAX) sum = INT32_MAX;
  if (sum < -(int64_t)INT32_MAX) sum = -(int64_t)INT32_MAX;
  return sum < 0 ? 1u << 31 | (uint32_t)-sum : (uint32_t)sum;
}
