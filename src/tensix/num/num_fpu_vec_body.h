/* The vector versions of num_fpu_vec.h: included by one file per target, with these macros defined before:
 *
 *   VEC_BYTES   width of a vector: 16, 32 or 64
 *   VEC_TABLE   name of the table; VEC_NAME its string
 *   VEC_AVX2, VEC_AVX512   the primitives below may use these instruction sets
 *   VEC_VNNI    with VEC_AVX512: AVX512-VNNI too
 *
 * The arithmetic is that of num_fpu.c in another form. A right shift that rounds half up is ((2x >> d) + 1) >> 1; on
 * negative two's complement numbers that breaks ties towards +infinity, as the sums of a group do (docs/reference/matrix-unit.md). */
#include <string.h>

typedef int16_t v16 __attribute__((vector_size(VEC_BYTES)));
typedef int32_t v32 __attribute__((vector_size(VEC_BYTES)));
typedef uint32_t u32 __attribute__((vector_size(VEC_BYTES)));
typedef uint16_t h16 __attribute__((vector_size(VEC_BYTES / 2)));
#define LANES (VEC_BYTES / 4) /* columns in a vector */
#define PARTS (16 / LANES)    /* vectors in a row */
#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define NO_EXPONENT (-4096) /* exponent of a zero factor: never the largest */
#define EXPONENT_OFFSET 16  /* in the exponents of SrcA: keeps the exponent of a group above 14 */

INLINE v16 load_v16(const int16_t *from) {
  v16 v;
  memcpy(&v, from, sizeof v);
  return v;
}

INLINE v32 load_v32(const uint32_t *from) {
  v32 v;
  memcpy(&v, from, sizeof v);
  return v;
}

/* 16-bit columns in 32-bit lanes. */
#if defined(VEC_AVX512)
INLINE v32 load_half(const uint16_t *from) { return (v32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)from)); }
#else
INLINE v32 load_half(const uint16_t *from) {
  h16 h;
  memcpy(&h, from, sizeof h);
  return __builtin_convertvector(h, v32);
}
#endif

INLINE void store_half(uint16_t *to, v32 v) {
  h16 h = __builtin_convertvector(v, h16);
  memcpy(to, &h, sizeof h);
}

INLINE void store_short(int16_t *to, v32 v) { store_half((uint16_t *)to, v); }
INLINE void store_pairs(int16_t *to, v32 v) { memcpy(to, &v, sizeof v); }

INLINE v32 splat(int32_t x) { return (v32){0} + x; }
/* Broadcasts a pair of 16-bit values from memory to every 32-bit lane. */
#if defined(VEC_AVX512)
INLINE v16 splat_pair(const int16_t *from) { return (v16)_mm512_broadcastd_epi32(_mm_loadu_si32(from)); }
#elif defined(VEC_AVX2)
INLINE v16 splat_pair(const int16_t *from) { return (v16)_mm256_broadcastd_epi32(_mm_loadu_si32(from)); }
#else
INLINE v16 splat_pair(const int16_t *from) {
  int32_t x;
  memcpy(&x, from, sizeof x);
  return (v16)splat(x);
}
#endif

/* Lanes of `a` where the mask is -1, of `b` where it is 0. */
INLINE v32 choose(v32 mask, v32 a, v32 b) { return (a & mask) | (b & ~mask); }
/* cppcheck-suppress shiftTooManyBitsSigned ; arithmetic shift, as both compilers define it for vectors */
INLINE v32 sign_mask(v32 x) { return x >> 31; }
INLINE v32 negate_if(v32 x, v32 mask) { return (x ^ mask) - mask; }
/* --- primitives with a form per target --- */

#if defined(VEC_AVX512)
INLINE v32 max32(v32 a, v32 b) { return (v32)_mm512_max_epi32((__m512i)a, (__m512i)b); }
INLINE v32 min32(v32 a, v32 b) { return (v32)_mm512_min_epi32((__m512i)a, (__m512i)b); }
INLINE v16 max16(v16 a, v16 b) { return (v16)_mm512_max_epi16((__m512i)a, (__m512i)b); }
#elif defined(VEC_AVX2)
INLINE v32 max32(v32 a, v32 b) { return (v32)_mm256_max_epi32((__m256i)a, (__m256i)b); }
INLINE v32 min32(v32 a, v32 b) { return (v32)_mm256_min_epi32((__m256i)a, (__m256i)b); }
INLINE v16 max16(v16 a, v16 b) { return (v16)_mm256_max_epi16((__m256i)a, (__m256i)b); }
#else
INLINE v16 choose16(v16 mask, v16 a, v16 b) { return (a & mask) | (b & ~mask); }
INLINE v32 max32(v32 a, v32 b) { return choose(a > b, a, b); }
INLINE v32 min32(v32 a, v32 b) { return choose(a < b, a, b); }
INLINE v16 max16(v16 a, v16 b) { return choose16(a > b, a, b); }
#endif

/* 32-bit lanes: arithmetic shift right by d >= 0; all bits from 31 on. */
#if defined(VEC_AVX512)
INLINE v32 shift_right(v32 x, v32 d) { return (v32)_mm512_srav_epi32((__m512i)x, (__m512i)d); }
#elif defined(VEC_AVX2)
INLINE v32 shift_right(v32 x, v32 d) { return (v32)_mm256_srav_epi32((__m256i)x, (__m256i)d); }
#else
INLINE v32 shift_right(v32 x, v32 d) { return x >> min32(d, splat(31)); }
#endif

