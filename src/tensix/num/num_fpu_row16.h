/* ELWADD, ELWSUB, ELWMUL and GMPOOL of BF16 numbers by AVX2, a row of 16 columns per vector: a part of num_fpu_vec_body.h, with its primitives.
 *
 * A number is in Dst's order, s | mantissa 7 | exponent 8, and all columns are in the order in which AVX2 packs two halves of a row:
 * 0 to 3, 8 to 11, 4 to 7, 12 to 15. Significands have 11 bits, as in the other versions, so that twice a sum of them fits a lane. */

struct sum16 {
  __m256i total, exp; /* signed; exponent 0 only with total 0 */
};

INLINE __m256i all16(int x) { return _mm256_set1_epi16((short)x); }
INLINE __m256i table16(__m128i bytes) { return _mm256_broadcastsi128_si256(bytes); }

/* A row of source datums. Shifted by 5, sign and mantissa are the third byte of a datum. */
INLINE __m256i load_row16(const uint32_t *row) {
  const __m256i first = _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12,
                                         14, -1, -1, -1, -1, -1, -1, -1, -1),
                second = _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1,
                                          -1, -1, 0, 2, 4, 6, 8, 10, 12, 14);
  const __m256i x = _mm256_loadu_si256((const __m256i *)row), y = _mm256_loadu_si256((const __m256i *)(row + 8));
  return _mm256_or_si256(_mm256_shuffle_epi8(_mm256_blend_epi16(x, _mm256_slli_epi32(x, 5), 0xaa), first),
                         _mm256_shuffle_epi8(_mm256_blend_epi16(y, _mm256_slli_epi32(y, 5), 0xaa), second));
}

INLINE __m256i exponent16(__m256i x) { return _mm256_and_si256(x, all16(0xff)); }

/* Twice the significand; exponent 0 is zero. */
INLINE __m256i twice16(__m256i x, __m256i exponent) {
  const __m256i m = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(x, 4), all16(0x7f0)), all16(0x800));
  return _mm256_andnot_si256(_mm256_cmpeq_epi16(exponent, _mm256_setzero_si256()), m);
}

/* 2^n for n from 0 to 15: bytes of a table, as in add_products. */
INLINE __m256i power16(__m256i n) {
  const __m256i powers = table16(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
  return _mm256_shuffle_epi8(powers, _mm256_sub_epi16(_mm256_mullo_epi16(n, all16(0x0101)), all16(0x0800)));
}

/* Half of `twice` with the exponent `to`, rounded half up. A distance of 15 and more leaves nothing. */
INLINE __m256i align16(__m256i twice, __m256i exp, __m256i to) {
  const __m256i up = _mm256_max_epi16(_mm256_sub_epi16(_mm256_add_epi16(exp, all16(14)), to), _mm256_setzero_si256());
  return _mm256_mulhrs_epi16(twice, power16(up));
}

INLINE struct sum16 add16(__m256i a, __m256i b) {
  const __m256i ea = exponent16(a), eb = exponent16(b), exp = _mm256_max_epi16(ea, eb);
  const __m256i x = align16(twice16(a, ea), ea, exp), y = align16(twice16(b, eb), eb, exp);
  return (struct sum16){_mm256_add_epi16(_mm256_sign_epi16(x, a), _mm256_sign_epi16(y, b)), exp};
}

/* The slices of multiply. */
INLINE struct sum16 multiply16(const struct num_fpu_mode *mode, __m256i a, __m256i b) {
  const __m256i zero = _mm256_setzero_si256(), ea = exponent16(a), eb = exponent16(b);
  const __m256i sig_a = mode->phase & 1u ? _mm256_and_si256(_mm256_srli_epi16(a, 6), all16(0x1c))
                                         : _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(a, 11), all16(15)), all16(16));
  const __m256i sig_b = mode->phase & 2u ? _mm256_and_si256(_mm256_srli_epi16(b, 2), all16(0x40))
                                         : _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(b, 9), all16(63)), all16(64));
  const __m256i e = _mm256_add_epi16(_mm256_add_epi16(ea, eb), all16(mode->bias));
  const __m256i lost = _mm256_or_si256(_mm256_cmpeq_epi16(_mm256_min_epi16(ea, eb), zero), _mm256_cmpgt_epi16(all16(1), e));
  const __m256i m = _mm256_sign_epi16(_mm256_mullo_epi16(sig_a, sig_b), _mm256_or_si256(_mm256_xor_si256(a, b), all16(1)));
  return (struct sum16){_mm256_andnot_si256(lost, m), _mm256_andnot_si256(lost, e)};
}

