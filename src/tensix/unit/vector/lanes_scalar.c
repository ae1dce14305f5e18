/* The lanes' arithmetic, one lane at a time, as written in the pages: the reference for lanes_body.h. */
#include <stdbool.h>
#include <string.h>

#include "tensix/num/fma.h"
#include "tensix/unit/vector/lanes.h"

#define SIGN 0x80000000u

/* A static function for one operation: `value` is computed for every lane l of the mask. */
#define EACH_LANE(name, value) \
  static uint32_t name(const struct tx_lane_args *x) { \
    for (unsigned l = 0; l < TX_LANES; l++) \
      if (x->mask >> l & 1u) x->d[l] = (value); \
    return 0; \
  }
#define EACH_BIT(name, truth) \
  static uint32_t name(const struct tx_lane_args *x) { \
    uint32_t bits = 0; \
    for (unsigned l = 0; l < TX_LANES; l++) bits |= (uint32_t)(truth) << l; \
    return bits & x->mask; \
  }
#define A x->a[l]
#define B x->b[l]
#define C x->c[l]

/* --- multiply-add --- */

/* ISA: SFPMUL24.md, Mul24ShiftAdd: the effect of the shared floating-point path on the product if VC is not zero. */
static uint32_t add_shared_path(uint32_t product, uint32_t c) {
  const uint32_t product_exponent = 129;
  uint32_t exponent = c >> 23 & 255u;
  if (!exponent) return product;
  uint32_t larger = exponent > product_exponent ? exponent : product_exponent;
  uint32_t wide = ((c & 0x7fffffu) | 0x800000u) << 3, by = (larger - exponent) & 31u;
  product >>= (larger - product_exponent) & 31u;
  uint32_t kept = wide >> by;
  if (!kept) return product;
  product += kept + ((uint32_t)((kept << by ^ wide) > 0xffffu) << 16);
  return product & 0x7fffffu;
}

static uint32_t multiply24(uint32_t a, uint32_t b, uint32_t c, bool upper) {
  uint64_t product = (uint64_t)(a & 0x7fffffu) * (b & 0x7fffffu);
  return add_shared_path((uint32_t)(upper ? product >> 23 : product & 0x7fffffu), c);
}

static uint32_t lut8(uint32_t x) { /* SFPLUT.md: Lut8ToFp32 */
  x &= 0xffu;
  if (x == 0xffu) return 0;
  return (x & 0x80u) << 24 | (127u - (x >> 4 & 7u)) << 23 | (x & 15u) << 19;
}

static uint32_t lut16(uint32_t x) { /* SFPLUTFP32.md: Lut16ToFp32 */
  uint32_t exponent = x >> 10 & 31u;
  return (x & 0x8000u) << 16 | (exponent == 31u ? 0 : exponent + 112u) << 23 | (x & 0x3ffu) << 13;
}

static uint32_t copy_sign(uint32_t to, uint32_t from, bool wanted) { return wanted ? (to & ~SIGN) | (from & SIGN) : to; }

static uint32_t look_up(const tx_row *regs, unsigned l, uint32_t mode) {
  uint32_t in = regs[3][l], b = in & ~SIGN;
  uint32_t pair = regs[b < 0x3f800000u ? 0 : b < 0x40000000u ? 1 : 2][l];
  return copy_sign(num_fma32(lut8(pair >> 8), b, lut8(pair)), in, mode & 4u);
}

static uint32_t look_up32(const tx_row *regs, unsigned l, uint32_t mode) {
  uint32_t in = regs[3][l], b = in & ~SIGN;
  unsigned entry = b < 0x3f800000u ? 0 : b < 0x40000000u ? 1 : 2;
  uint32_t a = regs[entry][l], c = regs[4 + entry][l];
  if ((mode & 10u) == 10u) { /* FP16_3ENTRY: slope and offset in one register */
    c = lut16(a & 0xffffu);
    a = lut16(a >> 16);
  } else if (mode & 2u) { /* FP16_6ENTRY: each interval has a lower and an upper part; the last is split at 3 or 4 */
    static const uint32_t cuts[3] = {0x3f000000u, 0x3fc00000u, 0x40400000u};
    uint32_t cut = entry == 2 && (mode & 1u) ? 0x40800000u : cuts[entry];
    unsigned from = b < cut ? 0 : 16;
    a = lut16(a >> from & 0xffffu);
    c = lut16(c >> from & 0xffffu);
  }
  return copy_sign(num_fma32(a, b, c), in, mode & 4u);
}

EACH_LANE(MAD, num_fma32(A ^ x->i, B, C ^ x->j))
EACH_LANE(MUL_REAL, num_fma32(A ^ x->i, B, 0))
EACH_LANE(ADD_REAL, num_fma32(0x3f800000u ^ x->i, B, C ^ x->j))
EACH_LANE(MUL24, multiply24(A, B, C, x->i))
EACH_LANE(LUT, look_up(x->regs, l, x->i))
EACH_LANE(LUT32, look_up32(x->regs, l, x->i))