/* Adds a pair of products to the sum of each column. 16-bit lanes: `twice` is two times the magnitude of a product,
 * `sign` 1 or -1, `exp` its exponent, `base` the exponent of the group less 14, so that d = base + 14 - exp. The
 * magnitude is shifted right by d, rounded half up. Where `twice` is 0, `exp` may be anything. */
#if defined(VEC_AVX512)
INLINE v32 add_products(v32 sum, v16 twice, v16 sign, v16 exp, v16 base) {
  __m512i up = _mm512_subs_epu16((__m512i)exp, (__m512i)base); /* 14 - d; 0: no bits remain */
  __m512i m = _mm512_mulhrs_epi16((__m512i)twice, _mm512_sllv_epi16(_mm512_set1_epi16(1), up));
#if defined(VEC_VNNI)
  return (v32)_mm512_dpwssd_epi32((__m512i)sum, m, (__m512i)sign);
#else
  return sum + (v32)_mm512_madd_epi16(m, (__m512i)sign);
#endif
}
#elif defined(VEC_AVX2)
/* AVX2 has no 16-bit shift by a vector: 2^up is looked up in a byte table, which the low byte indexes with `up` and the high
 * byte with up - 8 (negative: 0). */
INLINE v32 add_products(v32 sum, v16 twice, v16 sign, v16 exp, v16 base) {
  const __m256i powers = _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
  __m256i up = _mm256_subs_epu16((__m256i)exp, (__m256i)base);
  __m256i index = _mm256_sub_epi16(_mm256_mullo_epi16(up, _mm256_set1_epi16(0x0101)), _mm256_set1_epi16(0x0800));
  __m256i m = _mm256_mulhrs_epi16((__m256i)twice, _mm256_shuffle_epi8(powers, index));
  return sum + (v32)_mm256_madd_epi16(m, (__m256i)sign);
}
#else
INLINE v32 add_products(v32 sum, v16 twice, v16 sign, v16 exp, v16 base) {
  v16 d = base + 14 - exp;
  v16 m = twice & (d < 16);
  m = choose16((d & 8) != 0, m >> 8, m);
  m = choose16((d & 4) != 0, m >> 4, m);
  m = choose16((d & 2) != 0, m >> 2, m);
  m = choose16((d & 1) != 0, m >> 1, m);
  v32 pairs = (v32)(((m + 1) >> 1) * sign);
  return sum + ((v32)((u32)pairs << 16) >> 16) + (pairs >> 16);
}
#endif

/* Zero bits above the highest set one; x > 0. */
#if defined(VEC_AVX512)
INLINE v32 leading_zeros(v32 x) { return (v32)_mm512_lzcnt_epi32((__m512i)x); }
#elif defined(VEC_AVX2)
/* Those of each nibble from a table, and 8 per byte above it; the lowest count of the four bytes. */
INLINE v32 leading_zeros(v32 x) {
  const __m256i high = _mm256_broadcastsi128_si256(_mm_setr_epi8(64, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
                low = _mm256_broadcastsi128_si256(_mm_setr_epi8(64, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4)),
                nibble = _mm256_set1_epi8(15);
  __m256i n = _mm256_min_epu8(_mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16((__m256i)x, 4), nibble)),
                              _mm256_shuffle_epi8(low, _mm256_and_si256((__m256i)x, nibble)));
  n = _mm256_add_epi8(n, _mm256_set1_epi32(0x00081018));
  n = _mm256_min_epu8(n, _mm256_srli_epi32(n, 16));
  return (v32)_mm256_min_epu8(n, _mm256_srli_epi32(n, 8));
}
#else
INLINE v32 leading_zeros(v32 x) {
  v32 top = (x > 0xffff) & 16;
  x >>= top;
  v32 step = (x > 0xff) & 8;
  x >>= step;
  top += step;
  step = (x > 0xf) & 4;
  x >>= step;
  top += step;
  step = (x > 3) & 2;
  x >>= step;
  return 31 - top - step - ((x > 1) & 1);
}
#endif

INLINE v32 shift_rounded32(v32 x, v32 d) { return (shift_right(x << 1, d) + 1) >> 1; }

/* --- accumulate: two sums of eight products and the old Dst value. s0 and s1 are signed sums in units of 2^13 --- */

struct dst {
  v32 exp, magnitude, sign; /* sign: 0 or -1 */
};

struct sums {
  v32 s0, e0, s1, e1; /* two signed sums, each with its exponent */
};

INLINE struct dst load_dst(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t format) {
  struct dst d = {0};
  if (!rows->defined[i]) return d;
  v32 high = load_half(rows->high[i] + column);
  d.sign = -(high >> 15);
  if (format == NUM_FPU_DST_FP16) {
    d.exp = high & 0x1f;
    d.magnitude = (high & 0x7fe0) << 8;
  } else {
    d.exp = high & 0xff;
    d.magnitude = (high & 0x7f00) << 8;
    if (format == NUM_FPU_DST_FP32) d.magnitude |= load_half(rows->low[i] + column);
  }
  d.magnitude = (d.magnitude | 0x800000) & (d.exp != 0);
  return d;
}

/* A 16-bit Dst: the aligned terms are rounded to multiples of 2^13, which is the unit from then on. The two roundings are
 * combined: (((2x >> d) + 1) >> 1) + 4096) >> 13  ==  ((2x >> d) + 8193) >> 14. */
INLINE v32 align_narrow(v32 twice, v32 exp, v32 to) { return (shift_right(twice, to - exp) + 8193) >> 14; }

