/* The arithmetic of the matrix unit: the scalar reference against an exact calculation written here from
 * docs/reference/matrix-unit.md, and every vector version against the scalar reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tensix/num/num_fpu.h"
#include "tensix/num/num_fpu_vec.h"

/* --- random numbers --- */

static uint64_t random_state = UINT64_C(88172645463325252);

static uint32_t random32(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 16);
}

static uint32_t below(uint32_t n) { return random32() % n; }

/* --- an exact calculation, on wide integers: numbers are n * 2^e --- */

typedef __int128 wide;

enum ties { TIES_UP, TIES_AWAY };

static wide floor_divide(wide n, wide d) {
  wide q = n / d;
  return n % d != 0 && n < 0 ? q - 1 : q;
}

/* n / 2^shift to the nearest integer. */
static wide nearest(wide n, int shift, enum ties ties) {
  if (shift > 60) shift = 60; /* |n| < 2^40 here: both shifts give 0 */
  wide d = (wide)1 << shift;
  if (shift <= 0) return n;
  if (ties == TIES_AWAY && n < 0) return -floor_divide(-2 * n + d, 2 * d);
  return floor_divide(2 * n + d, 2 * d);
}

struct number {
  wide units; /* signed significand */
  int exponent;
};

static int largest(int a, int b) { return a > b ? a : b; }

static int bit_length(wide n) {
  int bits = 0;
  for (; n > 0; n >>= 1) bits++;
  return bits;
}

/* The accumulation: groups and Dst have 24-bit significands at their exponents. */
static uint32_t exact_accumulate(const struct number *groups, int count, uint32_t dst, enum num_fpu_dst format) {
  struct number old = {0, (int)(dst >> 23 & 255)};
  if (old.exponent) old.units = (wide)((dst & 0x7fffff) + 0x800000) * (dst >> 31 ? -1 : 1);
  int x = old.exponent;
  for (int i = 0; i < count; i++) x = largest(x, groups[i].exponent);
  if (x <= 0) return 0;
  int step = format == NUM_FPU_DST_FP32 ? 0 : 13;
  wide sum = nearest(x - old.exponent >= 31 ? 0 : nearest(old.units, x - old.exponent, TIES_AWAY), step, TIES_AWAY);
  for (int i = 0; i < count; i++) {
    int distance = x - groups[i].exponent;
    sum += nearest(distance >= 31 ? 0 : nearest(groups[i].units, distance, TIES_UP), step, TIES_UP);
  }
  sum *= (wide)1 << step;
  if (sum == 0) return 0;
  uint32_t sign = sum < 0;
  if (sum < 0) sum = -sum;
  int length = bit_length(sum), bits = format == NUM_FPU_DST_FP32 ? 24 : format == NUM_FPU_DST_FP16 ? 11 : 8;
  int exponent = x + length - 24;
  wide rounded = length > bits ? nearest(sum, length - bits, TIES_AWAY) : sum * ((wide)1 << (bits - length));
  if (bit_length(rounded) > bits) {
    rounded /= 2;
    exponent++;
  }
  if (exponent <= 0) return 0;
  if (format == NUM_FPU_DST_FP16 && exponent >= 32) return sign << 31 | 31u << 23 | 0x3ffu << 13;
  if (format != NUM_FPU_DST_FP16 && exponent >= 255) return sign << 31 | 255u << 23;
  uint32_t mantissa = (uint32_t)(rounded - ((wide)1 << (bits - 1))) << (24 - bits);
  return sign << 31 | (uint32_t)exponent << 23 | mantissa;
}

static int exact_bias(const struct num_fpu_mode *m) {
  int bias = m->exp8 ? -127 : m->dst == NUM_FPU_DST_FP32 ? 97 : -15;
  static const int less[4] = {0, 5, 7, 12};
  return bias - less[m->phase];
}

