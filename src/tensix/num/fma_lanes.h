/* fma.h over vectors: x * y + z in every lane. Lanes with infinite or NaN operands, or with an overflowing product,
 * are wrong and marked in *special, one bit per lane: the caller computes those with num_fma32. Included once per target,
 * after NUM_VEC_BYTES is set. */
#ifndef TESSERA_NUM_FMA_LANES_H
#define TESSERA_NUM_FMA_LANES_H

#include "tensix/num/vec.h"

#if NUM_VEC_BYTES == 64
/* AVX-512, with mask registers for truth values; about 70 instructions for 16 lanes.
 *
 * Terms are significands << 3 as in fma.c. A sum is below 2^29; it is shifted so that its leading one is bit 28, and
 * rounded at bit 5 by adding 15 and the lowest remaining bit. Results outside the range of normal numbers are `special` too. */
NUM_VEC_INLINE __m512i exponent_field(__m512i a) {
  return _mm512_and_si512(_mm512_srli_epi32(a, 23), _mm512_set1_epi32(255));
}

/* (a & mantissa) | implicit one */
NUM_VEC_INLINE __m512i significand(__m512i a) {
  return _mm512_ternarylogic_epi32(a, _mm512_set1_epi32(0x7fffff), _mm512_set1_epi32(0x800000), 0xea);
}

/* Bits 47..20 of the products of significands, bit 0 sticky. */
NUM_VEC_INLINE __m512i product28(__m512i a, __m512i b) {
  const __mmask16 odd_lanes = 0xaaaa;
  __m512i even = _mm512_mul_epu32(a, b);
  __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
  __m512i high = _mm512_mask_mov_epi32(_mm512_srli_epi64(even, 20), odd_lanes, _mm512_slli_epi64(odd, 12));
  __m512i low = _mm512_mask_mov_epi32(even, odd_lanes, _mm512_slli_epi64(odd, 32));
  __mmask16 inexact = _mm512_test_epi32_mask(low, _mm512_set1_epi32(0xfffff));
  return _mm512_mask_or_epi32(high, inexact, high, _mm512_set1_epi32(1));
}

/* Rounds sums that are not zero; `out` gets the lanes whose result is not a normal number. Exponents are of bit 26. */
NUM_VEC_INLINE __m512i rounded_sum(__m512i sum, __m512i exponent, __mmask16 *out) {
  __m512i shift = _mm512_sub_epi32(_mm512_lzcnt_epi32(sum), _mm512_set1_epi32(3));
  __m512i normal = _mm512_sllv_epi32(sum, shift), e = _mm512_sub_epi32(exponent, shift); /* e + 2: of the leading one */
  *out = _mm512_cmpgt_epu32_mask(_mm512_add_epi32(e, _mm512_set1_epi32(1)), _mm512_set1_epi32(253));
  __m512i lowest = _mm512_and_si512(_mm512_srli_epi32(normal, 5), _mm512_set1_epi32(1));
  __m512i up = _mm512_add_epi32(_mm512_add_epi32(normal, _mm512_set1_epi32((1 << 28) + 15)), lowest);
  return _mm512_add_epi32(_mm512_slli_epi32(e, 23), _mm512_srli_epi32(up, 5));
}