/* Leading zeros of 16 bits: those of each nibble from a table, and the lower of both bytes' counts. 16 and more: no bit is set. */
INLINE __m256i leading_zeros16(__m256i x) {
  const __m256i high = table16(_mm_setr_epi8(16, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)),
                low = table16(_mm_setr_epi8(16, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4)), nibble = all16(0x0f0f);
  const __m256i counts = _mm256_min_epu8(_mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble)),
                                         _mm256_shuffle_epi8(low, _mm256_and_si256(x, nibble))),
                both = _mm256_add_epi8(counts, all16(8));
  return _mm256_min_epu8(both, _mm256_srli_epi16(both, 8));
}

/* store_narrow */
INLINE void store_row16(uint16_t *to, struct sum16 s) {
  const __m256i m = _mm256_abs_epi16(s.total), zeros = leading_zeros16(m);
  const __m256i normal = _mm256_mullo_epi16(m, power16(zeros));
  const __m256i rounded = _mm256_avg_epu16(_mm256_srli_epi16(normal, 7), _mm256_setzero_si256());
  const __m256i exp = _mm256_min_epi16(_mm256_sub_epi16(_mm256_add_epi16(s.exp, all16(4)), zeros), all16(254));
  __m256i result = _mm256_min_epi16(_mm256_adds_epi16(_mm256_slli_epi16(exp, 7), rounded), all16(255 << 7));
  result = _mm256_sign_epi16(result, m); /* 0 where the total is 0 */
  const __m256i there = _mm256_cmpgt_epi16(result, all16(127));
  result = _mm256_and_si256(result, there);
  const __m256i bits = _mm256_and_si256(_mm256_or_si256(_mm256_slli_epi16(result, 8), _mm256_srli_epi16(result, 7)),
                                        all16(0x7fff)),
                sign = _mm256_and_si256(_mm256_and_si256(s.total, there), all16(0x8000));
  _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(_mm256_or_si256(bits, sign), 0xd8));
}

INLINE struct sum16 onto_row16(const uint16_t *from, struct sum16 s) {
  const __m256i old = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)from), 0xd8), e = exponent16(old),
                exp = _mm256_max_epi16(s.exp, e);
  const __m256i x = align16(_mm256_add_epi16(s.total, s.total), s.exp, exp),
                y = _mm256_sign_epi16(align16(twice16(old, e), e, exp), old);
  return (struct sum16){_mm256_add_epi16(x, y), exp};
}

/* --- the 32-bit view: eight columns per vector --- */

/* accumulate_one onto eight columns of Dst. */
INLINE void onto_wide(const uint16_t *high, const uint16_t *low, __m256i *total, __m256i *exp) {
  const __m256i upper = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)high)),
                lower = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)low));
  const __m256i e = _mm256_and_si256(upper, _mm256_set1_epi32(0xff)), to = _mm256_max_epi32(*exp, e);
  __m256i m = _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(upper, _mm256_set1_epi32(0x7f00)), 8), lower);
  m = _mm256_andnot_si256(_mm256_cmpeq_epi32(e, _mm256_setzero_si256()), _mm256_or_si256(m, _mm256_set1_epi32(0x800000)));
  m = (__m256i)shift_rounded32((v32)m, (v32)_mm256_sub_epi32(to, e));
  const __m256i sum = (__m256i)shift_rounded32((v32)*total, (v32)_mm256_sub_epi32(to, *exp));
  *total = _mm256_add_epi32(sum, _mm256_sign_epi32(m, _mm256_slli_epi32(upper, 16)));
  *exp = to;
}