/* A product of at most 12 bits; a zero keeps the exponent max(bias, 0). */
static struct number exact_product(uint32_t a, uint32_t b, const struct num_fpu_mode *m) {
  a &= m->mask_a;
  b &= m->mask_b;
  int ea = a & 255, eb = b & 255, bias = exact_bias(m);
  if (ea == 0 || (eb == 0 && !m->keep_b)) return (struct number){0, largest(bias, 0)};
  int sa = 1024 + (a >> 8 & 1023), sb = 1024 + (b >> 8 & 1023);
  sa = m->phase & 1 ? sa / 2 % 32 : sa / 64;
  sb = m->phase & 2 ? sb % 16 * 8 : sb / 16;
  return (struct number){(wide)sa * sb * ((a ^ b) >> 18 & 1 ? -1 : 1), ea + eb + bias};
}

static uint32_t exact_dot(const uint32_t a[16], const uint32_t b[16], uint32_t dst, const struct num_fpu_mode *m) {
  struct number groups[2];
  for (int g = 0; g < 2; g++) {
    struct number terms[8];
    int e = -100000;
    for (int k = 0; k < 8; k++) {
      terms[k] = exact_product(a[8 * g + k], b[8 * g + k], m);
      e = largest(e, terms[k].exponent);
    }
    groups[g] = (struct number){0, 0};
    if (e <= 0) continue;
    groups[g].exponent = e;
    for (int k = 0; k < 8; k++) groups[g].units += nearest(terms[k].units, e - terms[k].exponent, TIES_AWAY) * 8192;
  }
  return exact_accumulate(groups, 2, dst, m->dst);
}

static uint32_t exact_mul(uint32_t a, uint32_t b, uint32_t dst, const struct num_fpu_mode *m) {
  struct number p = exact_product(a, b, m);
  if (p.exponent <= 0) p = (struct number){0, largest(exact_bias(m), 0)};
  p.units *= 8192;
  return exact_accumulate(&p, 1, dst, m->dst);
}

/* ELWADD and ELWSUB in phase 0. */
static uint32_t exact_add(uint32_t a, uint32_t b, bool subtract, uint32_t dst, const struct num_fpu_mode *m) {
  if (subtract) b ^= 1u << 18;
  a &= m->mask_a;
  b &= m->mask_b;
  if ((a & 255) == 0) a = 0;
  if ((b & 255) == 0 && !m->keep_b) b = 0;
  int ea = a & 255, eb = b & 255, ma = a >> 8 & 1023, mb = b >> 8 & 1023;
  if (ea < eb || (ea == eb && ma < mb)) {
    uint32_t x = a;
    a = b, b = x;
    ea = a & 255, eb = b & 255, ma = a >> 8 & 1023, mb = b >> 8 & 1023;
  }
  int large = a ? 1024 + ma : 0, small = b ? 1024 + mb : 0;
  wide shifted = ea - eb >= 12 ? 0 : nearest(small, ea - eb, TIES_AWAY);
  wide sum = ((a ^ b) >> 18 & 1 ? large - shifted : large + shifted) * 8192;
  struct number s = {a >> 18 & 1 ? -sum : sum, ea};
  if (!m->exp8 && m->dst == NUM_FPU_DST_FP32) s.exponent = ea ? ea + 112 : 97;
  return exact_accumulate(&s, 1, dst, m->dst);
}

/* --- inputs --- */

static struct num_fpu_mode random_mode(void) {
  struct num_fpu_mode m = {.exp8 = below(2), .phase = below(4), .keep_b = below(4) == 0};
  static const uint32_t masks[] = {NUM_FPU_SRC_BF16, NUM_FPU_SRC_TF32};
  m.mask_a = m.exp8 ? masks[below(2)] : NUM_FPU_SRC_FP16;
  m.mask_b = m.exp8 ? masks[below(2)] : NUM_FPU_SRC_FP16;
  m.dst = below(2) ? NUM_FPU_DST_FP32 : m.exp8 ? NUM_FPU_DST_BF16 : NUM_FPU_DST_FP16;
  m.bias = num_fpu_bias(&m);
  return m;
}

