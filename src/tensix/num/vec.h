/* Vectors of 32-bit lanes in the compiler's own vector types, of NUM_VEC_BYTES bytes: 16, 32 or 64. Included by files
 * that are compiled once per target; all functions are static. 32 lanes are NUM_VEC_CHUNKS such vectors.
 *
 * A truth value of a lane is 0 or all ones. */
#ifndef TESSERA_NUM_VEC_H
#define TESSERA_NUM_VEC_H

#include <stdint.h>
#include <string.h>

#if NUM_VEC_BYTES > 16
#include <immintrin.h>
#endif

#include "sim/keep.h"

#define NUM_VEC_LANES (NUM_VEC_BYTES / 4u)
#define NUM_VEC_CHUNKS (32u / NUM_VEC_LANES)

typedef uint32_t num_vec __attribute__((vector_size(NUM_VEC_BYTES)));
typedef int32_t num_ivec __attribute__((vector_size(NUM_VEC_BYTES)));
typedef uint16_t num_vec16 __attribute__((vector_size(NUM_VEC_BYTES))); /* the halves of the lanes */

#define NUM_VEC_INLINE static inline __attribute__((always_inline))

NUM_VEC_INLINE num_vec vec_load(const uint32_t *lanes, unsigned chunk) {
  num_vec v;
  memcpy(&v, lanes + chunk * NUM_VEC_LANES, sizeof v);
  return v;
}

NUM_VEC_INLINE void vec_store(uint32_t *lanes, unsigned chunk, num_vec v) {
  memcpy(lanes + chunk * NUM_VEC_LANES, &v, sizeof v);
}

NUM_VEC_INLINE num_vec vec_all(uint32_t x) { return (num_vec){0} + x; }
NUM_VEC_INLINE num_vec vec_if(num_vec truth, num_vec yes, num_vec no) {
#if NUM_VEC_BYTES == 32
  return (num_vec)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)truth);
#else
  return (truth & yes) | (~truth & no);
#endif
}

/* Comparisons as truth values. */
NUM_VEC_INLINE num_vec vec_eq(num_vec a, num_vec b) { return (num_vec)(a == b); }
NUM_VEC_INLINE num_vec vec_ne(num_vec a, num_vec b) { return (num_vec)(a != b); }
NUM_VEC_INLINE num_vec vec_lt(num_vec a, num_vec b) { return (num_vec)(a < b); }
NUM_VEC_INLINE num_vec vec_slt(num_vec a, num_vec b) { return (num_vec)((num_ivec)a < (num_ivec)b); }

NUM_VEC_INLINE num_vec vec_sar(num_vec a, num_vec by) { return (num_vec)((num_ivec)a >> (num_ivec)by); }

/* a >> by, which is 0 from 32 on. */
NUM_VEC_INLINE num_vec vec_shift_out(num_vec a, num_vec by) {
#if NUM_VEC_BYTES == 32
  return (num_vec)_mm256_srlv_epi32((__m256i)a, (__m256i)by);
#elif NUM_VEC_BYTES == 64
  return (num_vec)_mm512_srlv_epi32((__m512i)a, (__m512i)by);
#else
  return a >> (by & 31u) & vec_lt(by, vec_all(32));
#endif
}

/* The smaller of two unsigned numbers; the larger of two signed ones, and the magnitude of one. */
NUM_VEC_INLINE num_vec vec_min(num_vec a, num_vec b) {
#if NUM_VEC_BYTES == 32
  return (num_vec)_mm256_min_epu32((__m256i)a, (__m256i)b);
#elif NUM_VEC_BYTES == 64
  return (num_vec)_mm512_min_epu32((__m512i)a, (__m512i)b);
#else
  return vec_if(vec_lt(a, b), a, b);
#endif
}
NUM_VEC_INLINE num_vec vec_smax(num_vec a, num_vec b) {
#if NUM_VEC_BYTES == 32
  return (num_vec)_mm256_max_epi32((__m256i)a, (__m256i)b);
#elif NUM_VEC_BYTES == 64
  return (num_vec)_mm512_max_epi32((__m512i)a, (__m512i)b);
#else
  return vec_if(vec_slt(a, b), b, a);
#endif
}
NUM_VEC_INLINE num_vec vec_sabs(num_vec a) {
#if NUM_VEC_BYTES == 32
  return (num_vec)_mm256_abs_epi32((__m256i)a);
#elif NUM_VEC_BYTES == 64
  return (num_vec)_mm512_abs_epi32((__m512i)a);
#else
  num_vec negative = vec_slt(a, vec_all(0));
  return (a ^ negative) - negative;
#endif
}

