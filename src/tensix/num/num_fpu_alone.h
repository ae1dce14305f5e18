/* ELWADD and ELWSUB of BF16 numbers whose sums have at most one term that is not zero: kernels move rows to a 32-bit Dst, and clear rows of Dst,
 * by adding zeros. A part of num_fpu_vec_body.h for AVX2 and AVX-512, a row of 16 columns per vector. */

/* Both operands are BF16, Dst is BF16 or FP32, and a sum is not divided. */
INLINE bool is_bf16(const struct num_fpu_mode *mode, bool mul) {
  return mode->mask_a == NUM_FPU_SRC_BF16 && mode->mask_b == NUM_FPU_SRC_BF16 && mode->exp8 && !mode->keep_b &&
         (mul || !mode->phase) && (mode->dst == NUM_FPU_DST_BF16 || mode->dst == NUM_FPU_DST_FP32);
}

INLINE __m256i either_half(const uint32_t *row) {
  return _mm256_or_si256(_mm256_loadu_si256((const __m256i *)row), _mm256_loadu_si256((const __m256i *)(row + 8)));
}

/* Exponents of 0 are zeros, whatever their mantissas. */
INLINE bool is_zero_row(const uint32_t *row) { return _mm256_testz_si256(either_half(row), _mm256_set1_epi32(0xff)); }

/* A row of BF16 source datums in Dst's order. AVX2 packs each half of the vectors by itself. */
INLINE __m256i row_for_dst(const uint32_t *row) {
  const __m256i top = _mm256_set1_epi32(0x7f800), exponent = _mm256_set1_epi32(0xff);
  __m256i x = _mm256_loadu_si256((const __m256i *)row), y = _mm256_loadu_si256((const __m256i *)(row + 8));
  x = _mm256_or_si256(_mm256_srli_epi32(_mm256_and_si256(x, top), 3), _mm256_and_si256(x, exponent));
  y = _mm256_or_si256(_mm256_srli_epi32(_mm256_and_si256(y, top), 3), _mm256_and_si256(y, exponent));
  return _mm256_permute4x64_epi64(_mm256_packus_epi32(x, y), 0xd8);
}

/* A sum with one term is that term, but numbers without an exponent are 0 and those with the largest one have no mantissa. */
INLINE void store_alone(const struct num_fpu_rows *rows, unsigned i, bool wide, __m256i high, __m256i low) {
  const __m256i exponent = _mm256_and_si256(high, _mm256_set1_epi16(0xff));
  const __m256i none = _mm256_cmpeq_epi16(exponent, _mm256_setzero_si256()),
                large = _mm256_cmpeq_epi16(exponent, _mm256_set1_epi16(0xff));
  const __m256i lost = _mm256_or_si256(none, _mm256_and_si256(large, _mm256_set1_epi16(0x7f00)));
  _mm256_storeu_si256((__m256i *)rows->high[i], _mm256_andnot_si256(lost, high));
  if (wide) _mm256_storeu_si256((__m256i *)rows->low[i], _mm256_andnot_si256(_mm256_or_si256(none, large), low));
}

/* Returns the number of rows done: up to the first that has two terms in some column, or may have. */
static __attribute__((noinline)) unsigned rows_alone(const struct num_fpu_elementwise_job *job) {
  const bool wide = job->mode.dst == NUM_FPU_DST_FP32;
  for (unsigned i = 0; i < job->rows.count; i++) {
    const bool onto = job->accumulate && job->rows.defined[i];
    __m256i high = _mm256_setzero_si256(), low = high;
    if (!is_zero_row(job->b[i * job->step_b])) return i;
    if (onto) high = _mm256_loadu_si256((const __m256i *)job->rows.high[i]);
    if (!is_zero_row(job->a[i])) {
      if (!_mm256_testz_si256(high, _mm256_set1_epi16(0xff))) return i;
      high = row_for_dst(job->a[i]);
    } else if (onto && wide) {
      low = _mm256_loadu_si256((const __m256i *)job->rows.low[i]);
    }
    store_alone(&job->rows, i, wide, high, low);
  }
  return job->rows.count;
}

/* Likewise, of sums of BF16 numbers; 0 at once where the first row of SrcB is not zero. */
INLINE unsigned leading_alone(const struct num_fpu_elementwise_job *job) {
  return is_zero_row(job->b[0]) ? rows_alone(job) : 0;
}