/* Exponents over the whole range, close together (rounding and ties), at the limits, small integers, mostly zero. */
static uint32_t random_datum(unsigned kind, uint32_t base) {
  static const uint32_t ends[] = {0, 1, 2, 15, 16, 30, 31, 126, 127, 128, 253, 254, 255};
  uint32_t e;
  switch (kind) {
    case 0: e = below(256); break;
    case 1: e = (base + below(14)) & 255; break;
    case 2: e = ends[below(13)]; break;
    case 3: return (random32() & 0x40000u) | (below(8) << 14 & 0x3ff00u) | (125 + below(6)); /* few mantissa bits: ties */
    case 4: e = below(4) ? 127 : 0; break;
    default: e = below(32); break;
  }
  return (random32() & 0x7ff00u) | e;
}

static uint32_t random_dst(unsigned kind, uint32_t base, enum num_fpu_dst format) {
  uint32_t e = kind == 1 || kind == 3 ? (base + below(24)) & 255 : random_datum(kind, base) & 255;
  if (format == NUM_FPU_DST_FP16) e &= 31;
  uint32_t mantissa = random32() & (format == NUM_FPU_DST_FP32   ? 0x7fffffu
                                    : format == NUM_FPU_DST_BF16 ? 0x7f0000u
                                                                 : 0x7fe000u);
  return (random32() & 0x80000000u) | e << 23 | mantissa;
}

/* --- the reference against the exact calculation --- */

static void test_dot_exact(void **state) {
  (void)state;
  uint64_t rounds = test_scaled(150000);
  for (uint64_t i = 0; i < rounds; i++) {
    struct num_fpu_mode m = random_mode();
    unsigned kind = below(6);
    uint32_t base = below(256), a[16], b[16];
    for (unsigned k = 0; k < 16; k++) {
      a[k] = random_datum(kind, base);
      b[k] = random_datum(kind, kind == 1 ? 254 - base : base);
    }
    uint32_t dst = random_dst(kind, 127, m.dst);
    uint32_t got = num_fpu_dot(a, b, dst, &m), want = exact_dot(a, b, dst, &m);
    if (got != want)
      fail_msg("dot: kind %u dst %u phase %u exp8 %d: %08x, exact %08x", kind, m.dst, m.phase, m.exp8, got, want);
  }
}

static void test_elementwise_exact(void **state) {
  (void)state;
  uint64_t rounds = test_scaled(1000000);
  for (uint64_t i = 0; i < rounds; i++) {
    struct num_fpu_mode m = random_mode();
    unsigned kind = below(6);
    uint32_t base = below(256), a = random_datum(kind, base), b = random_datum(kind, below(2) ? base : 254 - base);
    uint32_t dst = below(4) ? random_dst(kind, base, m.dst) : 0;
    assert_int_equal(num_fpu_mul(a, b, dst, &m), exact_mul(a, b, dst, &m));
    m.phase = 0;
    m.bias = num_fpu_bias(&m);
    bool subtract = below(2);
    if (m.keep_b && !(a & m.mask_a & 0xffu) && !((b ^ (uint32_t)subtract << 18 ^ 1u << 18) & m.mask_b))
      continue; /* next test */
    uint32_t got = num_fpu_add(a, b, subtract, dst, &m), want = exact_add(a, b, subtract, dst, &m);
    if (got != want)
      fail_msg("add %05x %05x sub %d dst %08x format %u: %08x, exact %08x", a, b, subtract, dst, m.dst, got, want);
  }
}

