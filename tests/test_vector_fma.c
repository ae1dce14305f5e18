/* The multiply-add of SFPMAD against a model written here from its description (SFPMAD.md), in 128-bit fixed
 * point without any of the implementation's tricks; against the host's arithmetic where the page states that both agree;
 * and every vector version against the plain one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "float_bits.h"
#include "scale.h"
#include "tensix/num/fma.h"
#include "tensix/unit/vector/lanes.h"

/* --- the model: numbers are sign, integer, power of two --- */

typedef unsigned __int128 u128;

struct exact {
  int sign, power; /* (-1)^sign * n * 2^power */
  u128 n;
};

static int bits_of(u128 n) {
  int count = 0;
  for (; n; n >>= 1) count++;
  return count;
}

static uint32_t zero_of(int sign) { return sign ? 0x80000000u : 0; }
static int field(uint32_t x) { return (int)(x >> 23 & 255u); }

static struct exact number(uint32_t x) {
  struct exact e = {.sign = (int)(x >> 31), .power = field(x) - 150, .n = field(x) ? (x & 0x7fffffu) + 0x800000u : 0};
  return e;
}

/* Shift right by `by` places; what is lost sets bit 0, unless nothing at all remains. */
static u128 semi_sticky(u128 n, int by) {
  u128 kept = by > 100 ? 0 : n >> by;
  if (kept && by <= 100 && kept << by != n) kept |= 1;
  return kept;
}

/* Nearest even on n * 2^power, three extra bits as the hardware has: one more bit is lost below the normal range. */
static uint32_t rounded(int sign, u128 n, int power) {
  int top = bits_of(n) - 1, exponent = top + power + 127; /* of the leading one */
  if (exponent >= 255) return zero_of(sign) | 0x7f800000u;
  int drop = top - 26; /* keep 27 bits */
  if (exponent <= 0) drop++;
  u128 kept = n;
  if (drop < 0) kept = n << -drop;
  else if (drop > 0) kept = n >> drop | ((n & (((u128)1 << drop) - 1)) != 0);
  uint64_t value = (uint64_t)(kept >> 3), rest = (uint64_t)(kept & 7);
  if (rest > 4 || (rest == 4 && (value & 1))) value++;
  if (exponent <= 0) return value >= 0x800000u ? zero_of(sign) | 0x00800000u : zero_of(sign);
  if (value == 0x1000000u) {
    value >>= 1;
    exponent++;
  }
  if (exponent >= 255) return zero_of(sign) | 0x7f800000u;
  return zero_of(sign) | (uint32_t)exponent << 23 | ((uint32_t)value & 0x7fffffu);
}

static uint32_t model(uint32_t x, uint32_t y, uint32_t z) {
  int p_sign = (int)((x ^ y) >> 31), z_sign = (int)(z >> 31), p_field = field(x) + field(y) - 127;
  bool x_nan = field(x) == 255 && (x & 0x7fffffu), y_nan = field(y) == 255 && (y & 0x7fffffu);
  bool z_nan = field(z) == 255 && (z & 0x7fffffu), z_inf = field(z) == 255 && !z_nan;
  bool p_inf = (field(x) == 255 && !x_nan) || (field(y) == 255 && !y_nan);
  if (x_nan || y_nan || z_nan) return 0x7fc00000u;
  if (p_inf && (!field(x) || !field(y))) return 0x7fc00000u;
  if (p_inf && z_inf && p_sign != z_sign) return 0x7fc00000u;
  if (z_inf) return z;
  if (p_inf || p_field >= 255) return zero_of(p_sign) | 0x7f800000u;
  struct exact a = number(x), b = number(y), c = number(z);
  u128 product = a.n * b.n;
  if (!product || p_field < 0) return c.n ? z : zero_of(p_sign & z_sign);
  /* 48 bits and three more below, then 23 fewer, with lost bits ORed into the last */
  u128 p = product << 3, kept = p >> 23;
  if (kept << 23 != p) kept |= 1;
  int p_power = p_field - 127 - 26, z_power = field(z) - 127 - 26;
  u128 addend = c.n << 3;
  int power = p_power > z_power ? p_power : z_power;
  kept = semi_sticky(kept, power - p_power);
  addend = semi_sticky(addend, power - z_power);
  int sign = kept >= addend ? p_sign : z_sign;
  u128 sum = p_sign == z_sign ? kept + addend : kept >= addend ? kept - addend : addend - kept;
  return sum ? rounded(sign, sum, power) : zero_of(p_sign & z_sign);
}

/* --- operands --- */

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t random32(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 20);
}

static const uint32_t edges[] = {0,          0x80000000u, 1,           0x007fffffu, 0x00800000u, 0x00800001u, 0x00ffffffu,
                                 0x01000000, 0x33800000u, 0x34000000u, 0x3f000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u,
                                 0x3fffffff, 0x40000000u, 0x4b000000u, 0x4b7fffffu, 0x4b800000u, 0x7e7fffffu, 0x7e800000u,
                                 0x7effffff, 0x7f000000u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu};
#define EDGES (sizeof edges / sizeof edges[0])

static uint32_t few_bits(void) {
  uint32_t bits = random32() & 0x7fffffu;
  bits &= random32();
  return bits & random32();
}

