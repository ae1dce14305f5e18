/* Accumulation in L1 (format_pack_acc.h). Source: golden model (ttsim 1.10.0, PACR with Pack_L1_Acc). */
#include "tensix/num/format_pack_acc.h"

#include "tensix/num/format.h"

bool num_acc_exists(unsigned format) { return format == NUM_FP32 || format == NUM_BF16 || format == NUM_FP16; }

/* A number that is not special: (-1)^sign * significand * 2^(exponent). The significand has its leading one at bit TOP, or
 * is 0. */
struct number {
  uint32_t sign;
  int32_t exponent;
  uint64_t significand;
};

#define TOP 60

static struct number make(uint32_t sign, int32_t exponent, uint64_t significand, int width) {
  return (struct number){sign, exponent, significand << (TOP + 1 - width)};
}

/* Larger magnitude first; the smaller one keeps a sticky bit. Exact except for that. Equal magnitudes of opposite sign: +0. */
static struct number sum(struct number a, struct number b) {
  if (b.significand &&
      (!a.significand || b.exponent > a.exponent || (b.exponent == a.exponent && b.significand > a.significand))) {
    struct number swap = a;
    a = b;
    b = swap;
  }
  if (!a.significand) return (struct number){a.sign & b.sign, 0, 0};
  if (!b.significand) return a;
  uint32_t distance = (uint32_t)(a.exponent - b.exponent);
  uint64_t low = distance > 62 ? 1 : (b.significand >> distance) | ((b.significand & ((UINT64_C(1) << distance) - 1)) != 0);
  a.significand = a.sign == b.sign ? a.significand + low : a.significand - low;
  if (!a.significand) return (struct number){0, 0, 0};
  int up = __builtin_clzll(a.significand) - (63 - TOP);
  if (up < 0) {
    a.significand = (a.significand >> 1) | (a.significand & 1);
    a.exponent++;
  } else {
    a.significand <<= up;
    a.exponent -= up;
  }
  return a;
}

/* The significand's `width` leading bits, nearest even; may be one bit wider after a carry. */
static uint64_t round_even(uint64_t significand, int width) {
  int drop = TOP + 1 - width;
  uint64_t kept = significand >> drop, rest = significand & ((UINT64_C(1) << drop) - 1), half = UINT64_C(1) << (drop - 1);
  return kept + (rest > half || (rest == half && (kept & 1)));
}

/* Exponent field `e` and a rounded significand with its leading one at bit `mantissa` (or one above): the addition
 * propagates the carry. */
static uint32_t assemble(int32_t e, uint64_t rounded, int mantissa) {
  return ((uint32_t)e << mantissa) + (uint32_t)(rounded - (UINT64_C(1) << mantissa));
}

static struct number fp32_number(uint32_t x) {
  uint32_t e = (x >> 23) & 255u;
  return make(x >> 31, (int32_t)e, e ? (x & 0x7fffffu) | 0x800000u : 0, 24);
}

/* A finite sum as FP32, nearest even; below the normal range a signed zero. */
static uint32_t fp32_of(struct number x) {
  if (!x.significand || x.exponent <= 0) return x.sign << 31;
  if (x.exponent >= 255) return x.sign << 31 | 0x7f800000u;
  uint32_t bits = assemble(x.exponent, round_even(x.significand, 24), 23);
  return x.sign << 31 | (bits < 0x7f800000u ? bits : 0x7f800000u);
}

uint32_t num_acc_fp32(uint32_t old, uint32_t added) {
  uint32_t a = old & 0x7fffffffu, b = added & 0x7fffffffu;
  if (a > 0x7f800000u || b > 0x7f800000u) return 0x7fc00000u;
  if (a == 0x7f800000u) return b == a && old != added ? 0x7fc00000u : old;
  if (b == 0x7f800000u) return added;
  return fp32_of(sum(fp32_number(old), fp32_number(added)));
}

static struct number bf16_number(uint32_t x) {
  uint32_t e = (x >> 7) & 255u;
  return make(x >> 15, (int32_t)e, e ? (x & 0x7fu) | 0x80u : 0, 8);
}

uint16_t num_acc_bf16(uint16_t old, uint16_t added) {
  uint32_t a = old & 0x7fffu, b = added & 0x7fffu;
  if (a == 0x7f80u && b == 0x7f80u && old != added) return 0x7fc0u;
  if (b == 0x7f80u) return added;
  if (a >= 0x7f80u) return (uint16_t)((old & 0x8000u) | 0x7f80u); /* infinity, or a NaN as a huge number */
  struct number x = sum(bf16_number(old), bf16_number(added));
  uint32_t sign = x.sign << 15;
  if (!x.significand || x.exponent <= 0) return (uint16_t)sign;
  if (x.exponent >= 255) return (uint16_t)(sign | 0x7f80u);
  return (uint16_t)(sign | assemble(x.exponent, round_even(x.significand, 8), 7));
}

static struct number fp16_number(uint32_t x) {
  uint32_t e = (x >> 10) & 31u;
  return make(x >> 15, (int32_t)e, e ? (x & 0x3ffu) | 0x400u : 0, 11);
}

uint16_t num_acc_fp16(uint16_t old, uint16_t added, bool *bug) {
  struct number x = sum(fp16_number(old), fp16_number(added));
  uint32_t sign = x.sign << 15;
  *bug = false;
  if (!x.significand) {
    *bug = ((old >> 10) & 31u) >= 30u;
    return (uint16_t)(sign | (*bug ? 0x7fffu : 0));
  }
  if (x.exponent <= 0) {
    *bug = x.exponent < 0;
    return (uint16_t)(sign | (*bug ? 0x7fffu : 0));
  }
  uint32_t bits = assemble(x.exponent, round_even(x.significand, 11), 10);
  return (uint16_t)(sign | (bits < 0x8000u ? bits : 0x7fffu));
}

static uint32_t get(const uint8_t *p, unsigned bytes) {
  uint32_t x = 0;
  for (unsigned i = 0; i < bytes; i++) x |= (uint32_t)p[i] << 8 * i;
  return x;
}

static void put(uint8_t *p, unsigned bytes, uint32_t x) {
  for (unsigned i = 0; i < bytes; i++) p[i] = (uint8_t)(x >> 8 * i);
}

unsigned num_acc_bytes_plain(unsigned format, uint8_t *l1, const uint8_t *added, unsigned length) {
  unsigned bytes = num_format_bits(format) / 8, bugs = 0;
  for (unsigned at = 0; at < length; at += bytes) {
    uint32_t old = get(l1 + at, bytes), more = get(added + at, bytes), result;
    bool bug = false;
    if (format == NUM_FP32) result = num_acc_fp32(old, more);
    else if (format == NUM_BF16) result = num_acc_bf16((uint16_t)old, (uint16_t)more);
    else result = num_acc_fp16((uint16_t)old, (uint16_t)more, &bug);
    put(l1 + at, bytes, result);
    bugs += bug;
  }
  return bugs;
}

unsigned num_acc_bytes(unsigned format, uint8_t *l1, const uint8_t *added, unsigned length) {
#if defined(__x86_64__)
  if (format != NUM_FP16 && length % 16 == 0 && __builtin_cpu_supports("avx2")) {
    if (format == NUM_BF16) num_acc_bf16_avx2(l1, added, length);
    else num_acc_fp32_avx2(l1, added, length);
    return 0;
  }
#endif
  return num_acc_bytes_plain(format, l1, added, length);
}