/* SrcA 0 and SrcB -0 while Zero_Flag_disabled_src is set: the golden model's oddity (num_fpu.c). Its values, by hand: the
 * difference 0 - 1024, times 2^13, is 0xff800000. In a 32-bit Dst at exponent 97 that is -2^23: minus one at exponent 97.
 * Over a 16-bit Dst of exponent 20 it is shifted right by 20 as an unsigned number: 0xff8, less than half a unit. At
 * exponent 8 it is 0xff8000, and rounds to 0x7fc units of 2^13 on top of the 0x400 there. */
static void test_negative_zero_kept(void **state) {
  (void)state;
  struct num_fpu_mode m = {.mask_a = NUM_FPU_SRC_FP16, .mask_b = NUM_FPU_SRC_FP16, .dst = NUM_FPU_DST_FP32, .keep_b = true};
  assert_int_equal(num_fpu_add(0, 0, true, 0, &m), 1u << 31 | 97u << 23);
  assert_int_equal(num_fpu_add(0, 0, false, 0, &m), 0);
  m.dst = NUM_FPU_DST_FP16;
  assert_int_equal(num_fpu_add(0, 0, true, 20u << 23, &m), 20u << 23);
  assert_int_equal(num_fpu_add(0, 0, true, 8u << 23, &m), 9u << 23 | (0xbfcu & 0x7ffu) << 12);
}

/* ELWADD.md: phases 1 and 2 divide by 32 and 128; a sum that stays in range only changes its exponent. */
static void test_add_phase_divides(void **state) {
  (void)state;
  struct num_fpu_mode m = {.mask_a = NUM_FPU_SRC_BF16, .mask_b = NUM_FPU_SRC_BF16, .dst = NUM_FPU_DST_FP32, .exp8 = true};
  uint32_t one = 127, two = 128;
  static const uint32_t exponent[4] = {128, 123, 121, 116};
  for (m.phase = 0; m.phase < 4; m.phase++)
    assert_int_equal(num_fpu_add(one, two, false, 0, &m), exponent[m.phase] << 23 | 0x400000u);
}

/* Small integers are exact in FP32 when all four phases run: an identity of plain arithmetic. */
static void test_four_phases_give_the_integer_product(void **state) {
  (void)state;
  for (uint64_t i = 0; i < test_scaled(20000); i++) {
    uint32_t a[16], b[16];
    int64_t sum = 0;
    for (unsigned k = 0; k < 16; k++) {
      int x = (int)below(255) - 127, y = (int)below(255) - 127; /* seven bits: fit BF16's eight */
      sum += x * y;
      int *values[2] = {&x, &y};
      for (unsigned side = 0; side < 2; side++) {
        uint32_t magnitude = (uint32_t)abs(*values[side]), datum = 0;
        if (magnitude) {
          int top = bit_length(magnitude) - 1;
          datum = (*values[side] < 0 ? 1u << 18 : 0) | ((magnitude << (10 - top) & 0x3ffu) << 8) | (uint32_t)(127 + top);
        }
        *(side ? &b[k] : &a[k]) = datum;
      }
    }
    struct num_fpu_mode m = {.mask_a = NUM_FPU_SRC_BF16, .mask_b = NUM_FPU_SRC_BF16, .dst = NUM_FPU_DST_FP32, .exp8 = true};
    /* One product at a time: with sixteen, the alignment of a group drops low bits. */
    uint32_t dst = 0;
    for (unsigned k = 0; k < 16; k++) {
      uint32_t only_a[16] = {0}, only_b[16] = {0};
      only_a[0] = a[k], only_b[0] = b[k];
      for (m.phase = 0; m.phase < 4; m.phase++) {
        m.bias = num_fpu_bias(&m);
        dst = num_fpu_dot(only_a, only_b, dst, &m);
      }
    }
    float value; /* only to print an FP32 pattern as a number */
    memcpy(&value, &dst, sizeof value);
    assert_int_equal((int64_t)value, sum);
    assert_true((float)(int64_t)value == value);
  }
}

