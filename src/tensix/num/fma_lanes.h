/* fma.h over vectors: x * y + z in every lane; x * y, as with a z of 0, and x + z, as with a y of 1, take fewer instructions. Lanes with infinite or NaN operands, with an overflowing product and others outside the usual
 * range are wrong and noted in *odd, which collects the lanes of several calls: the caller computes them with num_fma32. Included once per
 * target, after NUM_VEC_BYTES is set. */
#ifndef TESSERA_NUM_FMA_LANES_H
#define TESSERA_NUM_FMA_LANES_H

#include "tensix/num/vec.h"

#if NUM_VEC_BYTES != 32
/* One bit per lane of the vector. */
typedef uint32_t vec_odd;
NUM_VEC_INLINE vec_odd vec_odd_none(void) { return 0; }
NUM_VEC_INLINE uint32_t vec_odd_lanes(vec_odd odd) { return odd; }
#endif

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

/* A number as a term of a sum. */
struct vec_term {
  __m512i sign; /* in the top bit */
  __m512i bits, exponent;
};

NUM_VEC_INLINE struct vec_term vec_term(__m512i a) {
  const __m512i e = exponent_field(a);
  return (struct vec_term){a, _mm512_maskz_slli_epi32(_mm512_test_epi32_mask(e, e), significand(a), 3), e};
}

/* `there`: products that are not zero; *largest: of all exponents. */
NUM_VEC_INLINE struct vec_term vec_product(num_vec vx, num_vec vy, __mmask16 *there, __m512i *largest) {
  const __m512i x = (__m512i)vx, y = (__m512i)vy, ex = exponent_field(x), ey = exponent_field(y);
  const __m512i pe = _mm512_add_epi32(_mm512_add_epi32(ex, ey), _mm512_set1_epi32(-127));
  *largest = _mm512_max_epi32(_mm512_max_epi32(ex, ey), pe);
  *there = _mm512_mask_cmpge_epi32_mask(_mm512_test_epi32_mask(_mm512_min_epi32(ex, ey), _mm512_set1_epi32(255)), pe,
                                        _mm512_setzero_si512());
  return (struct vec_term){_mm512_xor_si512(x, y), _mm512_maskz_mov_epi32(*there, product28(significand(x), significand(y))),
                           _mm512_maskz_mov_epi32(*there, pe)};
}

NUM_VEC_INLINE uint32_t vec_strange(__m512i largest) { return _mm512_cmpge_epi32_mask(largest, _mm512_set1_epi32(255)); }

NUM_VEC_INLINE num_vec vec_sum(struct vec_term first, struct vec_term second, vec_odd *odd) {
  const __m512i one = _mm512_set1_epi32(1), p_sign = first.sign, p = first.bits, pe = first.exponent, z = second.sign,
                addend = second.bits, ez = second.exponent;
  __mmask16 z_high = _mm512_cmplt_epi32_mask(pe, ez);
  __m512i high = _mm512_mask_blend_epi32(z_high, p, addend), low = _mm512_mask_blend_epi32(z_high, addend, p);
  __m512i by = _mm512_abs_epi32(_mm512_sub_epi32(pe, ez)); /* shifts of 32 and more return 0 */
  __m512i kept = _mm512_srlv_epi32(low, by);
  __mmask16 lost = _mm512_mask_cmpneq_epi32_mask(_mm512_test_epi32_mask(kept, kept), _mm512_sllv_epi32(kept, by), low);
  kept = _mm512_mask_or_epi32(kept, lost, kept, one);

  __mmask16 differ = _mm512_movepi32_mask(_mm512_xor_si512(p_sign, z));
  __m512i sum = _mm512_mask_sub_epi32(_mm512_add_epi32(high, kept), differ, high, kept);
  __mmask16 turned = _mm512_movepi32_mask(sum); /* the lower term was larger */
  sum = _mm512_abs_epi32(sum);
  __mmask16 not_zero = _mm512_test_epi32_mask(sum, sum), out;
  __m512i sign = _mm512_mask_blend_epi32((__mmask16)(z_high ^ turned), p_sign, z);
  sign = _mm512_mask_and_epi32(sign, (__mmask16)~not_zero, p_sign, z);
  __m512i result = _mm512_maskz_mov_epi32(not_zero, rounded_sum(sum, _mm512_max_epi32(pe, ez), &out));
  *odd |= (uint32_t)(out & not_zero);
  return (num_vec)_mm512_ternarylogic_epi32(sign, _mm512_set1_epi32(INT32_MIN), result, 0xea);
}

NUM_VEC_INLINE num_vec vec_fma32(num_vec x, num_vec y, num_vec z, vec_odd *odd) {
  __mmask16 there;
  __m512i largest;
  const struct vec_term p = vec_product(x, y, &there, &largest), addend = vec_term((__m512i)z);
  *odd |= vec_strange(_mm512_max_epi32(largest, addend.exponent));
  return vec_sum(p, addend, odd);
}

