/* Accumulation in L1 (num/format_pack_acc.c) against the host's own floating point, with the oddities of Packers/FormatConversion.md and
 * its rounding listed one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tensix/num/format.h"
#include "tensix/num/format_pack_acc.h"

static uint64_t seed = 0x9e3779b97f4a7c15u;
static uint32_t next(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

static float as_float(uint32_t x) {
  float f;
  memcpy(&f, &x, sizeof f);
  return f;
}

static uint32_t as_bits(float f) {
  uint32_t x;
  memcpy(&x, &f, sizeof x);
  return x;
}

static uint32_t flush(uint32_t x) { return (x & 0x7fffffffu) < 0x800000u ? x & 0x80000000u : x; }

static uint32_t reference_fp32(uint32_t a, uint32_t b) {
  uint32_t sum = as_bits(as_float(flush(a)) + as_float(flush(b)));
  return (sum & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : flush(sum);
}

/* Pairs of operands: close exponents, equal with opposite sign, special values. */
static void pair32(uint32_t *a, uint32_t *b) {
  *a = next(), *b = next();
  switch (next() % 5) {
    case 0: *b = (*b & 0x807fffffu) | (*a & 0x7f800000u); break;
    case 1: *b = *a ^ 0x80000000u ^ (next() & 3u); break;
    case 2: *b = (*b & 0x807fffffu) | (((*a >> 23 & 255u) + next() % 50 - 25) & 255u) << 23; break;
    case 3:
      *a = (*a & 0x807fffffu) | (next() % 4) << 23;
      *b = (*b & 0x807fffffu) | (next() % 4) << 23;
      break;
    default: break;
  }
}

static void test_fp32(void **state) {
  static const uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffffffff, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000,
                                     0x3f800000, 0xbf800000, 0x7f800001, 0x00ffffff};
  (void)state;
  for (unsigned i = 0; i < 16; i++)
    for (unsigned j = 0; j < 16; j++)
      assert_int_equal(num_acc_fp32(special[i], special[j]), reference_fp32(special[i], special[j]));
  for (uint64_t n = 0; n < test_scaled(4000000); n++) {
    uint32_t a, b;
    pair32(&a, &b);
    if (num_acc_fp32(a, b) != reference_fp32(a, b))
      fail_msg("%08x + %08x: %08x, host %08x", a, b, num_acc_fp32(a, b), reference_fp32(a, b));
  }
}

/* BF16 numbers as doubles, which hold every sum of two with enough bits. Exponents 1 to 255 are all ordinary. */
static double bf16_value(uint32_t x) {
  double v = 1 + (double)(x & 127u) / 128;
  int e = (int)(x >> 7 & 255u) - 127;
  if (e == -127) return x >> 15 ? -0.0 : 0.0;
  for (; e > 0; e--) v *= 2;
  for (; e < 0; e++) v /= 2;
  return x >> 15 ? -v : v;
}

static uint32_t reference_bf16(uint32_t a, uint32_t b) {
  uint32_t ma = a & 0x7fffu, mb = b & 0x7fffu;
  if (ma == 0x7f80u && mb == 0x7f80u) return a == b ? a : 0x7fc0u;
  if (mb == 0x7f80u) return b;                       /* infinity plus a huge number is infinity */
  if (ma >= 0x7f80u) return (a & 0x8000u) | 0x7f80u; /* infinity; NaN in L1 is a huge number */
  double sum = bf16_value(a) + bf16_value(b);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  int e = (int)(bits >> 52 & 2047u) - 1023 + 127;
  uint64_t m = bits & ((UINT64_C(1) << 52) - 1), kept = m >> 45, rest = m & ((UINT64_C(1) << 45) - 1),
           half = UINT64_C(1) << 44;
  uint32_t sign = (uint32_t)(bits >> 63) << 15;
  if (e <= 0) return sign;
  if (e >= 255) return sign | 0x7f80u;
  return sign | (((uint32_t)e << 7) + (uint32_t)kept + (rest > half || (rest == half && (kept & 1u))));
}

static void test_bf16(void **state) {
  (void)state;
  for (uint64_t n = 0; n < test_scaled(4000000); n++) {
    uint32_t a = next() & 0xffffu, b = next() & 0xffffu;
    if (n % 3 == 0) b = (b & 0x807fu) | (((a >> 7) + next() % 24 - 12) & 255u) << 7;
    if (n % 11 == 0) b = a ^ 0x8000u;
    if (n % 13 == 0) a |= 0x7f80u;
    if (n % 17 == 0) b |= 0x7f80u;
    uint32_t got = num_acc_bf16((uint16_t)a, (uint16_t)b);
    if (got != reference_bf16(a, b)) fail_msg("%04x + %04x: %04x, reference %04x", a, b, got, reference_bf16(a, b));
  }
}