static void test_int8_exact(void **state) {
  (void)state;
  for (uint64_t i = 0; i < test_scaled(500000); i++) {
    uint32_t phase = below(4);
    uint32_t a = (random32() & 0x7ff00u) | (below(5) ? 16 : 0), b = (random32() & 0x7ff00u) | (below(5) ? 16 : 0);
    bool keep = below(3) == 0;
    int64_t x = a >> 8 & 1023, y = b >> 8 & 1023;
    x = phase & 1 ? x % 32 : x % 256 / 32 * 32; /* SrcASrcB.md: bits 4:0, or 7:5 */
    y = phase & 2 ? y % 16 : y / 16 * 16;       /* bits 3:0, or 9:4 */
    if (a >> 18) x = -x;
    if (b >> 18) y = -y;
    if ((a & 255) == 0) x = 0;
    if ((b & 255) == 0 && !keep) y = 0;
    assert_int_equal(num_fpu_int8(a, num_fpu_int8_mask_a(phase), false), x);
    assert_int_equal(num_fpu_int8(b, num_fpu_int8_mask_b(phase), keep), y);
    int64_t dst = (int64_t)(random32() & 0x7fffffffu), limit = 0x7fffffff;
    if (below(4) == 0) dst = limit - below(1000);
    uint32_t sign = below(2);
    int64_t total = x * y + (sign ? -dst : dst);
    if (total > limit) total = limit;
    if (total < -limit) total = -limit;
    uint32_t want = total < 0 ? 0x80000000u | (uint32_t)-total : (uint32_t)total;
    assert_int_equal(num_fpu_add_int32(x * y, sign << 31 | (uint32_t)dst), want);
  }
}

/* Dst.md, "Pseudocode helpers": fields swapped in storage. */
static void test_storage(void **state) {
  (void)state;
  assert_int_equal(num_fpu_load(0x807f, 0, NUM_FPU_DST_BF16), 0xbf800000); /* -1.0: s 1, mantissa 0, exponent 127 */
  assert_int_equal(num_fpu_load(0x400f, 0, NUM_FPU_DST_FP16), 15u << 23 | 0x200u << 13);
  assert_int_equal(num_fpu_load(0x407f, 0x1234, NUM_FPU_DST_FP32), 0x3fc01234);
  for (uint32_t x = 0; x < 0x10000; x++) {
    assert_int_equal(num_fpu_store(num_fpu_load(x, 0, NUM_FPU_DST_BF16), NUM_FPU_DST_BF16), x);
    assert_int_equal(num_fpu_store(num_fpu_load(x, 0, NUM_FPU_DST_FP16), NUM_FPU_DST_FP16), x);
    assert_int_equal(num_fpu_store(num_fpu_load(x, x ^ 0x5a5a, NUM_FPU_DST_FP32), NUM_FPU_DST_FP32), x << 16 | (x ^ 0x5a5a));
  }
}

/* A zero product in FP16 into FP32 carries exponent 97, 92, 90, 85 and erases a smaller accumulator. */
static void test_zero_product_erases(void **state) {
  (void)state;
  static const uint32_t exponent[4] = {97, 92, 90, 85};
  uint32_t zero[16] = {0};
  for (uint32_t phase = 0; phase < 4; phase++) {
    struct num_fpu_mode m = {
        .mask_a = NUM_FPU_SRC_FP16, .mask_b = NUM_FPU_SRC_FP16, .dst = NUM_FPU_DST_FP32, .phase = phase};
    m.bias = num_fpu_bias(&m);
    uint32_t near = (exponent[phase] - 23) << 23, far = (exponent[phase] - 25) << 23;
    assert_int_equal(num_fpu_dot(zero, zero, far, &m), 0);
    assert_int_equal(num_fpu_dot(zero, zero, near, &m), near);
    assert_int_equal(num_fpu_mul(0, 0, far, &m), 0);
  }
}

/* --- every version against the reference --- */