/* store_wide: exponent and mantissa as one number, two exponents too high, so that it is never negative. */
INLINE __m256i normal_wide(__m256i total, __m256i exp) {
  const __m256i m = _mm256_abs_epi32(total), zeros = (__m256i)leading_zeros((v32)m);
  const __m256i rounded =
      _mm256_srli_epi32(_mm256_add_epi32(_mm256_srli_epi32(_mm256_sllv_epi32(m, zeros), 7), _mm256_set1_epi32(1)), 1);
  __m256i e = _mm256_sub_epi32(_mm256_add_epi32(exp, _mm256_set1_epi32(9)), zeros);
  e = _mm256_min_epi32(_mm256_max_epi32(e, _mm256_setzero_si256()), _mm256_set1_epi32(256));
  __m256i result = _mm256_add_epi32(_mm256_slli_epi32(e, 23), rounded);
  const __m256i there = _mm256_cmpeq_epi32(_mm256_max_epu32(result, _mm256_set1_epi32(3 << 23)), result);
  result = _mm256_sub_epi32(_mm256_min_epu32(result, _mm256_set1_epi32((int)(257u << 23))), _mm256_set1_epi32(2 << 23));
  result = _mm256_sign_epi32(_mm256_and_si256(result, there), m); /* 0 where the total is 0 */
  const __m256i sign = _mm256_and_si256(_mm256_cmpgt_epi32(result, _mm256_setzero_si256()), total);
  return _mm256_or_si256(result, _mm256_and_si256(sign, _mm256_set1_epi32(INT32_MIN)));
}

/* The high halves of two vectors of numbers, in Dst's order; and their low halves. */
INLINE void store_wide16(uint16_t *high, uint16_t *low, __m256i x, __m256i y) {
  const __m256i half = _mm256_set1_epi32(0xffff);
  const __m256i upper = _mm256_packus_epi32(_mm256_srli_epi32(x, 16), _mm256_srli_epi32(y, 16)), /* s | e 8 | m 7 */
      lower = _mm256_packus_epi32(_mm256_and_si256(x, half), _mm256_and_si256(y, half));
  const __m256i turned = _mm256_or_si256(_mm256_and_si256(upper, all16(0x8000)),
                                         _mm256_or_si256(_mm256_srli_epi16(_mm256_slli_epi16(upper, 9), 1),
                                                         _mm256_and_si256(_mm256_srli_epi16(upper, 7), all16(0xff))));
  _mm256_storeu_si256((__m256i *)high, _mm256_permute4x64_epi64(turned, 0xd8));
  _mm256_storeu_si256((__m256i *)low, _mm256_permute4x64_epi64(lower, 0xd8));
}

INLINE void wide_row16(const struct num_fpu_rows *rows, unsigned i, bool onto, struct sum16 s) {
  const __m256i zero = _mm256_setzero_si256();
  /* from the top half of a lane: the units of 2^13 of accumulate_one */
  __m256i x = _mm256_srai_epi32(_mm256_unpacklo_epi16(zero, s.total), 3), ex = _mm256_unpacklo_epi16(s.exp, zero),
          y = _mm256_srai_epi32(_mm256_unpackhi_epi16(zero, s.total), 3), ey = _mm256_unpackhi_epi16(s.exp, zero);
  if (onto && rows->defined[i]) {
    onto_wide(rows->high[i], rows->low[i], &x, &ex);
    onto_wide(rows->high[i] + 8, rows->low[i] + 8, &y, &ey);
  }
  store_wide16(rows->high[i], rows->low[i], normal_wide(x, ex), normal_wide(y, ey));
}

/* --- instructions --- */