INLINE void store_narrow(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t format, v32 exp, v32 total) {
  const int fraction = format == NUM_FPU_DST_FP16 ? 10 : 7; /* bits */
  v32 sign = sign_mask(total);
  v32 m = negate_if(total, sign);
  v32 zeros = leading_zeros(m | 1);
  v32 rounded = (v32)((((u32)m << (u32)zeros) >> (30 - fraction)) + 1) >> 1;
  /* Exponent and mantissa as one number: the carry of the rounding propagates, and one minimum handles the overflow. */
  v32 result = ((exp + 20 - zeros) << fraction) + rounded;
  result = min32(result, splat(format == NUM_FPU_DST_FP16 ? (32 << 10) - 1 : 255 << 7));
  result &= (m != 0) & (result >= splat(1 << fraction)) & (exp > 0);
  v32 high = format == NUM_FPU_DST_FP16 ? (result << 5 | result >> 10) : (result << 8 | result >> 7);
  store_half(rows->high[i] + column, (high & 0x7fff) | (sign & (result != 0) & 0x8000));
}

INLINE void accumulate_narrow(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t format, struct dst d,
                              struct sums s) {
  v32 exp = max32(max32(s.e0, s.e1), d.exp);
  v32 total = align_narrow(s.s0 << 14, s.e0, exp) + align_narrow(s.s1 << 14, s.e1, exp) +
              negate_if(align_narrow(d.magnitude << 1, d.exp, exp), d.sign);
  store_narrow(rows, i, column, format, exp, total);
}

#if defined(VEC_AVX512)
/* accumulate_narrow with its conditions in mask registers: a third fewer instructions, and every product of tiles has 128 of these. */
struct masked_dst {
  __m512i exp, twice; /* exponent and twice the magnitude */
  __mmask16 negative;
};

INLINE struct masked_dst load_masked(const struct num_fpu_rows *rows, unsigned i, uint32_t format) {
  const bool fp16 = format == NUM_FPU_DST_FP16;
  const __m512i high = (__m512i)load_half(rows->high[i]), exponent = _mm512_set1_epi32(fp16 ? 0x1f : 0xff);
  return (struct masked_dst){
      .exp = _mm512_and_si512(high, exponent),
      .twice = _mm512_maskz_ternarylogic_epi32(_mm512_test_epi32_mask(high, exponent), _mm512_slli_epi32(high, 9),
                                               _mm512_set1_epi32((fp16 ? 0x7fe0 : 0x7f00) << 9),
                                               _mm512_set1_epi32(0x1000000), 0xea), /* first & second | third */
      .negative = _mm512_test_epi32_mask(high, _mm512_set1_epi32(0x8000))};
}

/* align_narrow of a signed number */
INLINE __m512i align_masked(__m512i sum, __m512i exp, __m512i to) {
  __m512i aligned = _mm512_srav_epi32(_mm512_slli_epi32(sum, 14), _mm512_sub_epi32(to, exp));
  return _mm512_srai_epi32(_mm512_add_epi32(aligned, _mm512_set1_epi32(8193)), 14);
}

INLINE __m512i add_masked(__m512i sum, struct masked_dst d, __m512i to) {
  __m512i aligned = _mm512_srlv_epi32(d.twice, _mm512_sub_epi32(to, d.exp));
  aligned = _mm512_srli_epi32(_mm512_add_epi32(aligned, _mm512_set1_epi32(8193)), 14);
  return _mm512_mask_sub_epi32(_mm512_add_epi32(sum, aligned), d.negative, sum, aligned);
}

INLINE void store_masked(const struct num_fpu_rows *rows, unsigned i, uint32_t format, __m512i exp, __m512i total) {
  const bool fp16 = format == NUM_FPU_DST_FP16;
  const int fraction = fp16 ? 10 : 7; /* bits */
  __m512i m = _mm512_abs_epi32(total);
  __m512i zeros = _mm512_lzcnt_epi32(m); /* of 0: 32, which is not stored */
  /* 20 << fraction is the 20 of store_narrow's exponent */
  __m512i rounded = _mm512_srli_epi32(_mm512_sllv_epi32(m, zeros), (unsigned)(30 - fraction));
  rounded = _mm512_srli_epi32(_mm512_add_epi32(rounded, _mm512_set1_epi32(1 + (40 << fraction))), 1);
  __m512i result = _mm512_add_epi32(_mm512_slli_epi32(_mm512_sub_epi32(exp, zeros), (unsigned)fraction), rounded);
  result = _mm512_min_epi32(result, _mm512_set1_epi32(fp16 ? (32 << 10) - 1 : 255 << 7));
  __mmask16 there = _mm512_cmpgt_epi32_mask(exp, _mm512_setzero_si512());
  there = _mm512_mask_cmpge_epi32_mask(there, result, _mm512_set1_epi32(1 << fraction));
  there = _mm512_mask_test_epi32_mask(there, m, m);
  __m512i bits = _mm512_ternarylogic_epi32(_mm512_maskz_slli_epi32(there, result, fp16 ? 5 : 8),
                                           _mm512_maskz_srli_epi32(there, result, fp16 ? 10 : 7), _mm512_set1_epi32(0x7fff),
                                           0xa8); /* (first | second) & third */
  bits = _mm512_mask_or_epi32(bits, there & _mm512_movepi32_mask(total), bits, _mm512_set1_epi32(0x8000));
  _mm256_storeu_si256((void *)rows->high[i], _mm512_cvtepi32_epi16(bits));
}

