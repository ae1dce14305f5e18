/* Turned blocks (turn.h): four or, with AVX2, eight rows and columns at a time. */
#include "tensix/num/turn.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef uint32_t four __attribute__((vector_size(16)));

static inline void turn_four(uint32_t (*out)[16], const uint32_t (*in)[16], unsigned row, unsigned col) {
  four rows[4], pair[4];
  for (unsigned i = 0; i < 4; i++) memcpy(&rows[i], in[row + i] + col, sizeof rows[i]);
  for (unsigned i = 0; i < 2; i++) {
    pair[i] = __builtin_shufflevector(rows[i], rows[i + 2], 0, 4, 1, 5);
    pair[i + 2] = __builtin_shufflevector(rows[i], rows[i + 2], 2, 6, 3, 7);
  }
  for (unsigned i = 0; i < 2; i++) {
    const four even = __builtin_shufflevector(pair[2 * i], pair[2 * i + 1], 0, 4, 1, 5),
               odd = __builtin_shufflevector(pair[2 * i], pair[2 * i + 1], 2, 6, 3, 7);
    memcpy(out[col + 2 * i] + row, &even, sizeof even);
    memcpy(out[col + 2 * i + 1] + row, &odd, sizeof odd);
  }
}

#if defined(__x86_64__)
#define INLINE __attribute__((target("avx2"), always_inline)) static inline

/* Four columns of the rows `in` and `in` + 4. */
INLINE __m256i two_rows(const uint32_t (*in)[16], unsigned row) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)in[row])),
                                 _mm_loadu_si128((const __m128i *)in[row + 4]), 1);
}

/* Four columns of eight rows: rows i and i + 4 share a vector, so that its halves are turned alike. */
INLINE void turn_columns(uint32_t (*out)[16], const uint32_t (*in)[16]) {
  const __m256i r0 = two_rows(in, 0), r1 = two_rows(in, 1), r2 = two_rows(in, 2), r3 = two_rows(in, 3);
  const __m256i a = _mm256_unpacklo_epi32(r0, r1), b = _mm256_unpackhi_epi32(r0, r1), c = _mm256_unpacklo_epi32(r2, r3),
                d = _mm256_unpackhi_epi32(r2, r3);
  _mm256_storeu_si256((__m256i *)out[0], _mm256_unpacklo_epi64(a, c));
  _mm256_storeu_si256((__m256i *)out[1], _mm256_unpackhi_epi64(a, c));
  _mm256_storeu_si256((__m256i *)out[2], _mm256_unpacklo_epi64(b, d));
  _mm256_storeu_si256((__m256i *)out[3], _mm256_unpackhi_epi64(b, d));
}

__attribute__((target("avx2"))) static void turn_avx2(uint32_t (*out)[16], const uint32_t (*in)[16]) {
  for (unsigned col = 0; col < 16; col += 4) {
    turn_columns(out + col, (const uint32_t(*)[16]) & in[0][col]);
    turn_columns((uint32_t(*)[16]) & out[col][8], (const uint32_t(*)[16]) & in[8][col]);
  }
}
#endif

void num_turn_block(uint32_t (*out)[16], const uint32_t (*in)[16]) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    turn_avx2(out, in);
    return;
  }
#endif
  for (unsigned row = 0; row < 16; row += 4)
    for (unsigned col = 0; col < 16; col += 4) turn_four(out, in, row, col);
}