/* 1 << index in the vector. */
NUM_VEC_INLINE num_vec vec_place_bits(void) {
#if NUM_VEC_BYTES == 64
  return (num_vec){1u << 0, 1u << 1, 1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
                   1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15};
#elif NUM_VEC_BYTES == 32
  return (num_vec){1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5, 1u << 6, 1u << 7};
#else
  return (num_vec){1u << 0, 1u << 1, 1u << 2, 1u << 3};
#endif
}

#if NUM_VEC_BYTES > 16
/* Bytes chosen within each group of 16 by the low four bits of their index; 0 where its top bit is set. */
NUM_VEC_INLINE num_vec vec_permute(num_vec a, num_vec index) {
#if NUM_VEC_BYTES == 64
  return (num_vec)_mm512_shuffle_epi8((__m512i)a, (__m512i)index);
#else
  return (num_vec)_mm256_shuffle_epi8((__m256i)a, (__m256i)index);
#endif
}
/* The index of a lane's first byte in its group. */
NUM_VEC_INLINE num_vec vec_first_bytes(void) {
#if NUM_VEC_BYTES == 64
  return (num_vec){0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12};
#else
  return (num_vec){0, 4, 8, 12, 0, 4, 8, 12};
#endif
}
#endif

/* Bits of a mask (lowest: the chunk's first lane) to truth values, and back. */
NUM_VEC_INLINE num_vec vec_from_bits(uint32_t bits) { return vec_ne(vec_all(bits) & vec_place_bits(), vec_all(0)); }