INLINE void accumulate_masked(const struct num_fpu_rows *rows, unsigned i, uint32_t format, struct sums s) {
  const __m512i e0 = (__m512i)s.e0, e1 = (__m512i)s.e1;
  struct masked_dst d = {_mm512_setzero_si512(), _mm512_setzero_si512(), 0};
  if (rows->defined[i]) d = load_masked(rows, i, format);
  const __m512i exp = _mm512_max_epi32(_mm512_max_epi32(e0, e1), d.exp);
  const __m512i sums = _mm512_add_epi32(align_masked((__m512i)s.s0, e0, exp), align_masked((__m512i)s.s1, e1, exp));
  store_masked(rows, i, format, exp, add_masked(sums, d, exp));
}

/* accumulate_one for a 16-bit Dst. */
INLINE void accumulate_one_masked(const struct num_fpu_rows *rows, unsigned i, uint32_t format, bool onto, v32 sum, v32 e) {
  __m512i exp = (__m512i)e, total = (__m512i)sum;
  if (onto && rows->defined[i]) {
    const struct masked_dst d = load_masked(rows, i, format);
    const __m512i to = _mm512_max_epi32(exp, d.exp);
    total = add_masked(align_masked(total, exp, to), d, to);
    exp = to;
  }
  store_masked(rows, i, format, exp, total);
}
#endif

INLINE void store_wide(const struct num_fpu_rows *rows, unsigned i, unsigned column, v32 exp, v32 total) {
  v32 sign = sign_mask(total);
  v32 m = negate_if(total, sign);
  v32 top = 31 - leading_zeros(m | 1);
  v32 rounded = shift_rounded32(m << max32(23 - top, splat(0)), max32(top - 23, splat(0)));
  v32 result = exp + top - 23 + (rounded >> 24);
  v32 keep = (m != 0) & (result > 0) & (exp > 0);
  v32 mantissa = rounded & 0x7fffff & keep & (result < 255);
  result = min32(result, splat(255)) & keep;
  store_half(rows->high[i] + column, (sign & keep & 0x8000) | (mantissa >> 16) << 8 | result);
  store_half(rows->low[i] + column, mantissa & 0xffff);
}

INLINE void accumulate_wide(const struct num_fpu_rows *rows, unsigned i, unsigned column, struct dst d, struct sums s) {
  v32 exp = max32(max32(s.e0, s.e1), d.exp);
  v32 total = shift_rounded32(s.s0 << 13, exp - s.e0) + shift_rounded32(s.s1 << 13, exp - s.e1) +
              negate_if(shift_rounded32(d.magnitude, exp - d.exp), d.sign);
  store_wide(rows, i, column, exp, total);
}

/* The same for one sum, which needs no alignment where nothing is added to it. */
INLINE void accumulate_one(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t format, bool onto, v32 sum,
                           v32 exp) {
  const bool wide = format == NUM_FPU_DST_FP32;
#if defined(VEC_AVX512)
  if (!wide) {
    accumulate_one_masked(rows, i, format, onto, sum, exp);
    return;
  }
#endif
  if (wide) sum <<= 13;
  if (onto && rows->defined[i]) {
    struct dst d = load_dst(rows, i, column, format);
    v32 to = max32(exp, d.exp);
    v32 old = wide ? shift_rounded32(d.magnitude, to - d.exp) : align_narrow(d.magnitude << 1, d.exp, to);
    sum = wide ? shift_rounded32(sum, to - exp) : align_narrow(sum << 14, exp, to);
    sum += negate_if(old, d.sign);
    exp = to;
  }
  if (wide) store_wide(rows, i, column, exp, sum);
  else store_narrow(rows, i, column, format, exp, sum);
}

INLINE void accumulate(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t format, struct sums s) {
  struct dst d = load_dst(rows, i, column, format);
  if (format == NUM_FPU_DST_FP32) accumulate_wide(rows, i, column, d, s);
  else accumulate_narrow(rows, i, column, format, d, s);
}

/* --- decoding of SrcA and SrcB banks into exponents, significands and signs --- */

INLINE v32 with_one(v32 datum) { return (datum >> 8 & 0x3ff) | 0x400; }
INLINE v32 datum_sign(v32 datum) { return -(datum >> 18 & 1); }

INLINE v32 in_pairs(v32 even, v32 odd) { return (even & 0xffff) | odd << 16; }

INLINE void decode_pair(const uint32_t even[16], const uint32_t odd[16], int32_t mask, struct num_fpu_bank_a *out,
                        unsigned pair) {
  for (unsigned column = 0; column < 16; column += LANES) {
    v32 x = load_v32(even + column) & mask, y = load_v32(odd + column) & mask;
    v32 x_there = (x & 0xff) != 0, y_there = (y & 0xff) != 0;
    v32 x_exp = choose(x_there, (x & 0xff) + EXPONENT_OFFSET, splat(NO_EXPONENT));
    v32 y_exp = choose(y_there, (y & 0xff) + EXPONENT_OFFSET, splat(NO_EXPONENT));
    store_pairs(&out->exp[pair][2 * column], in_pairs(x_exp, y_exp));
    store_pairs(&out->sig[0][pair][2 * column], in_pairs(with_one(x) >> 6 & x_there, with_one(y) >> 6 & y_there));
    store_pairs(&out->sig[1][pair][2 * column], in_pairs(with_one(x) >> 1 & 31 & x_there, with_one(y) >> 1 & 31 & y_there));
    store_pairs(&out->sign[pair][2 * column], in_pairs(datum_sign(x) & -2, datum_sign(y) & -2));
  }
}

static void vec_decode_a(const uint32_t datum[64][16], uint32_t mask, struct num_fpu_bank_a *out) {
  for (unsigned pair = 0; pair < 32; pair++) decode_pair(datum[2 * pair], datum[2 * pair + 1], (int32_t)mask, out, pair);
  memcpy(out->exp[32], out->exp[0], 8 * sizeof out->exp[0]);
  memcpy(out->sig[0][32], out->sig[0][0], 8 * sizeof out->exp[0]);
  memcpy(out->sig[1][32], out->sig[1][0], 8 * sizeof out->exp[0]);
  memcpy(out->sign[32], out->sign[0], 8 * sizeof out->exp[0]);
}