/* Any pattern; near 1; few mantissa bits; an edge. */
static uint32_t operand(void) {
  uint32_t any = random32();
  switch (random32() % 5) {
    case 0: return any;
    case 1: return (any & 0x807fffffu) | (107u + random32() % 40) << 23;
    case 2: return (any & 0x80000000u) | (random32() % 256) << 23 | few_bits();
    case 3: return (any & 0x80000000u) | (random32() % 4 ? 0 : random32() % 3 + 126) << 23 | (any & 0x7fffffu);
    default: return edges[random32() % EDGES] ^ (any & 0x80000000u);
  }
}

/* Half the time an addend of the product's magnitude, so that the sum cancels. */
static uint32_t addend_for(uint32_t x, uint32_t y) {
  if (random32() & 1u) return operand();
  uint32_t exponent = ((x >> 23 & 255u) + (y >> 23 & 255u) - 127u + random32() % 7 - 3) & 255u;
  uint32_t mantissa = random32() & 1u ? random32() : (uint32_t)((uint64_t)(x & 0x7fffffu) * (y & 0x7fffffu) >> 23);
  return (random32() & 0x80000000u) | exponent << 23 | (mantissa & 0x7fffffu);
}

/* --- tests --- */

/* Every version that this processor can run, 32 triples at a time: ten million triples in all. */
static void test_random_triples(void **state) {
  (void)state;
  tx_row x, y, z, d, scalar;
  for (uint64_t left = test_scaled(10000000 / 32); left; left--) {
    for (unsigned l = 0; l < TX_LANES; l++) {
      x[l] = operand();
      y[l] = operand();
      z[l] = addend_for(x[l], y[l]);
      scalar[l] = num_fma32(x[l], y[l], z[l]);
      if (scalar[l] != model(x[l], y[l], z[l]))
        fail_msg("%08x * %08x + %08x: %08x, model %08x", x[l], y[l], z[l], scalar[l], model(x[l], y[l], z[l]));
    }
    struct tx_lane_args args = {.d = d, .a = x, .b = y, .c = z, .mask = TX_ALL_LANES};
    for (unsigned i = 1; tx_lanes_version(i); i++) {
      tx_lanes_version(i)->fn[TX_LANE_MAD](&args);
      for (unsigned l = 0; l < TX_LANES; l++)
        if (d[l] != scalar[l]) fail_msg("%s: %08x * %08x + %08x: %08x", tx_lanes_version(i)->name, x[l], y[l], z[l], d[l]);
    }
  }
}

static void test_all_edges(void **state) {
  (void)state;
  for (unsigned i = 0; i < EDGES * 2; i++)
    for (unsigned j = 0; j < EDGES * 2; j++)
      for (unsigned k = 0; k < EDGES * 2; k++) {
        uint32_t x = edges[i / 2] ^ (i & 1u) << 31, y = edges[j / 2] ^ (j & 1u) << 31, z = edges[k / 2] ^ (k & 1u) << 31;
        assert_int_equal(num_fma32(x, y, z), model(x, y, z));
      }
}

static uint32_t without_denormals(uint32_t x) { return x & 0x7f800000u ? x : x & 0x80000000u; }

/* "If multiplying by one or adding zero, equivalent to a standalone add or multiply (handling of denormals
 * notwithstanding)". */
static void test_like_the_host(void **state) {
  (void)state;
  for (uint64_t left = test_scaled(1000000); left; left--) {
    uint32_t x = without_denormals(operand()), y = without_denormals(operand());
    volatile float sum = as_float(x) + as_float(y), product = as_float(x) * as_float(y);
    if (!isnan(sum)) {
      uint32_t got = num_fma32(x, 0x3f800000u, y), want = as_bits(sum);
      if (fabsf(sum) >= 0x1p-126f || sum == 0) assert_int_equal(got, want);
      else assert_int_equal(got & 0x7fffffffu, 0);
    }
    if (!isnan(product) && fabsf(product) >= 0x1.000002p-126f) /* at the edge it rounds before it flushes */
      assert_int_equal(num_fma32(x, y, 0x80000000u), as_bits(product));
  }
}

/* The sentences of the page, one by one. */
static void test_statements(void **state) {
  (void)state;
  assert_int_equal(num_fma32(0x7f7fffffu, 0x40000000u, 0xff7fffffu), 0x7f800000u); /* product alone overflows: infinity */
  assert_int_equal(num_fma32(0x7f7fffffu, 0x40000000u, 0xff800000u), 0xff800000u); /* ... but an infinite addend stays */
  assert_int_equal(num_fma32(0x7f800000u, 0x3f800000u, 0xff800000u), 0x7fc00000u); /* Inf - Inf */
  assert_int_equal(num_fma32(0x7f800000u, 0x00000001u, 0x3f800000u), 0x7fc00000u); /* Inf * denormal (zero) */
  assert_int_equal(num_fma32(0x20000000u, 0x80000000u, 0x80000000u), 0x80000000u); /* -0 only from two -0 */
  assert_int_equal(num_fma32(0x20000000u, 0x80000000u, 0x00000000u), 0x00000000u);
  assert_int_equal(num_fma32(0x1f800000u, 0x1f800000u, 0x00800000u), 0x00800000u); /* product 2^-128: as if it were zero */
  assert_int_equal(num_fma32(0x3f800000u, 0x3f800000u, 0xbf800000u), 0x00000000u); /* exact cancellation: +0 */
  assert_int_equal(num_fma32(0x3f800000u, 0x00800000u, 0x80800001u), 0x80000000u); /* denormal result: zero of its sign */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_triples),
      cmocka_unit_test(test_all_edges),
      cmocka_unit_test(test_like_the_host),
      cmocka_unit_test(test_statements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