static uint32_t bank_a[64][16], bank_b[64][16];
static struct num_fpu_bank_a apart_a;
static struct num_fpu_bank_b apart_b;

static void fill_banks(void) {
  unsigned kind = below(6);
  uint32_t base = below(256);
  for (unsigned row = 0; row < 64; row++) {
    for (unsigned c = 0; c < 16; c++) {
      bank_a[row][c] = random_datum(kind, base);
      bank_b[row][c] = random_datum(kind, kind == 1 ? 254 - base : base);
    }
  }
}

static void fill_dst(uint16_t dst[16][16]) {
  for (unsigned row = 0; row < 16; row++)
    for (unsigned c = 0; c < 16; c++) {
      uint32_t x = random32();
      dst[row][c] = (uint16_t)(below(3) ? (x & 0xff00u) | (118 + below(24)) : x);
    }
}

static struct num_fpu_rows rows_of(uint16_t dst[16][16], uint32_t count, uint32_t undefined) {
  struct num_fpu_rows rows = {.count = count};
  for (unsigned i = 0; i < count; i++) {
    rows.high[i] = dst[i];
    rows.low[i] = dst[i + 8];
    rows.defined[i] = !(undefined >> i & 1u);
  }
  return rows;
}

static void run_version(const struct num_fpu_ops *ops, unsigned what, const struct num_fpu_dot_job *dot,
                        const struct num_fpu_elementwise_job *elementwise) {
  if (ops->uses_banks) {
    ops->decode_a((const uint32_t(*)[16])bank_a, dot->mode.mask_a, &apart_a);
    for (unsigned row = 0; row < 64; row += NUM_FPU_GROUP)
      ops->decode_b((const uint32_t(*)[16])bank_b, row, dot->mode.mask_b, dot->mode.keep_b, &apart_b);
  }
  switch (what) {
    case 0: ops->dot(dot); break;
    case 1: ops->dot_int(dot); break;
    case 2: ops->elementwise(elementwise); break;
    default: ops->elementwise_int(elementwise); break;
  }
}

/* Rows of SrcB without exponents, mostly, and rows of SrcA or Dst: sums with one term, which have a path of their own. */
static void leave_one_term(uint16_t dst[16][16], uint32_t row_a) {
  bool zero_b = below(8);
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++)
      if (zero_b || below(8)) bank_b[row][c] &= ~0xffu;
  for (unsigned row = 0; row < 8; row++) {
    unsigned which = below(8);
    for (unsigned c = 0; c < 16; c++) {
      if (which & 4u && !below(4)) { /* the largest exponent */
        bank_a[row_a + row][c] |= 0xffu;
        dst[row][c] |= 0xffu;
      }
      if (which & 1u) bank_a[row_a + row][c] &= ~0xffu;
      if (which & 2u) dst[row][c] &= 0xff00u;
    }
  }
}

static void compare_versions(unsigned what) {
  uint16_t start[16][16], want[16][16], got[16][16];
  fill_banks();
  fill_dst(start);
  struct num_fpu_dot_job dot = {.mode = random_mode(),
                                .a = (const uint32_t(*)[16])bank_a,
                                .b = (const uint32_t(*)[16])bank_b,
                                .bank_a = &apart_a,
                                .bank_b = &apart_b,
                                .row_a = below(8) * 8,
                                .row_b = below(64),
                                .step_b = below(2)};
  struct num_fpu_elementwise_job elementwise = {
      .mode = dot.mode, .op = (enum num_fpu_op)below(3), .accumulate = below(2), .column0 = below(2)};
  elementwise.a = (const uint32_t(*)[16]) & bank_a[dot.row_a];
  elementwise.step_b = dot.step_b;
  elementwise.b = (const uint32_t(*)[16]) & bank_b[dot.step_b ? dot.row_b & 0x38u : dot.row_b];
  uint32_t count = 1 + below(8), undefined = below(4) ? 0 : random32();
  if (what == 2 && !below(3)) leave_one_term(start, dot.row_a);
  for (size_t n = 0; num_fpu_nth(n); n++) {
    uint16_t(*dst)[16] = n == 0 ? want : got;
    memcpy(dst, start, sizeof start);
    dot.rows = elementwise.rows = rows_of(dst, count, undefined);
    run_version(num_fpu_nth(n), what, &dot, &elementwise);
    if (n > 0 && memcmp(want, got, sizeof want) != 0)
      fail_msg("%s differs from the reference: what %u, dst %u, phase %u, exp8 %d, op %u", num_fpu_nth(n)->name, what,
               dot.mode.dst, dot.mode.phase, dot.mode.exp8, elementwise.op);
  }
}