static void vec_decode_b(const uint32_t datum[64][16], unsigned row, uint32_t mask, bool keep, struct num_fpu_bank_b *out) {
  for (const unsigned end = row + NUM_FPU_GROUP; row < end; row++) {
    for (unsigned column = 0; column < 16; column += LANES) {
      v32 x = load_v32(datum[row] + column) & (int32_t)mask;
      v32 there = keep ? splat(-1) : (x & 0xff) != 0;
      store_short(&out->exp[row][column], choose(there, x & 0xff, splat(NO_EXPONENT)));
      store_short(&out->sig[0][row][column], with_one(x) >> 4 << 1 & there);
      store_short(&out->sig[1][row][column], (with_one(x) & 15) << 4 & there);
      store_short(&out->sign[row][column], datum_sign(x) | 1);
    }
  }
}

/* --- dot products --- */

struct group {
  v32 sum, exp;
};

/* One row of SrcB and 16 rows of SrcA, as operands. */
struct operands {
  const int16_t (*a_exp)[32], (*a_sig)[32], (*a_sign)[32]; /* eight pairs of rows */
  const int16_t *b_exp, *b_sig, *b_sign;
  int32_t bias, zero_exp;
};

/* Eight products per column: four pairs of rows of SrcA against four pairs of columns of one row of SrcB. */
INLINE struct group sum_group(const struct operands *o, unsigned first, unsigned part) {
  const unsigned at = part * (VEC_BYTES / 2);
  v16 e[4];
  v16 top = (v16){0} + (int16_t)(o->zero_exp - o->bias);
  UNROLL
  for (unsigned k = 0; k < 4; k++) {
    e[k] = load_v16(o->a_exp[first + k] + at) + splat_pair(o->b_exp + 2 * (first + k));
    top = max16(top, e[k]);
  }
  u32 halves = (u32)top;
  top = max16(top, (v16)(halves << 16 | halves >> 16));
  v32 sum = {0};
  UNROLL
  for (unsigned k = 0; k < 4; k++) {
    v16 twice = load_v16(o->a_sig[first + k] + at) * splat_pair(o->b_sig + 2 * (first + k));
    v16 sign = load_v16(o->a_sign[first + k] + at) ^ splat_pair(o->b_sign + 2 * (first + k));
    sum = add_products(sum, twice, sign, e[k], top - 14);
  }
  v32 exp = ((v32)top >> 16) + o->bias; /* never below 0 */
  return (struct group){.sum = sum & (exp > 0), .exp = exp};
}

INLINE void dot_rows(const struct num_fpu_dot_job *job, uint32_t format) {
  const struct num_fpu_bank_a *a = job->bank_a;
  const struct num_fpu_bank_b *b = job->bank_b;
  unsigned pair = job->row_a / 2;
  struct operands o = {.a_exp = &a->exp[pair],
                       .a_sig = &a->sig[job->mode.phase & 1u][pair],
                       .a_sign = &a->sign[pair],
                       .bias = job->mode.bias - EXPONENT_OFFSET,
                       .zero_exp = job->mode.bias > 0 ? job->mode.bias : 0};
  for (unsigned i = 0; i < job->rows.count; i++) {
    unsigned row = (job->row_b + i * job->step_b) & 63u;
    o.b_exp = b->exp[row];
    o.b_sig = b->sig[job->mode.phase >> 1 & 1u][row];
    o.b_sign = b->sign[row];
    for (unsigned part = 0; part < PARTS; part++) {
      struct group g0 = sum_group(&o, 0, part), g1 = sum_group(&o, 4, part);
      const struct sums s = {g0.sum, g0.exp, g1.sum, g1.exp};
#if defined(VEC_AVX512)
      if (format != NUM_FPU_DST_FP32) {
        accumulate_masked(&job->rows, i, format, s);
        continue;
      }
#endif
      accumulate(&job->rows, i, part * LANES, format, s);
    }
  }
}

static void vec_dot(const struct num_fpu_dot_job *job) {
  if (job->mode.dst == NUM_FPU_DST_BF16) dot_rows(job, NUM_FPU_DST_BF16);
  else if (job->mode.dst == NUM_FPU_DST_FP16) dot_rows(job, NUM_FPU_DST_FP16);
  else dot_rows(job, NUM_FPU_DST_FP32);
}

/* --- element by element --- */