NUM_VEC_INLINE num_vec vec_add32(num_vec x, num_vec z, vec_odd *odd) {
  const struct vec_term a = vec_term((__m512i)x), b = vec_term((__m512i)z);
  *odd |= vec_strange(_mm512_max_epi32(a.exponent, b.exponent));
  return vec_sum(a, b, odd);
}

NUM_VEC_INLINE num_vec vec_mul32(num_vec x, num_vec y, vec_odd *odd) {
  __mmask16 there, out;
  __m512i largest;
  const struct vec_term p = vec_product(x, y, &there, &largest);
  const __m512i result = rounded_sum(p.bits, p.exponent, &out);
  *odd |= vec_strange(largest) | (uint32_t)(out & there);
  return (num_vec)_mm512_maskz_ternarylogic_epi32(there, p.sign, _mm512_set1_epi32(INT32_MIN), result, 0xea);
}
#elif NUM_VEC_BYTES == 32
/* AVX2, as AVX-512 with fewer instructions: about 90 for 8 lanes. The lanes are not told apart until one is odd. */
typedef struct {
  __m256i largest, least; /* exponents: from 253 on odd, below -1 too */
} vec_odd;

NUM_VEC_INLINE vec_odd vec_odd_none(void) {
  return (vec_odd){.largest = _mm256_setzero_si256(), .least = _mm256_setzero_si256()};
}
NUM_VEC_INLINE uint32_t vec_odd_lanes(vec_odd odd) {
  __m256i large = _mm256_cmpgt_epi32(odd.largest, _mm256_set1_epi32(252));
  __m256i small = _mm256_cmpgt_epi32(_mm256_set1_epi32(-1), odd.least);
  return vec_to_bits((num_vec)_mm256_or_si256(large, small));
}

/* Selects by the top bits of the lanes alone. */
NUM_VEC_INLINE __m256i by_top_bit(__m256i top, __m256i yes, __m256i no) {
  return (__m256i)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)top);
}

NUM_VEC_INLINE __m256i exponent_field(__m256i a) { return _mm256_srli_epi32(_mm256_slli_epi32(a, 1), 24); }

NUM_VEC_INLINE __m256i significand(const struct vec_constants *c, __m256i a) {
  return _mm256_or_si256(_mm256_and_si256(a, vec_constant(c->mantissa)), vec_constant(c->lead));
}

/* Bits 47..20 of the products of significands, bit 0 sticky: of factors shifted by 8 and 4, so that these bits are the upper half. */
NUM_VEC_INLINE __m256i product28(const struct vec_constants *c, __m256i x, __m256i y) {
  __m256i a = _mm256_or_si256(_mm256_slli_epi32(x, 8), vec_constant(c->top)), b = _mm256_slli_epi32(significand(c, y), 4);
  __m256i even = _mm256_mul_epu32(a, b), odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
  __m256i high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
  __m256i low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
  return _mm256_or_si256(high, _mm256_min_epu32(low, vec_constant(c->one)));
}

/* As AVX-512's. */
NUM_VEC_INLINE __m256i rounded_sum(const struct vec_constants *c, __m256i sum, __m256i shift, __m256i e) {
  __m256i normal = _mm256_sllv_epi32(sum, shift);
  __m256i lowest = _mm256_and_si256(_mm256_srli_epi32(normal, 5), vec_constant(c->one));
  __m256i up = _mm256_add_epi32(_mm256_add_epi32(normal, vec_constant(c->rounding)), lowest);
  return _mm256_add_epi32(_mm256_slli_epi32(e, 23), _mm256_srli_epi32(up, 5));
}

/* A number as a term of a sum. */
struct vec_term {
  __m256i sign; /* in the top bit */
  __m256i bits, exponent;
};

NUM_VEC_INLINE struct vec_term vec_term(const struct vec_constants *c, __m256i a) {
  const __m256i e = exponent_field(a);
  return (struct vec_term){
      a, _mm256_andnot_si256(_mm256_cmpeq_epi32(e, _mm256_setzero_si256()), _mm256_slli_epi32(significand(c, a), 3)), e};
}

/* A product of zero gets an exponent below all others, like a product that is too small. */
NUM_VEC_INLINE struct vec_term vec_product(const struct vec_constants *c, __m256i x, __m256i y, vec_odd *odd) {
  const __m256i zero = _mm256_setzero_si256(), ex = exponent_field(x), ey = exponent_field(y);
  const __m256i pe = _mm256_or_si256(_mm256_sub_epi32(_mm256_add_epi32(ex, ey), vec_constant(c->bias)),
                                     _mm256_cmpeq_epi32(_mm256_min_epi32(ex, ey), zero));
  odd->largest = _mm256_max_epi32(odd->largest, _mm256_max_epi32(ex, ey));
  return (struct vec_term){_mm256_xor_si256(x, y), by_top_bit(pe, zero, product28(c, x, y)), pe};
}