/* GMPOOL by vectors against a plain maximum of sign and magnitude. A scale of 1.0 leaves an exponent as it is, 0 makes a datum minus infinity;
 * a number is in Dst's order, and zero there is larger than one of SrcA (tensix/unit/matrix/pool.c). */
static uint32_t maximum(const struct num_fpu_pool_job *job, unsigned column) {
  uint32_t old = job->rows.defined[0] ? job->rows.high[0][column] : 0xffffu;
  int32_t max = (int32_t)(((old & 0xffu) + 127) << 10 | (old >> 8 & 0x7fu) << 3);
  if (old >> 15) max = -max;
  for (unsigned i = 0; i < 16; i++) {
    uint32_t a = job->a[i][column], scale = job->b[i] & 0xffu;
    int32_t x = (int32_t)(((a & 0xffu) + scale) << 10 | (a >> 8 & 0x3f8u));
    x = !scale ? -0x7ffff : !(a & 0xffu) ? 0 : a >> 18 & 1u ? -x : x;
    if (x > max) max = x;
  }
  uint32_t m = (uint32_t)abs(max), exponent = m >> 10;
  return exponent ? (max < 0 ? 0x8000u : 0) | (m & 0x3f8u) << 5 | ((exponent - 127) & 0xffu) : 0;
}

static void test_versions_pool(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_scaled(4000); round++) {
    uint16_t start[16][16], got[16][16];
    uint32_t undefined = below(2);
    fill_banks();
    fill_dst(start);
    for (unsigned c = 0; c < 16; c++) {
      bank_b[0][c] = (bank_b[0][c] & ~0xffu) | (below(100) ? 127 : below(2) * 130);
      if (!below(16)) start[0][c] = (uint16_t)(below(3) ? 0 : random32() & 0xff00u);
      for (unsigned i = 0; i < 16 && round % 2; i++) bank_a[i][c] |= 1u << 18; /* all are negative */
    }
    struct num_fpu_pool_job job = {
        .a = (const uint32_t(*)[16])bank_a, .b = bank_b[0], .mask_a = 0x3f8, .dst = NUM_FPU_DST_BF16, .exp8 = true};
    for (size_t n = 1; num_fpu_nth(n); n++) {
      memcpy(got, start, sizeof start);
      job.rows = rows_of(got, 4, undefined);
      memset(job.rows.low, 0, sizeof job.rows.low);
      uint16_t want[16];
      for (unsigned c = 0; c < 16; c++) want[c] = (uint16_t)maximum(&job, c);
      num_fpu_nth(n)->pool(&job);
      assert_memory_equal(got[0], want, sizeof want);
      for (unsigned c = 0; c < 48; c++) assert_int_equal(got[1 + c / 16][c % 16], 0);
      assert_memory_equal(got[4], start[4], 12 * sizeof start[4]);
    }
  }
}

/* 128 elements of 16 products per round: by default about 4 million products for every version. */
static void test_versions_dot(void **state) {
  (void)state;
  for (uint64_t i = 0; i < test_scaled(12000); i++) compare_versions(0);
}

static void test_versions_dot_int(void **state) {
  (void)state;
  for (uint64_t i = 0; i < test_scaled(4000); i++) compare_versions(1);
}