#if defined(VEC_AVX512)
/* The slices of both factors are (datum >> shift & bits) | one, as with_one below has them. */
INLINE void multiply(const struct num_fpu_mode *mode, v32 a, v32 b, v32 *sum, v32 *exp) {
  const bool odd = mode->phase & 1u, low = mode->phase & 2u;
  const __m512i x = (__m512i)a, y = (__m512i)b, exponent = _mm512_set1_epi32(0xff);
  const __m512i e = _mm512_add_epi32(_mm512_add_epi32(_mm512_and_si512(x, exponent), _mm512_and_si512(y, exponent)),
                                     _mm512_set1_epi32(mode->bias));
  const __m512i sig_a = _mm512_ternarylogic_epi32(_mm512_srlv_epi32(x, _mm512_set1_epi32(odd ? 9 : 14)),
                                                  _mm512_set1_epi32(odd ? 31 : 15), _mm512_set1_epi32(odd ? 0 : 16), 0xea);
  const __m512i sig_b =
      _mm512_ternarylogic_epi32(_mm512_srlv_epi32(y, _mm512_set1_epi32(low ? 5 : 12)), _mm512_set1_epi32(low ? 0x78 : 0x3f),
                                _mm512_set1_epi32(low ? 0 : 0x40), 0xea);
  const __m512i m = _mm512_madd_epi16(sig_a, sig_b); /* the upper halves are 0 */
  __mmask16 there = _mm512_mask_test_epi32_mask(_mm512_cmpgt_epi32_mask(e, _mm512_setzero_si512()), x, exponent);
  if (!mode->keep_b) there = _mm512_mask_test_epi32_mask(there, y, exponent);
  const __mmask16 negative = _mm512_mask_test_epi32_mask(there, _mm512_xor_si512(x, y), _mm512_set1_epi32(1 << 18));
  *sum = (v32)_mm512_mask_sub_epi32(_mm512_maskz_mov_epi32(there, m), negative, _mm512_setzero_si512(), m);
  *exp = (v32)_mm512_mask_mov_epi32(_mm512_set1_epi32(mode->bias > 0 ? mode->bias : 0), there, e);
}
#else
INLINE v32 slice_b(v32 datum, uint32_t phase) { return phase & 2u ? (with_one(datum) & 15) << 3 : with_one(datum) >> 4; }

INLINE void multiply(const struct num_fpu_mode *mode, v32 a, v32 b, v32 *sum, v32 *exp) {
  v32 ea = a & 0xff, eb = b & 0xff;
  v32 e = ea + eb + mode->bias;
  v32 m = (mode->phase & 1u ? with_one(a) >> 1 & 31 : with_one(a) >> 6) * slice_b(b, mode->phase);
  v32 there = (ea != 0) & (e > 0);
  if (!mode->keep_b) there &= eb != 0;
  *sum = negate_if(m, datum_sign(a ^ b)) & there;
  *exp = (e & there) | (~there & (mode->bias > 0 ? mode->bias : 0));
}
#endif

/* A datum as a number by whose size datums are ordered: exponent, mantissa 10, sign. 0: zero. */
INLINE v32 in_order(v32 datum) {
  v32 order = (datum & 0xff) << 11 | (datum >> 7 & 0x7fe) | datum >> 18;
  return order & (order > 0x7ff);
}

/* Of two equal magnitudes either may count as the larger: their difference is 0. */
INLINE void add(const struct num_fpu_mode *mode, v32 a, v32 b, v32 *sum, v32 *exp) {
  v32 order_a = in_order(a), order_b = in_order(b);
  v32 large = max32(order_a, order_b), small = min32(order_a, order_b);
  v32 e = large >> 11;
  v32 m = ((large & 0x7fe) | 0x800) & (large != 0),
      n = ((small & 0x7fe) | 0x800) & (small != 0); /* twice the significands */
  n = (shift_right(n, e - (small >> 11)) + 1) >> 1;
  m = (m >> 1) + negate_if(n, -((large ^ small) & 1));
  if (!mode->exp8 && mode->dst == NUM_FPU_DST_FP32) e = choose(e != 0, e + 112, splat(97));
  if (mode->phase) {
    e -= (mode->phase & 1u ? 5 : 0) + (mode->phase & 2u ? 7 : 0);
    m &= e > 0;
    e &= e > 0;
  }
  *sum = negate_if(m, -(large & 1));
  *exp = e; /* never below 0 */
}

INLINE void elementwise_rows(const struct num_fpu_elementwise_job *job, unsigned first, uint32_t format, bool mul,
                             bool onto) {
  const struct num_fpu_mode mode = job->mode;
  const int32_t flip = job->op == NUM_FPU_SUB ? 1 << 18 : 0;
  for (unsigned i = first; i < job->rows.count; i++) {
    for (unsigned column = 0; column < 16; column += LANES) {
      v32 a = load_v32(job->a[i] + column) & (int32_t)mode.mask_a;
      const uint32_t *row_b = job->b[i * job->step_b];
      v32 b = job->column0 ? splat((int32_t)row_b[0]) : load_v32(row_b + column);
      b = (b ^ flip) & (int32_t)mode.mask_b;
      v32 sum, exp;
      if (mul) multiply(&mode, a, b, &sum, &exp);
      else add(&mode, a, b, &sum, &exp);
      accumulate_one(&job->rows, i, column, format, onto, sum, exp);
    }
  }
}

/* The rows from `first` on. */
INLINE void elementwise_in(const struct num_fpu_elementwise_job *job, unsigned first, uint32_t format) {
  if (job->op == NUM_FPU_MUL && job->accumulate) elementwise_rows(job, first, format, true, true);
  else if (job->op == NUM_FPU_MUL) elementwise_rows(job, first, format, true, false);
  else if (job->accumulate) elementwise_rows(job, first, format, false, true);
  else elementwise_rows(job, first, format, false, false);
}

#if defined(VEC_AVX2) || defined(VEC_AVX512)
#include "tensix/num/num_fpu_alone.h"
#endif
#if defined(VEC_AVX2)
#include "tensix/num/num_fpu_row16.h"
#endif