NUM_VEC_INLINE num_vec vec_sum(const struct vec_constants *c, struct vec_term first, struct vec_term second, vec_odd *odd) {
  const __m256i one = vec_constant(c->one), zero = _mm256_setzero_si256(), p_sign = first.sign, p = first.bits,
                pe = first.exponent, z = second.sign, addend = second.bits, ez = second.exponent;
  __m256i exponent = _mm256_max_epi32(pe, ez);
  odd->largest = _mm256_max_epi32(odd->largest, exponent);

  __m256i z_high = _mm256_cmpgt_epi32(ez, pe);
  __m256i high = by_top_bit(z_high, addend, p), low = by_top_bit(z_high, p, addend);
  __m256i by = _mm256_abs_epi32(_mm256_sub_epi32(pe, ez)); /* shifts of 32 and more return 0 */
  __m256i kept = _mm256_srlv_epi32(low, by), lost = _mm256_xor_si256(_mm256_sllv_epi32(kept, by), low);
  kept = _mm256_or_si256(kept, _mm256_min_epu32(_mm256_min_epu32(lost, kept), one)); /* sticky only if something is kept */

  __m256i sum = _mm256_add_epi32(high, _mm256_sign_epi32(kept, _mm256_or_si256(_mm256_xor_si256(p_sign, z), one)));
  __m256i sign = by_top_bit(_mm256_xor_si256(z_high, sum), z, p_sign); /* sum < 0: the lower term was larger */
  sum = _mm256_abs_epi32(sum);
  __m256i is_zero = _mm256_cmpeq_epi32(sum, zero), shift = vec_zeros(c, sum, vec_constant(c->places_from_28));
  __m256i e = _mm256_sub_epi32(exponent, shift);                          /* e + 2: of the leading one */
  odd->least = _mm256_min_epi32(odd->least, _mm256_or_si256(e, is_zero)); /* -1 for a sum of zero */
  sign = by_top_bit(is_zero, _mm256_and_si256(p_sign, z), sign);
  __m256i result = _mm256_andnot_si256(is_zero, rounded_sum(c, sum, shift, e));
  return (num_vec)_mm256_or_si256(_mm256_and_si256(sign, vec_constant(c->top)), result);
}

NUM_VEC_INLINE num_vec vec_fma32(num_vec x, num_vec y, num_vec z, vec_odd *odd) {
  const struct vec_constants *c = sim_keep(&vec_constants);
  return vec_sum(c, vec_product(c, (__m256i)x, (__m256i)y, odd), vec_term(c, (__m256i)z), odd);
}

NUM_VEC_INLINE num_vec vec_add32(num_vec x, num_vec z, vec_odd *odd) {
  const struct vec_constants *c = sim_keep(&vec_constants);
  return vec_sum(c, vec_term(c, (__m256i)x), vec_term(c, (__m256i)z), odd);
}

/* The leading one of a product is its bit 27 or 26. */
NUM_VEC_INLINE num_vec vec_mul32(num_vec x, num_vec y, vec_odd *odd) {
  const struct vec_constants *c = sim_keep(&vec_constants);
  const struct vec_term p = vec_product(c, (__m256i)x, (__m256i)y, odd);
  const __m256i one = vec_constant(c->one),
                shift = _mm256_sub_epi32(_mm256_add_epi32(one, one), _mm256_srli_epi32(p.bits, 27)),
                e = _mm256_sub_epi32(p.exponent, shift), is_zero = _mm256_cmpeq_epi32(p.bits, _mm256_setzero_si256());
  odd->largest = _mm256_max_epi32(odd->largest, p.exponent);
  odd->least = _mm256_min_epi32(odd->least, _mm256_or_si256(e, is_zero));
  const __m256i signed_sum =
      _mm256_or_si256(_mm256_and_si256(p.sign, vec_constant(c->top)), rounded_sum(c, p.bits, shift, e));
  return (num_vec)_mm256_andnot_si256(is_zero, signed_sum);
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

NUM_VEC_INLINE num_vec vec_fma32(num_vec x, num_vec y, num_vec z, vec_odd *odd) {
  num_vec ex = x >> 23 & 255u, ey = y >> 23 & 255u, ez = z >> 23 & 255u;
  num_vec inexact, p_bits = vec_mul24_high28(vec_significand(x, ex), vec_significand(y, ey), &inexact);
  num_vec p_exponent = ex + ey - 127u;
  *odd |= vec_to_bits(vec_slt(vec_all(254), vec_smax(vec_smax(ex, ey), vec_smax(ez, p_exponent))));
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

NUM_VEC_INLINE num_vec vec_add32(num_vec x, num_vec z, vec_odd *odd) { return vec_fma32(x, vec_all(0x3f800000u), z, odd); }
NUM_VEC_INLINE num_vec vec_mul32(num_vec x, num_vec y, vec_odd *odd) { return vec_fma32(x, y, vec_all(0), odd); }
#endif

#endif