NUM_VEC_INLINE num_vec vec_fma32(num_vec vx, num_vec vy, num_vec vz, uint32_t *special) {
  const __m512i one = _mm512_set1_epi32(1), zero = _mm512_setzero_si512(), all_ones = _mm512_set1_epi32(255);
  __m512i x = (__m512i)vx, y = (__m512i)vy, z = (__m512i)vz;
  __m512i ex = exponent_field(x), ey = exponent_field(y), ez = exponent_field(z);
  __m512i pe = _mm512_add_epi32(_mm512_add_epi32(ex, ey), _mm512_set1_epi32(-127));
  __mmask16 strange =
      _mm512_cmpge_epi32_mask(_mm512_max_epi32(_mm512_max_epi32(ex, ey), _mm512_max_epi32(ez, pe)), all_ones);
  __mmask16 there = _mm512_mask_cmpge_epi32_mask(_mm512_test_epi32_mask(_mm512_min_epi32(ex, ey), all_ones), pe, zero);
  __m512i p = _mm512_maskz_mov_epi32(there, product28(significand(x), significand(y)));
  pe = _mm512_maskz_mov_epi32(there, pe);
  __m512i addend = _mm512_maskz_slli_epi32(_mm512_test_epi32_mask(ez, ez), significand(z), 3);

  __mmask16 z_high = _mm512_cmplt_epi32_mask(pe, ez);
  __m512i high = _mm512_mask_blend_epi32(z_high, p, addend), low = _mm512_mask_blend_epi32(z_high, addend, p);
  __m512i by = _mm512_abs_epi32(_mm512_sub_epi32(pe, ez)); /* shifts of 32 and more return 0 */
  __m512i kept = _mm512_srlv_epi32(low, by);
  __mmask16 lost = _mm512_mask_cmpneq_epi32_mask(_mm512_test_epi32_mask(kept, kept), _mm512_sllv_epi32(kept, by), low);
  kept = _mm512_mask_or_epi32(kept, lost, kept, one);

  __m512i p_sign = _mm512_xor_si512(x, y);
  __mmask16 differ = _mm512_movepi32_mask(_mm512_xor_si512(p_sign, z));
  __m512i sum = _mm512_mask_sub_epi32(_mm512_add_epi32(high, kept), differ, high, kept);
  __mmask16 turned = _mm512_movepi32_mask(sum); /* the lower term was larger */
  sum = _mm512_abs_epi32(sum);
  __mmask16 not_zero = _mm512_test_epi32_mask(sum, sum), out;
  __m512i sign = _mm512_mask_blend_epi32((__mmask16)(z_high ^ turned), p_sign, z);
  sign = _mm512_mask_and_epi32(sign, (__mmask16)~not_zero, p_sign, z);
  __m512i result = _mm512_maskz_mov_epi32(not_zero, rounded_sum(sum, _mm512_max_epi32(pe, ez), &out));
  *special = (uint32_t)strange | (uint32_t)(out & not_zero);
  return (num_vec)_mm512_ternarylogic_epi32(sign, _mm512_set1_epi32(INT32_MIN), result, 0xea);
}
#else
NUM_VEC_INLINE num_vec vec_significand(num_vec a, num_vec exponent) {
  return ((a & 0x7fffffu) | 0x800000u) & vec_ne(exponent, vec_all(0));
}

/* Leading one at bit 31, its exponent: to FP32 without sign. As round_sum of fma.c. */
NUM_VEC_INLINE num_vec vec_round_sum(num_vec exponent, num_vec bits) {
  num_vec kept = bits >> 8;
  num_vec up = vec_lt(vec_all(0x80), (kept & 1u) + (bits & 0xffu));
  num_vec normal = ((exponent - 1u) << 23) + kept - up; /* kept holds the leading one; a truth value is -1 */
  num_vec tiny = vec_slt(exponent, vec_all(1)), large = vec_slt(vec_all(254), exponent);
  num_vec smallest = ~vec_lt(bits, vec_all(0xffffff00u)) & 0x00800000u;
  return vec_if(large, vec_all(0x7f800000u), vec_if(tiny, smallest, normal));
}

NUM_VEC_INLINE num_vec vec_fma32(num_vec x, num_vec y, num_vec z, uint32_t *special) {
  num_vec ex = x >> 23 & 255u, ey = y >> 23 & 255u, ez = z >> 23 & 255u;
  num_vec inexact, p_bits = vec_mul24_high28(vec_significand(x, ex), vec_significand(y, ey), &inexact);
  num_vec p_exponent = ex + ey - 127u;
  *special = vec_to_bits(vec_slt(vec_all(254), vec_smax(vec_smax(ex, ey), vec_smax(ez, p_exponent))));
  p_bits |= inexact & 1u;
  num_vec vanishes = vec_eq(p_bits, vec_all(0)) | vec_slt(p_exponent, vec_all(0));
  p_bits &= ~vanishes;
  p_exponent &= ~vanishes;
  num_vec z_bits = vec_significand(z, ez) << 3;

  num_vec z_high = vec_slt(p_exponent, ez);
  num_vec high = vec_if(z_high, z_bits, p_bits), low = vec_if(z_high, p_bits, z_bits);
  num_vec exponent = vec_smax(ez, p_exponent), by = vec_min(vec_sabs(ez - p_exponent), vec_all(31));
  num_vec kept = low >> by;
  num_vec lost = vec_ne(kept << by, low) & vec_ne(kept, vec_all(0));
  kept |= lost & 1u;

  num_vec p_sign = (x ^ y) & 0x80000000u, z_sign = z & 0x80000000u;
  num_vec differ = vec_ne(p_sign, z_sign);
  num_vec sum = high + ((kept ^ differ) - differ);
  num_vec turned = vec_slt(sum, vec_all(0)); /* the lower term was larger */
  sum = vec_sabs(sum);
  num_vec sign = vec_if(z_high ^ turned, z_sign, p_sign);

  num_vec zeros, normal = vec_normalise(sum, &zeros);
  num_vec result = sign | vec_round_sum(exponent + 5u - zeros, normal);
  return vec_if(vec_eq(sum, vec_all(0)), p_sign & z_sign, result);
}

#endif

#endif