/* --- integers and fields --- */

static uint32_t shift(uint32_t value, uint32_t by, bool arithmetic) {
  if (!(by & SIGN)) return value << (by & 31u);
  unsigned right = (0u - by) & 31u;
  uint32_t fill = arithmetic && (value & SIGN) && right ? ~(0xffffffffu >> right) : 0;
  return value >> right | fill;
}

static uint32_t add_exponent(uint32_t c, uint32_t by) {
  uint32_t exponent = c >> 23 & 255u;
  if (exponent == 255u) return c;
  return (c & ~0x7f800000u) | ((exponent + by) & 255u) << 23;
}

#include "tensix/unit/vector/lanes_common.h"
EACH_LANE(SET, x->i)
EACH_LANE(SHIFT, shift(B, C, x->i))
EACH_LANE(SHIFTI, shift(B, x->i, x->j))
EACH_LANE(ABS_INTEGER, C &SIGN ? 0u - C : C)
EACH_LANE(ABS_REAL, C > 0xff800000u ? C : C & ~SIGN)
EACH_LANE(LEADING_ZEROS, (C & x->i) ? (uint32_t)__builtin_clz(C & x->i) : 32u)

/* --- conversions --- */

/* ISA: SFPCAST_IntFloat.md. `random` NULL: to nearest even; otherwise seven of its bits decide. */
static uint32_t cast(uint32_t c, const uint32_t *random) {
  uint32_t magnitude = c & ~SIGN;
  if (!magnitude) return c;
  uint32_t zeros = (uint32_t)__builtin_clz(magnitude), normal = magnitude << zeros;
  uint32_t d = (c & SIGN) + ((157u - zeros) << 23) + (normal >> 8);
  if (random) return d + ((normal & 0xfeu) > (*random >> 9 & 0xfeu));
  return d + ((normal & 0x80u) && (normal & 0x17fu));
}

/* ISA: SFPSTOCHRND_FloatFloat.md. Ties: a value equal to the limit rounds up, which biases the result (a hardware bug). */
static uint32_t round_real(uint32_t c, uint32_t limit, uint32_t drop) {
  uint32_t exponent = c >> 23 & 255u, lost = c & ((1u << drop) - 1u);
  if (exponent == 0) return 0;
  if (exponent == 255u) return c & 0xff800000u;
  return c - lost + (uint32_t)(lost >= limit >> (23u - drop)) * (1u << drop);
}

/* ISA: SFPSTOCHRND_FloatInt.md */
static uint32_t round_integer(uint32_t c, uint32_t limit, uint32_t max, uint32_t keep) {
  int32_t exponent = (int32_t)(c >> 23 & 255u) - 127;
  if (exponent < -1) return 0;
  uint64_t magnitude = max;
  if (exponent < 16) {
    uint64_t fixed = (c & 0x7fffffu) | 0x800000u;
    fixed = exponent >= 0 ? fixed << exponent : fixed >> 1;
    magnitude = (fixed >> 23) + ((fixed & 0x7fffffu) >= limit);
    if (magnitude > max) magnitude = max;
    if (!magnitude) return 0;
  }
  return (c & keep) + (uint32_t)magnitude;
}

/* ISA: SFPSTOCHRND_IntInt.md */
static uint32_t descale(uint32_t c, uint32_t by, uint32_t limit, uint32_t max, uint32_t keep) {
  uint64_t fixed = (uint64_t)(c & ~SIGN) << 23 >> (by & 31u);
  uint64_t magnitude = (fixed >> 23) + ((fixed & 0x7fffffu) >= limit);
  if (magnitude > max) magnitude = max;
  return magnitude ? (c & keep) + (uint32_t)magnitude : 0;
}

static uint32_t step_prng(uint32_t state) { /* VectorUnit.md, PRNG */
  uint32_t odd = (uint32_t)__builtin_popcount(state & 0x80200003u) & 1u;
  return state >> 1 | (odd ^ 1u) << 31;
}

static bool is_smaller(uint32_t c, uint32_t d) {
  uint32_t c_key = c & SIGN ? ~c & ~SIGN : c | SIGN, d_key = d & SIGN ? ~d & ~SIGN : d | SIGN;
  return c_key < d_key;
}