/* Exponents 1 to 31 are numbers; a sum below the range, and a zero sum of exponents 30 and 31, give 7fff. */
static uint32_t reference_fp16(uint32_t a, uint32_t b) {
  uint32_t wa = (a & 0x7c00u) ? ((a & 0x7fffu) << 13) + (112u << 23) : 0,
           wb = (b & 0x7c00u) ? ((b & 0x7fffu) << 13) + (112u << 23) : 0;
  uint32_t sum = as_bits(as_float(wa | (a & 0x8000u) << 16) + as_float(wb | (b & 0x8000u) << 16));
  uint32_t sign = sum >> 16 & 0x8000u, m = sum & 0x7fffffu;
  int e = (int)(sum >> 23 & 255u) - 112;
  if ((sum & 0x7fffffffu) == 0) return sign | ((a >> 10 & 31u) >= 30 ? 0x7fffu : 0);
  if (e < 0) return sign | 0x7fffu;
  if (e == 0) return sign;
  uint32_t kept = m >> 13, rest = m & 0x1fffu;
  uint32_t bits = ((uint32_t)e << 10) + kept + (rest > 0x1000u || (rest == 0x1000u && (kept & 1u)));
  return sign | (bits < 0x8000u ? bits : 0x7fffu);
}

static void test_fp16(void **state) {
  bool bug;
  (void)state;
  for (uint64_t n = 0; n < test_scaled(4000000); n++) {
    uint32_t a = next() & 0xffffu, b = next() & 0xffffu;
    if (n % 3 == 0) b = (b & 0x83ffu) | (((a >> 10) + next() % 8 - 4) & 31u) << 10;
    if (n % 7 == 0) b = a ^ 0x8000u;
    uint32_t got = num_acc_fp16((uint16_t)a, (uint16_t)b, &bug);
    if (got != reference_fp16(a, b)) fail_msg("%04x + %04x: %04x, reference %04x", a, b, got, reference_fp16(a, b));
  }
  assert_int_equal(num_acc_fp16(0x7c00, 0xfc00, &bug), 0x7fff); /* cancellation at exponent 31 */
  assert_true(bug);
  assert_int_equal(num_acc_fp16(0x3c00, 0xbc00, &bug), 0); /* 1 - 1 */
  assert_false(bug);
  assert_int_equal(num_acc_fp16(0x0401, 0x8400, &bug), 0x7fff); /* far below the range */
  assert_true(bug);
  assert_int_equal(num_acc_fp16(0x7fff, 0x7fff, &bug), 0x7fff); /* too large: no bug */
  assert_false(bug);
}

static void test_bytes(void **state) {
  uint8_t l1[16] = {0, 0x3c, 0x00, 0x7c, 0, 0, 0x01, 0x04}, add[16] = {0, 0x3c, 0x00, 0xfc, 0, 0x3c, 0x00, 0x84};
  const uint8_t want[8] = {0, 0x40, 0xff, 0x7f, 0, 0x3c, 0xff, 0x7f};
  (void)state;
  assert_int_equal(num_acc_bytes(NUM_FP16, l1, add, 8), 2);
  assert_memory_equal(l1, want, 8);
  uint8_t one[4] = {0, 0, 0x80, 0x3f}, two[4] = {0, 0, 0x80, 0x3f};
  assert_int_equal(num_acc_bytes(NUM_FP32, one, two, 4), 0);
  assert_memory_equal(one, ((uint8_t[]){0, 0, 0, 0x40}), 4);
  for (unsigned f = 0; f < 16; f++) assert_int_equal(num_acc_exists(f), f == NUM_FP32 || f == NUM_FP16 || f == NUM_BF16);
}

/* The vector versions give the bits of the scalar sums: the same pairs, denormals, infinities and NaN, and every length of whole lines. */
static void test_vectors(void **state) {
  (void)state;
  for (uint64_t n = 0; n < test_scaled(200000); n++) {
    uint32_t old[16], add[16];
    unsigned format = n & 1 ? NUM_BF16 : NUM_FP32, length = 16 * (1 + next() % 4);
    for (unsigned i = 0; i < 16; i++) {
      uint32_t a, b, c, d;
      pair32(&a, &b), pair32(&c, &d);
      old[i] = format == NUM_FP32 ? a : a >> 16 | (c & 0xffff0000u),
      add[i] = format == NUM_FP32 ? b : b >> 16 | (d & 0xffff0000u);
      if (next() % 16 == 0) old[i] |= 0x7f807f80u;
      if (next() % 16 == 0) add[i] |= 0x7f807f80u;
    }
    uint32_t plain[16];
    memcpy(plain, old, sizeof plain);
    num_acc_bytes_plain(format, (uint8_t *)plain, (const uint8_t *)add, length);
    num_acc_bytes(format, (uint8_t *)old, (const uint8_t *)add, length);
    assert_memory_equal(old, plain, sizeof plain);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fp32), cmocka_unit_test(test_bf16), cmocka_unit_test(test_fp16),
                                     cmocka_unit_test(test_bytes), cmocka_unit_test(test_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