static void vec_elementwise(const struct num_fpu_elementwise_job *job) {
  unsigned first = 0;
#if defined(VEC_AVX2) || defined(VEC_AVX512)
  const bool mul = job->op == NUM_FPU_MUL;
  if (is_bf16(&job->mode, mul)) {
    if (!mul) first = leading_alone(job);
    if (first == job->rows.count) return;
#if defined(VEC_AVX2)
    elementwise16(job, first, mul);
    return;
#endif
  }
#endif
  if (job->op != NUM_FPU_MUL && job->mode.keep_b) { /* rare, with an anomaly: see num_fpu_add */
    num_fpu_scalar.elementwise(job);
    return;
  }
  if (job->mode.dst == NUM_FPU_DST_BF16) elementwise_in(job, first, NUM_FPU_DST_BF16);
  else if (job->mode.dst == NUM_FPU_DST_FP16) elementwise_in(job, first, NUM_FPU_DST_FP16);
  else elementwise_in(job, first, NUM_FPU_DST_FP32);
}

/* --- integers --- */

INLINE v32 int8_value(v32 datum, uint32_t magnitude_mask, bool keep) {
  v32 m = negate_if(datum >> 8 & (int32_t)magnitude_mask, datum_sign(datum));
  return keep ? m : m & ((datum & 0xff) != 0);
}

/* Saturating: `sum` is small, so it overflows only if it and Dst have the same sign. INT32_MIN cannot be stored. */
INLINE void accumulate_int(const struct num_fpu_rows *rows, unsigned i, unsigned column, bool with_dst, v32 sum) {
  v32 old = {0};
  if (with_dst && rows->defined[i]) {
    v32 high = load_half(rows->high[i] + column);
    v32 magnitude = (high & 0xff) << 23 | (high & 0x7f00) << 8 | load_half(rows->low[i] + column);
    old = negate_if(magnitude, -(high >> 15));
  }
  v32 total = (v32)((u32)old + (u32)sum);
  v32 over = sign_mask((total ^ old) & (total ^ sum));
  total = choose(over, sign_mask(old) ^ 0x7fffffff, total);
  total += (v32)(total == INT32_MIN) & 1;
  v32 sign = sign_mask(total), m = negate_if(total, sign);
  store_half(rows->high[i] + column, (sign & 0x8000) | (m >> 16 & 0x7f) << 8 | m >> 23);
  store_half(rows->low[i] + column, m & 0xffff);
}

static void vec_dot_int(const struct num_fpu_dot_job *job) {
  uint32_t mask_a = num_fpu_int8_mask_a(job->mode.phase), mask_b = num_fpu_int8_mask_b(job->mode.phase);
  for (unsigned column = 0; column < 16; column += LANES) {
    v32 a[16];
    for (unsigned k = 0; k < 16; k++) a[k] = int8_value(load_v32(job->a[(job->row_a + k) & 63u] + column), mask_a, false);
    for (unsigned i = 0; i < job->rows.count; i++) {
      const uint32_t *b = job->b[(job->row_b + i * job->step_b) & 63u];
      v32 sum = {0};
      for (unsigned k = 0; k < 16; k++) sum += a[k] * num_fpu_int8(b[k], mask_b, job->mode.keep_b);
      accumulate_int(&job->rows, i, column, true, sum);
    }
  }
}

static void vec_elementwise_int(const struct num_fpu_elementwise_job *job) {
  bool mul = job->op == NUM_FPU_MUL;
  uint32_t mask_a = mul ? num_fpu_int8_mask_a(job->mode.phase) : 0x3ffu;
  uint32_t mask_b = mul ? num_fpu_int8_mask_b(job->mode.phase) : 0x3ffu;
  for (unsigned i = 0; i < job->rows.count; i++) {
    for (unsigned column = 0; column < 16; column += LANES) {
      v32 a = int8_value(load_v32(job->a[i] + column), mask_a, false);
      const uint32_t *row_b = job->b[i * job->step_b];
      v32 b = job->column0 ? splat((int32_t)row_b[0]) : load_v32(row_b + column);
      b = int8_value(b, mask_b, job->mode.keep_b);
      accumulate_int(&job->rows, i, column, job->accumulate, mul ? a * b : job->op == NUM_FPU_SUB ? a - b : a + b);
    }
  }
}

/* --- moves: moves.c has the reference --- */

static void vec_to_dst(const struct num_fpu_to_dst_job *job) {
  const int32_t top = (int32_t)(job->mask & (job->exp8 ? 0x7f800u : 0x7ff00u)),
                exponent = (int32_t)(job->mask & (job->exp8 ? 0xffu : 0x1fu));
  const int32_t keep = job->flush ? 0 : -1;
  for (unsigned i = 0; i < job->rows.count; i++) UNROLL for (unsigned column = 0; column < 16; column += LANES) {
      const uint32_t *from = job->from[i * job->step];
      v32 x = job->column0 ? splat((int32_t)from[0]) : load_v32(from + column);
      v32 half = (x & top) >> 3 | (x & exponent);
      store_half(job->rows.high[i] + column, half & (((x & 0xff) != 0) | keep));
    }
}

/* The exponent of a datum of Dst is in its low byte, so that a zero one is found there. */
static void vec_to_rows(const uint32_t (*from)[16], uint16_t (*to)[16], unsigned rows, bool flush) {
#if defined(VEC_AVX2)
  const __m256i low = _mm256_set1_epi16(0xff), flushed = _mm256_set1_epi16(flush ? -1 : 0);
  for (const uint32_t(*end)[16] = from + rows; from != end; from += 4, to += 4) UNROLL for (unsigned i = 0; i < 4; i++) {
      const __m256i x = row_for_dst(from[i]),
                    y = _mm256_and_si256(_mm256_cmpeq_epi16(_mm256_and_si256(x, low), _mm256_setzero_si256()), flushed);
      _mm256_storeu_si256((__m256i *)to[i], _mm256_andnot_si256(y, x));
    }
#else
  const int32_t keep = flush ? 0 : -1;
  for (unsigned i = 0; i < rows; i++) UNROLL for (unsigned column = 0; column < 16; column += LANES) {
      v32 x = load_v32(from[i] + column);
      v32 half = (x & 0x7f800) >> 3 | (x & 0xff);
      store_half(to[i] + column, half & (((x & 0xff) != 0) | keep));
    }
#endif
}