EACH_LANE(CAST, cast(C, 0))
EACH_LANE(CAST_RANDOM, cast(C, &A))
EACH_LANE(NEGATE_MAGNITUDE, C &SIGN ? SIGN | (0u - C) : C)
EACH_LANE(ROUND_REAL, round_real(C, A, x->i))
EACH_LANE(ROUND_INTEGER, round_integer(C, A, x->i, x->j))
EACH_LANE(DESCALE, descale(C, B, A, x->i, x->j))
EACH_LANE(RECIPROCAL, (C & x->i & SIGN) | tx_approximate_reciprocal(C & ~SIGN))
EACH_LANE(EXPONENTIAL, (C & SIGN) | tx_approximate_exponential(C & ~SIGN))
EACH_LANE(STEP_PRNG, step_prng(x->d[l]))
EACH_BIT(IS_NEGATIVE, C >> 31)
EACH_BIT(IS_ZERO, (C & x->i) == 0)
EACH_BIT(IS_SMALLER, is_smaller(C, B))

#define WITH_GENERATORS(name, value) \
  static uint32_t name(const struct tx_lane_args *x) { \
    for (unsigned l = 0; l < TX_LANES; l++) { \
      if (!(x->mask >> l & 1u)) continue; \
      x->d[l] = (value); \
      ((uint32_t *)x->a)[l] = step_prng(A); \
    } \
    return 0; \
  }
WITH_GENERATORS(ROUND_REAL_NEAREST, round_real(C, TX_LANE_HALF, x->i))
WITH_GENERATORS(ROUND_INTEGER_NEAREST, round_integer(C, TX_LANE_HALF, x->i, x->j))

static uint32_t COPY(const struct tx_lane_args *x) {
  memmove(x->d, x->c, sizeof(tx_row));
  return 0;
}

static uint32_t SORT(const struct tx_lane_args *x) {
  uint32_t *other = (uint32_t *)x->c;
  for (unsigned l = 0; l < TX_LANES; l++) {
    uint32_t c = other[l], d = x->d[l];
    if (!(x->mask >> l & 1u) || is_smaller(c, d) != (x->i >> l & 1u)) continue;
    x->d[l] = c;
    other[l] = d;
  }
  return 0;
}

/* --- Dst, in the order sign, mantissa (its top 7 bits), exponent, rest of the mantissa; a row is pairs of datums --- */

static uint32_t pair_of(const uint32_t *row, unsigned l) {
  uint32_t pair;
  memcpy(&pair, row + l, sizeof pair); /* datums of 16 bits */
  return pair;
}

static uint32_t from_dst(uint32_t x) { return (x & 0x8000ffffu) | (x >> 16 & 0xffu) << 23 | (x >> 24 & 0x7fu) << 16; }
static uint32_t to_dst(uint32_t x) { return (x & 0x8000ffffu) | (x >> 23 & 0xffu) << 16 | (x >> 16 & 0x7fu) << 24; }
static uint32_t flushed(uint32_t x, uint32_t exponent) { return !exponent || x & exponent ? x : x & SIGN; }

static void put_half(const struct tx_lane_args *x, unsigned l, uint32_t half) {
  uint32_t pair = pair_of(x->d, l);
  pair = (pair & ~(0xffffu << x->i)) | (half & 0xffffu) << x->i;
  memcpy(x->d + l, &pair, sizeof pair);
}

static uint32_t STORE32(const struct tx_lane_args *x) {
  for (unsigned l = 0; l < TX_LANES; l++) {
    if (!(x->mask >> l & 1u)) continue;
    uint32_t datum = to_dst(flushed(C, x->j));
    put_half(x, l, datum >> 16);
    put_half(x, l + TX_LANE_LOW_HALVES, datum);
  }
  return 0;
}

#define HALF(row) (pair_of(row, l) >> x->i & 0xffffu)

EACH_LANE(LOAD16, HALF(x->a))
EACH_LANE(LOAD_BF16, from_dst(HALF(x->a) << 16))
EACH_LANE(LOAD32, from_dst(HALF(x->a) << 16 | HALF(x->b)))
EACH_LANE(ENCODE32, to_dst(flushed(C, x->i)))

#define EACH_HALF(name, half) \
  static uint32_t name(const struct tx_lane_args *x) { \
    for (unsigned l = 0; l < TX_LANES; l++) \
      if (x->mask >> l & 1u) put_half(x, l, (half)); \
    return 0; \
  }
EACH_HALF(STORE16, C >> x->j)
EACH_HALF(STORE_BF16, to_dst(flushed(C, 0x7f800000u)) >> 16)

static void run(void *base, const struct tx_lane_step *const *steps, unsigned count, uint32_t mask) {
  for (unsigned n = 0; n < count; n++) {
    const struct tx_lane_args args = tx_lane_step_args(base, steps[n], mask);
    tx_lanes_scalar.fn[steps[n]->op](&args);
  }
}

const struct tx_lane_ops tx_lanes_scalar = {.name = "scalar",
                                            .run = run,
                                            .fn = {
#define LANE_OP(name, what) [TX_LANE_##name] = name,
#include "tensix/unit/vector/lanes.def"
#undef LANE_OP
                                            }};