INLINE __m256i load_b16(const struct num_fpu_elementwise_job *job, unsigned i) {
  const uint32_t *row = job->b[i * job->step_b];
  if (!job->column0) return load_row16(row);
  return all16((int)((row[0] >> 3 & 0xff00u) | (row[0] & 0xffu)));
}

INLINE void rows16(const struct num_fpu_elementwise_job *job, unsigned first, bool mul, bool wide) {
  const __m256i flip = all16(job->op == NUM_FPU_SUB ? 0x8000 : 0);
  for (unsigned i = first; i < job->rows.count; i++) {
    const __m256i a = load_row16(job->a[i]), b = load_b16(job, i);
    struct sum16 s = mul ? multiply16(&job->mode, a, b) : add16(a, _mm256_xor_si256(b, flip));
    if (wide) {
      wide_row16(&job->rows, i, job->accumulate, s);
      continue;
    }
    if (job->accumulate && job->rows.defined[i]) s = onto_row16(job->rows.high[i], s);
    store_row16(job->rows.high[i], s);
  }
}

/* BF16 numbers: the rows from `first` on. */
INLINE void elementwise16(const struct num_fpu_elementwise_job *job, unsigned first, bool mul) {
  const bool wide = job->mode.dst == NUM_FPU_DST_FP32;
  if (!wide && mul) rows16(job, first, true, false);
  else if (!wide) rows16(job, first, false, false);
  else if (mul) rows16(job, first, true, true);
  else rows16(job, first, false, true);
}

/* --- GMPOOL --- */

/* The negative of a number as an integer, exponent before mantissa: the smallest of these is the largest number. */
INLINE __m256i order16(__m256i x) {
  const __m256i m = _mm256_maddubs_epi16(_mm256_and_si256(x, all16(0x7fff)), all16(0xff80)); /* -(128 exponent + mantissa) */
  return _mm256_sign_epi16(_mm256_and_si256(m, _mm256_cmpgt_epi16(all16(-127), m)), x);
}

/* BF16 with scales of 1.0, which leave the exponents as they are. false: nothing done. A number of Dst with exponent 0 is not a zero here
 * (unit/matrix/pool.c): only one of 16 zero bits gives the same maximum as a zero. */
INLINE bool pool16(const struct num_fpu_pool_job *job) {
  if (!job->exp8 || job->mask_a != 0x3f8 || job->dst != NUM_FPU_DST_BF16 || job->rows.low[0]) return false;
  const __m256i exponent = _mm256_set1_epi32(0xff), one = _mm256_set1_epi32(127), zero = _mm256_setzero_si256();
  const __m256i other = _mm256_or_si256(_mm256_xor_si256(_mm256_loadu_si256((const __m256i *)job->b), one),
                                        _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(job->b + 8)), one));
  if (!_mm256_testz_si256(other, exponent)) return false;
  __m256i best = all16(INT16_MAX); /* minus infinity */
  if (job->rows.defined[0]) {
    const __m256i old = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)job->rows.high[0]), 0xd8);
    const __m256i small = _mm256_cmpeq_epi16(exponent16(old), zero);
    if (!_mm256_testz_si256(small, old)) return false;
    best = order16(old);
  }
  for (unsigned i = 0; i < 16; i++) best = _mm256_min_epi16(best, order16(load_row16(job->a[i])));
  const __m256i m = _mm256_abs_epi16(best);
  const __m256i bits = _mm256_or_si256(_mm256_srli_epi16(_mm256_slli_epi16(m, 9), 1), _mm256_srli_epi16(m, 7)),
                sign = _mm256_and_si256(_mm256_cmpgt_epi16(best, zero), all16(0x8000));
  _mm256_storeu_si256((__m256i *)job->rows.high[0], _mm256_permute4x64_epi64(_mm256_or_si256(bits, sign), 0xd8));
  for (unsigned i = 1; i < job->rows.count; i++) _mm256_storeu_si256((__m256i *)job->rows.high[i], zero);
  return true;
}