static void vec_from_rows(const uint16_t (*from)[16], uint32_t (*to)[16], unsigned rows) {
#if defined(VEC_AVX2)
  const __m256i top = _mm256_set1_epi16(-0x800), exponent = _mm256_set1_epi16(0xff);
  for (const uint16_t(*end)[16] = from + rows; from != end; from += 4, to += 4) UNROLL for (unsigned i = 0; i < 4; i++) {
      const __m256i x = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)from[i]), 0xd8);
      const __m256i low = _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi16(x, 3), top), _mm256_and_si256(x, exponent)),
                    high = _mm256_srli_epi16(x, 13);
      _mm256_storeu_si256((__m256i *)to[i], _mm256_unpacklo_epi16(low, high));
      _mm256_storeu_si256((__m256i *)(to[i] + 8), _mm256_unpackhi_epi16(low, high));
    }
#else
  for (unsigned i = 0; i < rows; i++) UNROLL for (unsigned column = 0; column < 16; column += LANES) {
      v32 x = load_half(from[i] + column);
      x = (x & 0xff00) << 3 | (x & 0xff);
      memcpy(to[i] + column, &x, sizeof x);
    }
#endif
}

static void vec_from_dst(const struct num_fpu_from_dst_job *job) {
  const int32_t top = job->exp8 ? 0xff00 : 0xffe0, exponent = job->exp8 ? 0xff : 0x1f;
  for (unsigned i = 0; i < job->rows.count; i++) {
    const int32_t defined = job->rows.defined[i] ? -1 : 0;
    UNROLL for (unsigned column = 0; column < 16; column += LANES) {
      v32 x = load_half(job->rows.high[i] + column) & defined;
      x = (x & top) << 3 | (x & exponent);
      memcpy(job->to[i] + column, &x, sizeof x);
    }
  }
}

/* --- GMPOOL: pool.c has the reference. A number is its magnitude (exponent 9 bits, mantissa 10) with its sign --- */

INLINE v32 pool_read(const struct num_fpu_pool_job *job, unsigned column) {
  v32 high = load_half(job->rows.high[0] + column), magnitude;
  if (!job->rows.defined[0]) high = splat(0xffff);
  if (job->dst == NUM_FPU_DST_FP16) {
    magnitude = ((high & 0x1f) + 15) << 10 | (high >> 5 & 0x3ff);
  } else {
    magnitude = ((high & 0xff) + 127) << 10 | (high >> 8 & 0x7f) << 3;
    if (job->dst == NUM_FPU_DST_FP32)
      magnitude |= job->rows.defined[0] ? load_half(job->rows.low[0] + column) >> 13 : splat(7);
  }
  return negate_if(magnitude, -(high >> 15));
}

INLINE void pool_write(const struct num_fpu_pool_job *job, unsigned column, v32 value) {
  v32 sign = sign_mask(value), magnitude = negate_if(value, sign), exponent = magnitude >> 10, high, low = {0};
  if (job->dst == NUM_FPU_DST_FP16) {
    high = (sign & 0x8000) | (magnitude & 0x3ff) << 5 | ((exponent - 15) & 0x1f);
    high &= (exponent & 0x3f) != 0;
  } else {
    high = (sign & 0x8000) | (magnitude & 0x3f8) << 5 | ((exponent - 127) & 0xff);
    high &= exponent != 0;
    if (job->dst == NUM_FPU_DST_FP32) low = (magnitude & 7) << 13 & (exponent != 0);
  }
  store_half(job->rows.high[0] + column, high);
  if (job->rows.low[0]) store_half(job->rows.low[0] + column, low);
}

static void vec_pool(const struct num_fpu_pool_job *job) {
#if defined(VEC_AVX2)
  if (pool16(job)) return;
#endif
  const int32_t exponents = job->exp8 ? 0xff : 0x1f, mantissas = (int32_t)job->mask_a;
  for (unsigned column = 0; column < 16; column += LANES) {
    v32 max = pool_read(job, column);
    for (unsigned i = 0; i < 16; i++) {
      int32_t scale = (int32_t)job->b[i];
      v32 a = load_v32(job->a[i] + column), x = splat(-0x7ffff); /* minus infinity */
      if (scale & 0xff) {
        x = ((a & exponents) + (scale & exponents)) << 10 | (a >> 8 & mantissas);
        x = negate_if(x, datum_sign(a)) & ((a & 0xff) != 0);
      }
      max = max32(max, x);
    }
    pool_write(job, column, max);
  }
  for (unsigned i = 1; i < job->rows.count; i++) {
    memset(job->rows.high[i], 0, 16 * sizeof *job->rows.high[i]);
    if (job->rows.low[i]) memset(job->rows.low[i], 0, 16 * sizeof *job->rows.low[i]);
  }
}

const struct num_fpu_ops VEC_TABLE = {.name = VEC_NAME,
                                      .uses_banks = true,
                                      .decode_a = vec_decode_a,
                                      .decode_b = vec_decode_b,
                                      .dot = vec_dot,
                                      .dot_int = vec_dot_int,
                                      .elementwise = vec_elementwise,
                                      .elementwise_int = vec_elementwise_int,
                                      .to_dst = vec_to_dst,
                                      .to_rows = vec_to_rows,
                                      .from_rows = vec_from_rows,
                                      .from_dst = vec_from_dst,
                                      .pool = vec_pool};
