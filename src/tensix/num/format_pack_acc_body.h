/* Sums in L1 in vectors of 32-bit lanes: the arithmetic of format_pack_acc.c without branches, compiled for AVX2
 * (format_pack_acc_avx2.c). A significand has its leading one at bit 29, so at least five bits are below the last one kept; the bits
 * shifted out of these form one sticky bit, and the rounding to nearest even has the same result. */
#ifndef TESSERA_NUM_FORMAT_PACK_ACC_BODY_H
#define TESSERA_NUM_FORMAT_PACK_ACC_BODY_H

#include "tensix/num/vec.h"

#define START 29u /* bit of the leading one before a sum, */
#define TOP 31u   /* and after it was normalised */

/* Two numbers with 8 bits of exponent and `mantissa` bits after it, their signs at bit mantissa + 8; exponent 255 is one more exponent. */
NUM_VEC_INLINE num_vec add_finite(num_vec old, num_vec added, uint32_t mantissa) {
  const uint32_t one = 1u << mantissa, sign_bit = one << 8, fraction = one - 1, drop = TOP - mantissa;
  num_vec a = old & (sign_bit - 1), b = added & (sign_bit - 1), zero = vec_all(0);
  a &= ~vec_lt(a, vec_all(one)), b &= ~vec_lt(b, vec_all(one)); /* denormals are zeros */
  num_vec swap = vec_lt(a, b), high = vec_if(swap, b, a), low = vec_if(swap, a, b);
  num_vec x = (((high & fraction) | one) << (START - mantissa)) & vec_ne(high, zero);
  num_vec y = (((low & fraction) | one) << (START - mantissa)) & vec_ne(low, zero);
  num_vec distance = (high >> mantissa) - (low >> mantissa);
  distance = vec_if(vec_lt(vec_all(31), distance), vec_all(31), distance);
  num_vec shifted = y >> distance;
  shifted |= vec_ne(shifted << distance, y) & 1u;
  num_vec minus = vec_ne((old ^ added) & sign_bit, zero);
  num_vec sum = x + ((shifted ^ minus) - minus);
  num_vec sign = vec_if(vec_eq(sum, zero), old & added, vec_if(swap, added, old)) & sign_bit;
  num_vec moved, s = vec_normalise(sum, &moved);
  num_vec exponent = (high >> mantissa) + (TOP - START) - moved; /* as a signed number: 0 and below are zero */
  num_vec kept = s >> drop, rest = s & ((1u << drop) - 1u), half = vec_all(1u << (drop - 1));
  kept += (vec_lt(half, rest) | (vec_eq(rest, half) & vec_ne(kept & 1u, zero))) & 1u;
  num_vec bits = (exponent << mantissa) + kept - one;
  bits = vec_if(vec_slt(vec_all(254), exponent), vec_all(255u << mantissa), bits);
  return sign | (bits & vec_slt(zero, exponent) & vec_ne(sum, zero));
}

NUM_VEC_INLINE num_vec add_bf16(num_vec old, num_vec added) {
  num_vec a = old & 0x7fffu, b = added & 0x7fffu, infinity = vec_all(0x7f80u);
  num_vec sum = add_finite(old, added, 7);
  sum = vec_if(vec_lt(a, infinity), sum, (old & 0x8000u) | infinity);
  sum = vec_if(vec_eq(b, infinity), added, sum);
  return vec_if(vec_eq(a, infinity) & vec_eq(b, infinity) & vec_ne(old, added), vec_all(0x7fc0u), sum);
}

NUM_VEC_INLINE num_vec add_fp32(num_vec old, num_vec added) {
  num_vec a = old & 0x7fffffffu, b = added & 0x7fffffffu, infinity = vec_all(0x7f800000u), nan = vec_all(0x7fc00000u);
  num_vec sum = add_finite(old, added, 23);
  sum = vec_if(vec_eq(b, infinity), added, sum);
  sum = vec_if(vec_eq(a, infinity), vec_if(vec_eq(a, b) & vec_ne(old, added), nan, old), sum);
  return vec_if(vec_lt(infinity, a) | vec_lt(infinity, b), nan, sum);
}

typedef uint16_t num_half __attribute__((vector_size(NUM_VEC_BYTES / 2)));

/* `length` is a multiple of sixteen bytes: for BF16 always whole vectors, for FP32 possibly half of the last one. */
NUM_VEC_INLINE void sum_bf16(uint8_t *l1, const uint8_t *added, unsigned length) {
  for (unsigned at = 0; at < length; at += sizeof(num_half)) {
    num_half a, b;
    memcpy(&a, l1 + at, sizeof a);
    memcpy(&b, added + at, sizeof b);
    a = __builtin_convertvector(add_bf16(__builtin_convertvector(a, num_vec), __builtin_convertvector(b, num_vec)),
                                num_half);
    memcpy(l1 + at, &a, sizeof a);
  }
}

NUM_VEC_INLINE void sum_fp32(uint8_t *l1, const uint8_t *added, unsigned length) {
  for (unsigned at = 0; at < length; at += sizeof(num_vec)) {
    size_t bytes = length - at < sizeof(num_vec) ? length - at : sizeof(num_vec);
    num_vec a = vec_all(0), b = vec_all(0);
    memcpy(&a, l1 + at, bytes);
    memcpy(&b, added + at, bytes);
    a = add_fp32(a, b);
    memcpy(l1 + at, &a, bytes);
  }
}

#endif