NUM_VEC_INLINE uint32_t vec_to_bits(num_vec truth) {
#if NUM_VEC_BYTES == 64
  return _mm512_movepi32_mask((__m512i)truth);
#elif NUM_VEC_BYTES == 32
  return (uint32_t)_mm256_movemask_ps((__m256)truth);
#else
  num_vec bits = truth & vec_place_bits();
  return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

#if NUM_VEC_BYTES == 32
#define VEC_8(x) \
  { x, x, x, x, x, x, x, x }
/* Constants to be loaded: the compiler makes each by three instructions, wherever it is used. */
static const struct vec_constants {
  uint32_t high_zeros[8], low_zeros[8], nibbles[8], places[8];         /* vec_zeros */
  uint32_t top[8], mantissa[8], lead[8], bias[8], one[8], rounding[8], /* fma_lanes.h */
      places_from_28[8];
} vec_constants = {
    .high_zeros = {0x020203c8, 0x01010101, 0, 0, 0x020203c8, 0x01010101, 0, 0},
    .low_zeros = {0x060607c8, 0x05050505, 0x04040404, 0x04040404, 0x060607c8, 0x05050505, 0x04040404, 0x04040404},
    .nibbles = VEC_8(0x0f0f0f0f),
    .places = VEC_8(0x00081018),
    .top = VEC_8(0x80000000),
    .mantissa = VEC_8(0x7fffff),
    .lead = VEC_8(0x800000),
    .bias = VEC_8(127),
    .one = VEC_8(1),
    .rounding = VEC_8((1u << 28) + 15u),
    .places_from_28 = VEC_8(0xfd050d15),
};
#undef VEC_8
NUM_VEC_INLINE __m256i vec_constant(const uint32_t lanes[8]) { return (__m256i)vec_load(lanes, 0); }

/* The leading zeros of each lane, each byte's place added; zero: 197 or more. The zeros of each nibble by a table, 200 for none set, plus those of
 * the nibbles above it: the least of a lane is its number. An index with bit 7 set looks up 0, which is right. */
NUM_VEC_INLINE __m256i vec_zeros(const struct vec_constants *c, __m256i a, __m256i places) {
  __m256i lower = _mm256_shuffle_epi8(vec_constant(c->low_zeros), a);
  __m256i upper =
      _mm256_shuffle_epi8(vec_constant(c->high_zeros), _mm256_and_si256(_mm256_srli_epi32(a, 4), vec_constant(c->nibbles)));
  __m256i bytes = _mm256_add_epi8(_mm256_min_epu8(lower, upper), places);
  bytes = _mm256_min_epu8(bytes, _mm256_slli_epi32(bytes, 16));
  bytes = _mm256_min_epu8(bytes, _mm256_slli_epi32(bytes, 8));
  return _mm256_srli_epi32(bytes, 24);
}
#endif

/* Shifts the leading one to bit 31; *zeros is set to the distance. Zero stays zero with 32 (or 31 in the narrow versions). */
NUM_VEC_INLINE num_vec vec_normalise(num_vec a, num_vec *zeros) {
#if NUM_VEC_BYTES == 64
  *zeros = (num_vec)_mm512_lzcnt_epi32((__m512i)a);
  return (num_vec)_mm512_sllv_epi32((__m512i)a, (__m512i)*zeros);
#elif NUM_VEC_BYTES == 32
  const struct vec_constants *c = sim_keep(&vec_constants);
  *zeros = vec_min((num_vec)vec_zeros(c, (__m256i)a, vec_constant(c->places)), vec_all(31));
  return (num_vec)_mm256_sllv_epi32((__m256i)a, (__m256i)*zeros);
#else
  num_vec n = vec_all(0);
  for (uint32_t step = 16; step; step >>= 1) {
    num_vec shift = vec_eq(a >> (32 - step), vec_all(0)) & step;
    a = a << shift;
    n += shift;
  }
  *zeros = n;
  return a;
#endif
}

/* Product of two 24-bit numbers, 48 bits: bits 47..20, and truth "bits 19..0 are not all zero". */
NUM_VEC_INLINE num_vec vec_mul24_high28(num_vec a, num_vec b, num_vec *inexact) {
#if NUM_VEC_BYTES == 64
  const __mmask16 odd_lanes = 0xaaaa;
  __m512i even = _mm512_mul_epu32((__m512i)a, (__m512i)b);
  __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), _mm512_srli_epi64((__m512i)b, 32));
  __m512i high = _mm512_mask_mov_epi32(_mm512_srli_epi64(even, 20), odd_lanes, _mm512_slli_epi64(odd, 12));
  __m512i low = _mm512_mask_mov_epi32(even, odd_lanes, _mm512_slli_epi64(odd, 32));
  *inexact = vec_ne((num_vec)low & 0xfffffu, vec_all(0));
  return (num_vec)high;
#elif NUM_VEC_BYTES == 32
  __m256i even = _mm256_mul_epu32((__m256i)a, (__m256i)b);
  __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), _mm256_srli_epi64((__m256i)b, 32));
  __m256i high = _mm256_blend_epi32(_mm256_srli_epi64(even, 20), _mm256_slli_epi64(odd, 12), 0xaa);
  __m256i low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
  *inexact = vec_ne((num_vec)low & 0xfffffu, vec_all(0));
  return (num_vec)high;
#else
  num_vec ah = a >> 12, al = a & 0xfffu, bh = b >> 12, bl = b & 0xfffu;
  num_vec middle = ah * bl + al * bh;
  num_vec low = al * bl + ((middle & 0xfffu) << 12);
  *inexact = vec_ne(low & 0xfffffu, vec_all(0));
  return ((ah * bh + (middle >> 12)) << 4) + (low >> 20);
#endif
}

#endif
