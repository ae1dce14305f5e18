/* The plain version of fma.h, one datum at a time: the reference for fma_lanes.h. */
#include "tensix/num/fma.h"

#include <stdbool.h>

#define SIGN 0x80000000u
#define INFINITE 0x7f800000u
#define CANONICAL_NAN 0x7fc00000u

/* A term of the sum: significand << 3, so 2^26 <= bits < 2^28, or 0. Value = bits * 2^(exponent - 127 - 26). */
struct term {
  uint32_t sign;
  int32_t exponent;
  uint32_t bits;
};

static int32_t exponent_of(uint32_t x) { return (int32_t)(x >> 23 & 255u); }
static uint32_t significand_of(uint32_t x) { return exponent_of(x) ? (x & 0x7fffffu) | 0x800000u : 0u; }
static bool is_nan(uint32_t x) { return (x & ~SIGN) > INFINITE; }
static bool is_infinite(uint32_t x) { return (x & ~SIGN) == INFINITE; }

static struct term product(uint32_t x, uint32_t y) {
  uint64_t exact = (uint64_t)significand_of(x) * significand_of(y); /* 48 bits */
  struct term p = {.sign = (x ^ y) & SIGN, .exponent = exponent_of(x) + exponent_of(y) - 127};
  p.bits = (uint32_t)(exact >> 20) | ((exact & 0xfffffu) != 0);
  return p;
}

/* Operands with exponent 255, and products too large. true: *result holds the sum. */
static bool special(uint32_t x, uint32_t y, uint32_t z, const struct term *p, uint32_t *result) {
  bool infinite_product = is_infinite(x) || is_infinite(y);
  if (exponent_of(x) < 255 && exponent_of(y) < 255 && exponent_of(z) < 255 && p->exponent < 255) return false;
  if (is_nan(x) || is_nan(y) || is_nan(z) || (infinite_product && (!significand_of(x) || !significand_of(y))) ||
      (infinite_product && is_infinite(z) && p->sign != (z & SIGN)))
    *result = CANONICAL_NAN;
  else *result = is_infinite(z) ? z : p->sign | INFINITE;
  return true;
}

static uint32_t shift_semi_sticky(uint32_t bits, int32_t by) {
  if (by > 31) return 0;
  uint32_t kept = bits >> by;
  return kept ? kept | (kept << by != bits) : 0;
}

/* Rounds a non-zero sum with its leading one at bit 31 to FP32. `exponent` is that of the leading one. */
static uint32_t round_sum(uint32_t sign, int32_t exponent, uint32_t bits) {
  if (exponent >= 255) return sign | INFINITE;
  if (exponent <= 0) /* one bit less; only values that round up to the smallest normal remain */
    return bits >= 0xffffff00u ? sign | 0x00800000u : sign;
  uint32_t kept = bits >> 8, lost = bits & 0xffu;
  uint32_t up = lost + (kept & 1u) > 0x80u;
  return sign | (((uint32_t)exponent << 23) + (kept & 0x7fffffu) + up);
}

uint32_t num_fma32(uint32_t x, uint32_t y, uint32_t z) {
  struct term p = product(x, y), addend = {.sign = z & SIGN, .exponent = exponent_of(z), .bits = significand_of(z) << 3};
  uint32_t result;
  if (special(x, y, z, &p, &result)) return result;
  if (!p.bits || p.exponent < 0) return addend.bits ? z : p.sign & addend.sign;
  const struct term *high = p.exponent >= addend.exponent ? &p : &addend, *low = high == &p ? &addend : &p;
  uint32_t aligned = shift_semi_sticky(low->bits, high->exponent - low->exponent);
  uint32_t sum, sign = high->sign;
  if (high->sign == low->sign) {
    sum = high->bits + aligned;
  } else {
    sum = high->bits >= aligned ? high->bits - aligned : aligned - high->bits;
    if (high->bits < aligned) sign = low->sign;
  }
  if (!sum) return p.sign & addend.sign;
  int leading_zeros = __builtin_clz(sum);
  return round_sum(sign, high->exponent + 5 - leading_zeros, sum << leading_zeros);
}