static void test_versions_elementwise(void **state) {
  (void)state;
  for (uint64_t i = 0; i < test_scaled(30000); i++) compare_versions(2);
}

static void test_versions_elementwise_int(void **state) {
  (void)state;
  for (uint64_t i = 0; i < test_scaled(10000); i++) compare_versions(3);
}

static void test_versions_listed(void **state) {
  (void)state;
  assert_string_equal(num_fpu_nth(0)->name, "scalar");
  assert_ptr_not_equal(num_fpu_best(), &num_fpu_scalar);
  printf("note: versions compared:");
  for (size_t n = 0; num_fpu_nth(n); n++) printf(" %s", num_fpu_nth(n)->name);
  printf("; in use: %s\n", num_fpu_best()->name);
}

/* --- the smallest fidelity that is exact, per format --- */

static uint32_t value_with_bits(unsigned mantissa_bits) { /* 1 <= |x| < 2 */
  return below(2) << 18 | (random32() & 0x3ffu & ~(0x3ffu >> mantissa_bits)) << 8 | 127;
}

/* Phases needed until every product of two such numbers is exact in FP32; 0 when four are not enough. */
static unsigned phases_needed(unsigned mantissa_bits) {
  bool good[5] = {false, true, true, true, true};
  for (uint64_t i = 0; i < test_scaled(20000) + 2000; i++) {
    uint32_t a = value_with_bits(mantissa_bits), b = value_with_bits(mantissa_bits), dst = 0;
    struct num_fpu_mode m = {.mask_a = NUM_FPU_SRC_TF32, .mask_b = NUM_FPU_SRC_TF32, .dst = NUM_FPU_DST_FP32, .exp8 = true};
    uint32_t product = (1024 + (a >> 8 & 1023)) * (1024 + (b >> 8 & 1023)); /* 2.20 bits */
    uint32_t top = product >> 21, exact = (a ^ b) >> 18 << 31 | (127 + top) << 23 | (product << (3 - top) & 0x7fffffu);
    for (m.phase = 0; m.phase < 4; m.phase++) {
      m.bias = num_fpu_bias(&m);
      dst = num_fpu_mul(a, b, dst, &m);
      if (dst != exact) good[m.phase + 1] = false;
    }
  }
  for (unsigned n = 1; n <= 4; n++)
    if (good[n]) return n;
  return 0;
}

static void test_fidelity_table(void **state) {
  (void)state;
  assert_int_equal(phases_needed(0), 1);  /* BFP2 */
  assert_int_equal(phases_needed(2), 1);  /* BFP4 */
  assert_int_equal(phases_needed(3), 1);  /* FP8 E4M3 */
  assert_int_equal(phases_needed(6), 2);  /* BFP8 */
  assert_int_equal(phases_needed(7), 4);  /* BF16 */
  assert_int_equal(phases_needed(10), 0); /* TF32, FP16: the lowest bit of SrcA is never used */
  printf("note: phases until exact: BFP2 1, BFP4 1, FP8 1, BFP8 2, BF16 4, TF32 and FP16 never\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_storage),           cmocka_unit_test(test_dot_exact),
      cmocka_unit_test(test_elementwise_exact), cmocka_unit_test(test_negative_zero_kept),
      cmocka_unit_test(test_add_phase_divides), cmocka_unit_test(test_four_phases_give_the_integer_product),
      cmocka_unit_test(test_int8_exact),        cmocka_unit_test(test_zero_product_erases),
      cmocka_unit_test(test_versions_listed),   cmocka_unit_test(test_versions_dot),
      cmocka_unit_test(test_versions_dot_int),  cmocka_unit_test(test_versions_elementwise),
      cmocka_unit_test(test_versions_pool),     cmocka_unit_test(test_versions_elementwise_int),
      cmocka_unit_test(test_fidelity_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
