/* The unpacker's conversion of a datum from L1 to SrcA, SrcB or Dst.
 *
 * Two steps. Normalise: the datum becomes a 16-bit BF16 or FP16 pattern, or stays 32 bits. Place: the fields are rearranged for the
 * register. ISA: UNPACR_Regular.md "FormatConversion", with these from the golden model (ttsim, UNPACR): FP32 to FP16, FP8 with a
 * four-bit exponent, FP8 patterns 7F and FF, which Blackhole pads with ones.
 *
 * Not modelled: stochastic rounding (the unpacker has none). */
#include "tensix/num/format.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- which pairs exist --- */

#define F(name) (1u << NUM_##name)

/* Codes of `out` that are valid for each code of `in`: first the pairs of FormatConversion.md; "LLK" are pairs that the
 * page does not list and the vendor's kernel library declares supported: the datum is converted in the same way, and `out`
 * only names the format of the bank. */
struct pairs {
  uint16_t src, dst;
};

static const struct pairs legal[NUM_FORMAT_CODES] = {
    [NUM_FP32] = {F(TF32) | F(BF16) | F(FP16), F(FP32) | F(TF32) | F(BF16) | F(FP16)},
    [NUM_TF32] = {F(TF32) | F(BF16) | F(FP16) /* LLK */, F(TF32) | F(FP32) | F(BF16) | F(FP16) /* LLK: all but TF32 */},
    [NUM_BF16] = {F(BF16) | F(TF32) /* LLK */, F(BF16)},
    [NUM_FP16] = {F(FP16), F(FP16)},
    [NUM_FP8] = {F(FP8) | F(FP16) /* LLK */, F(FP8) | F(FP16) /* LLK */},
    [NUM_BFP8A] = {F(BFP8A) | F(FP16) /* LLK */, F(BFP8A) | F(FP16) /* LLK */},
    [NUM_BFP4A] = {F(BFP4A) | F(FP16) /* LLK */, F(BFP4A) | F(FP16) /* LLK */},
    [NUM_BFP2A] = {F(BFP2A) | F(FP16) /* LLK */, F(BFP2A) | F(FP16) /* LLK */},
    [NUM_BFP8] = {F(BFP8) | F(BF16) | F(TF32) /* LLK */, F(BFP8) | F(BF16) /* LLK */},
    [NUM_BFP4] = {F(BFP4) | F(BFP8) | F(BF16) | F(TF32) /* LLK */, F(BFP4) | F(BFP8) | F(BF16) /* LLK */},
    [NUM_BFP2] = {F(BFP2) | F(BFP8) | F(BF16) | F(TF32) /* LLK */, F(BFP2) | F(BFP8) | F(BF16) /* LLK */},
    [NUM_INT32] = {0, F(INT32)},
    [NUM_INT16] = {F(INT16), F(INT16)},
    [NUM_INT8] = {F(INT8), F(INT8)},
};

bool num_unpack_legal(unsigned in, unsigned out, bool to_dst) {
  uint32_t outs = to_dst ? legal[in & 15u].dst : legal[in & 15u].src;
  return (outs >> (out & 15u)) & 1u;
}

bool num_unpack_is_32bit(unsigned out) { return ((F(FP32) | F(TF32) | F(INT32)) >> (out & 15u)) & 1u; }

/* --- normalise --- */

ALWAYS_INLINE uint32_t same(uint32_t x) { return x; }
ALWAYS_INLINE uint32_t top19(uint32_t x) { return x >> 13; }
ALWAYS_INLINE uint32_t bf16_from_fp32(uint32_t x) { return ((x & 0x7f800000u) ? x : x & 0x80000000u) >> 16; }

/* Truncates; too small becomes a signed zero, too large the largest pattern. Exponent field 0 keeps its mantissa: golden. */
ALWAYS_INLINE uint32_t fp16_from_fp32(uint32_t x) {
  uint32_t sign = (x >> 16) & 0x8000u;
  int32_t magnitude = (int32_t)((x >> 13) & 0x3ffffu) - (112 << 10);
  magnitude = magnitude > 0x7fff ? 0x7fff : magnitude;
  magnitude = magnitude < 0 ? 0 : magnitude;
  return sign | (uint32_t)magnitude;
}

ALWAYS_INLINE uint32_t fp16_from_e5m2(uint32_t x) { return (x << 8) | ((x & 0x7fu) == 0x7fu ? 0xffu : 0u); }

ALWAYS_INLINE uint32_t fp16_from_e4m3(uint32_t x) {
  uint32_t exponent = (x >> 3) & 15u;
  uint32_t pad = (x & 0x7fu) == 0x7fu ? 0x7fu : 0u;
  uint32_t rebiased = exponent ? exponent + 8u : 0u;
  return ((x & 0x80u) << 8) | (rebiased << 10) | ((x & 7u) << 7) | pad;
}

/* Magnitude with the dummy exponent 16; a zero has exponent 0. */
ALWAYS_INLINE uint32_t fp16_from_uint8(uint32_t x) { return x ? x | (16u << 10) : 0u; }
ALWAYS_INLINE uint32_t fp16_from_int8(uint32_t x) { return fp16_from_uint8(x & 0x7fu) | ((x & 0x80u) << 8); }

/* A block datum as eight bits s,mmmmmmm: normalises the magnitude, counting the exponent down, which wraps (golden: silicon
 * does). A zero magnitude with its sign set becomes the pattern of minus infinity. */
ALWAYS_INLINE int32_t normalised(uint32_t x, int32_t *shift) {
  int32_t m = (int32_t)((x << 1) & 0xffu);
  int32_t n = m < 0x10 ? 4 : 0; /* selections, not variable shifts: every vector unit has them */
  m = m < 0x10 ? m << 4 : m;
  n = m < 0x40 ? n + 2 : n;
  m = m < 0x40 ? m << 2 : m;
  *shift = m < 0x80 ? n + 1 : n;
  return m < 0x80 ? m << 1 : m;
}

ALWAYS_INLINE uint32_t bf16_from_bfp8(uint32_t x, uint32_t exponent) {
  int32_t shift;
  int32_t m = normalised(x, &shift);
  int32_t value = ((((int32_t)exponent - shift) & 0xff) << 7) | (m & 0x7e);
  int32_t zero = (int32_t)((x & 0x80u) ? 0x7f80u : 0u);
  value = (x & 0x7fu) ? value : zero;
  return ((x & 0x80u) << 8) | (uint32_t)value;
}

ALWAYS_INLINE uint32_t fp16_from_bfp8a(uint32_t x, uint32_t exponent) {
  int32_t shift;
  int32_t m = normalised(x, &shift);
  int32_t value = ((((int32_t)exponent - shift) & 0x1f) << 10) | ((m & 0x7e) << 3);
  int32_t zero = (int32_t)((x & 0x80u) ? 0x7c00u : 0u);
  value = (x & 0x7fu) ? value : zero;
  return ((x & 0x80u) << 8) | (uint32_t)value;
}

bool num_unpack_exponent5_bad(unsigned in, uint32_t bits, uint8_t exponent) {
  int32_t shift;
  uint32_t x = bits << (8u - num_format_bits(in));
  (void)normalised(x, &shift);
  return (x & 0x7fu) && ((exponent - shift) & 0xe0);
}

/* --- the two steps, selected once per conversion --- */

enum normalise {
  N_SAME,
  N_TOP19,
  N_FP32_BF16,
  N_FP32_FP16,
  N_E5M2,
  N_E4M3,
  N_UINT8,
  N_INT8,
  N_BLOCK,  /* BFP8, BFP4, BFP2 */
  N_BLOCKA, /* the "a" forms */
};

enum place { P_SRC_TF32, P_SRC_BF16, P_SRC_FP16, P_SRC_INT16, P_DST_BF16, P_DST_FP16, P_SAME, P_DST_FP32 };

struct steps {
  enum normalise normalise;
  enum place place;
};

static struct steps fp32_steps(unsigned out, bool to_dst) {
  switch (out) {
    case NUM_BF16: return (struct steps){N_FP32_BF16, to_dst ? P_DST_BF16 : P_SRC_BF16};
    case NUM_FP16: return (struct steps){N_FP32_FP16, to_dst ? P_DST_FP16 : P_SRC_FP16};
    default: return to_dst ? (struct steps){N_SAME, P_DST_FP32} : (struct steps){N_TOP19, P_SRC_TF32};
  }
}

static struct steps steps_of(const struct num_unpack *how) {
  enum place bf16 = how->to_dst ? P_DST_BF16 : P_SRC_BF16;
  enum place fp16 = how->to_dst ? P_DST_FP16 : P_SRC_FP16;
  switch (how->in) {
    case NUM_FP32:
    case NUM_TF32: return fp32_steps(how->out, how->to_dst);
    case NUM_BF16: return (struct steps){N_SAME, bf16};
    case NUM_FP16: return (struct steps){N_SAME, fp16};
    case NUM_FP8: return (struct steps){how->e4m3 ? N_E4M3 : N_E5M2, fp16};
    case NUM_INT8: return (struct steps){how->is_unsigned ? N_UINT8 : N_INT8, fp16};
    case NUM_INT16: return (struct steps){N_SAME, how->to_dst ? P_SAME : P_SRC_INT16};
    case NUM_INT32: return (struct steps){N_SAME, P_DST_FP32};
    case NUM_BFP8A:
    case NUM_BFP4A:
    case NUM_BFP2A: return (struct steps){N_BLOCKA, fp16};
    default: return (struct steps){N_BLOCK, bf16};
  }
}

static uint32_t placed(enum place place, uint32_t x) {
  switch (place) {
    case P_SRC_TF32: return num_src_from_tf32(x);
    case P_SRC_BF16: return num_src_from_bf16(x);
    case P_SRC_FP16: return num_src_from_fp16(x);
    case P_SRC_INT16: return num_src_from_int16(x);
    case P_DST_BF16: return num_dst_from_bf16(x);
    case P_DST_FP16: return num_dst_from_fp16(x);
    case P_SAME: return x;
    case P_DST_FP32: return num_dst_from_fp32(x);
  }
  return 0;
}

uint32_t num_unpack_datum(const struct num_unpack *how, uint32_t bits, uint8_t exponent) {
  struct steps s = steps_of(how);
  uint32_t x = bits;
  switch (s.normalise) {
    case N_SAME: break;
    case N_TOP19: x = top19(x); break;
    case N_FP32_BF16: x = bf16_from_fp32(x); break;
    case N_FP32_FP16: x = fp16_from_fp32(x); break;
    case N_E5M2: x = fp16_from_e5m2(x); break;
    case N_E4M3: x = fp16_from_e4m3(x); break;
    case N_UINT8: x = fp16_from_uint8(x); break;
    case N_INT8: x = fp16_from_int8(x); break;
    case N_BLOCK: x = bf16_from_bfp8(x << (8u - num_format_bits(how->in)), exponent); break;
    case N_BLOCKA: x = fp16_from_bfp8a(x << (8u - num_format_bits(how->in)), exponent); break;
  }
  return placed(s.place, x);
}

/* --- rows of sixteen, for the compiler's vectors --- */

ALWAYS_INLINE uint32_t src_from_fp32(uint32_t x) { return num_src_from_tf32(top19(x)); }

typedef uint32_t convert_fn(uint32_t);

ALWAYS_INLINE void place_row(uint32_t row[16], convert_fn convert) {
  for (unsigned c = 0; c < 16; c++) row[c] = convert(row[c]);
}

static void place_rows(enum place place, unsigned rows, uint32_t (*datum)[16]) {
  switch (place) {
    case P_SRC_BF16:
      for (unsigned r = 0; r < rows; r++) place_row(datum[r], num_src_from_bf16);
      break;
    case P_SRC_FP16:
      for (unsigned r = 0; r < rows; r++) place_row(datum[r], num_src_from_fp16);
      break;
    case P_SRC_INT16:
      for (unsigned r = 0; r < rows; r++) place_row(datum[r], num_src_from_int16);
      break;
    case P_DST_BF16:
      for (unsigned r = 0; r < rows; r++) place_row(datum[r], num_dst_from_bf16);
      break;
    case P_DST_FP16:
      for (unsigned r = 0; r < rows; r++) place_row(datum[r], num_dst_from_fp16);
      break;
    case P_DST_FP32:
      for (unsigned r = 0; r < rows; r++) place_row(datum[r], num_dst_from_fp32);
      break;
    case P_SRC_TF32: /* computed in one pass */
    case P_SAME: break;
  }
}

ALWAYS_INLINE void rows8(const uint8_t *l1, unsigned rows, uint32_t (*datum)[16], convert_fn convert) {
  for (unsigned r = 0; r < rows; r++) {
    uint8_t v[16];
    memcpy(v, l1 + 16u * r, sizeof v);
    for (unsigned c = 0; c < 16; c++) datum[r][c] = convert(v[c]);
  }
}

ALWAYS_INLINE void rows16(const uint8_t *l1, unsigned rows, uint32_t (*datum)[16], convert_fn convert) {
  for (unsigned r = 0; r < rows; r++) {
    uint16_t v[16];
    memcpy(v, l1 + 32u * r, sizeof v);
    for (unsigned c = 0; c < 16; c++) datum[r][c] = convert(v[c]);
  }
}

ALWAYS_INLINE void rows32(const uint8_t *l1, unsigned rows, uint32_t (*datum)[16], convert_fn convert) {
  for (unsigned r = 0; r < rows; r++) {
    uint32_t v[16];
    memcpy(v, l1 + 64u * r, sizeof v);
    for (unsigned c = 0; c < 16; c++) datum[r][c] = convert(v[c]);
  }
}

/* Sixteen datums of 8, 4 or 2 bits, each at the top of its byte. */
ALWAYS_INLINE void load_block_row(unsigned bits, const uint8_t *from, uint8_t v[16]) {
  if (bits == 8) {
    memcpy(v, from, 16);
  } else if (bits == 4) {
    uint16_t two[8];
    for (unsigned i = 0; i < 8; i++) two[i] = (uint16_t)((from[i] & 0xfu) << 4 | (from[i] & 0xf0u) << 8);
    memcpy(v, two, 16);
  } else {
    uint32_t four[4];
    for (unsigned i = 0; i < 4; i++) {
      uint32_t x = from[i];
      four[i] = (x & 3u) << 6 | (x & 0xcu) << 12 | (x & 0x30u) << 18 | (x & 0xc0u) << 24;
    }
    memcpy(v, four, 16);
  }
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int8_t signs16 __attribute__((vector_size(16)));

ALWAYS_INLINE bytes16 pick(bytes16 mask, bytes16 yes, bytes16 no) { return (yes & mask) | (no & ~mask); }

/* bf16_from_bfp8 on sixteen bytes at once: exponents in one vector, sign and mantissa in another. Both register layouts of
 * BF16 combine the two, at different distances. */
ALWAYS_INLINE void block_row(const uint8_t v[16], uint8_t exponent, unsigned distance, uint32_t datum[16]) {
  bytes16 x;
  memcpy(&x, v, sizeof x);
  bytes16 m = x + x, n;
  bytes16 zero = (bytes16)(m == 0), negative = (bytes16)((signs16)x < 0);
  bytes16 small = (bytes16)(m < 0x10);
  bytes16 m4 = m + m, m16;
  m4 += m4;
  m16 = m4 + m4;
  m = pick(small, m16 + m16, m);
  n = small & 4;
  small = (bytes16)(m < 0x40);
  m4 = m + m;
  m = pick(small, m4 + m4, m);
  n += small & 2;
  small = (bytes16)(m < 0x80);
  m = pick(small, m + m, m);
  n += small & 1;
  bytes16 e = pick(zero, negative, exponent - n);
  bytes16 sm = (x & 0x80) | (m & 0x7e);
  uint8_t low[16], high[16];
  memcpy(low, &e, sizeof low);
  memcpy(high, &sm, sizeof high);
  for (unsigned c = 0; c < 16; c++) datum[c] = low[c] | (uint32_t)high[c] << distance;
}

ALWAYS_INLINE void block_rows_of(unsigned bits, const uint8_t *l1, const uint8_t *exponents, unsigned step, unsigned rows,
                                 unsigned distance, uint32_t (*datum)[16]) {
  for (unsigned r = 0; r < rows; r++) {
    uint8_t v[16];
    load_block_row(bits, l1 + 2u * bits * r, v);
    block_row(v, exponents[r * step], distance, datum[r]);
  }
}

static void block_rows(unsigned bits, const uint8_t *l1, const uint8_t *exponents, unsigned step, unsigned rows,
                       enum place place, uint32_t (*datum)[16]) {
  unsigned distance = place == P_SRC_BF16 ? 11 : 8;
  if (bits == 8) block_rows_of(8, l1, exponents, step, rows, distance, datum);
  else if (bits == 4) block_rows_of(4, l1, exponents, step, rows, distance, datum);
  else block_rows_of(2, l1, exponents, step, rows, distance, datum);
}

static void blocka_rows(unsigned bits, const uint8_t *l1, const uint8_t *exponents, unsigned step, unsigned rows,
                        uint32_t (*datum)[16]) {
  for (unsigned r = 0; r < rows; r++) {
    uint8_t v[16];
    load_block_row(bits, l1 + 2u * bits * r, v);
    for (unsigned c = 0; c < 16; c++) datum[r][c] = fp16_from_bfp8a(v[c], exponents[r * step]);
  }
}

static void normalise_rows(enum normalise normalise, unsigned bits, const uint8_t *l1, unsigned rows,
                           uint32_t (*datum)[16]) {
  switch (normalise) {
    case N_FP32_BF16: rows32(l1, rows, datum, bf16_from_fp32); break;
    case N_FP32_FP16: rows32(l1, rows, datum, fp16_from_fp32); break;
    case N_E5M2: rows8(l1, rows, datum, fp16_from_e5m2); break;
    case N_E4M3: rows8(l1, rows, datum, fp16_from_e4m3); break;
    case N_UINT8: rows8(l1, rows, datum, fp16_from_uint8); break;
    case N_INT8: rows8(l1, rows, datum, fp16_from_int8); break;
    default: /* the same */
      if (bits == 32) rows32(l1, rows, datum, same);
      else rows16(l1, rows, datum, same);
  }
}

#if defined(__x86_64__)
/* A row in one vector of 16-bit lanes: the two halves of num_src_from_bf16 of each datum, which are then interleaved. */
__attribute__((target("avx2"))) static void rows_of_bf16_avx2(const uint8_t *l1, unsigned rows, uint32_t (*datum)[16]) {
  for (unsigned r = 0; r < rows; r++) {
    /* in the order in which AVX2 interleaves: the first and third quarter of a vector first */
    const __m256i x = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)(l1 + 32u * r)), 0xd8);
    const __m256i low = _mm256_or_si256(_mm256_slli_epi16(x, 11),
                                        _mm256_and_si256(_mm256_srli_epi16(x, 7), _mm256_set1_epi16(0xff))),
                  high = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(x, 13), _mm256_set1_epi16(4)),
                                         _mm256_and_si256(_mm256_srli_epi16(x, 5), _mm256_set1_epi16(3)));
    _mm256_storeu_si256((__m256i *)datum[r], _mm256_unpacklo_epi16(low, high));
    _mm256_storeu_si256((__m256i *)(datum[r] + 8), _mm256_unpackhi_epi16(low, high));
  }
}
#endif

#if defined(__x86_64__)
/* A row in one vector: num_src_from_bf16 of each datum. */
__attribute__((target("avx512f"))) static void rows_of_bf16_avx512(const uint8_t *l1, unsigned rows, uint32_t (*datum)[16]) {
  typedef uint32_t row32 __attribute__((vector_size(64)));
  for (unsigned r = 0; r < rows; r++) {
    const row32 x = (row32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)(l1 + 32u * r))),
                to = (x >> 7 & 0xff) | (x << 11 & 0x3f800) | (x << 3 & 0x40000);
    memcpy(datum[r], &to, sizeof to);
  }
}
#endif

static void rows_of_bf16(const uint8_t *l1, unsigned rows, uint32_t (*datum)[16]) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    rows_of_bf16_avx512(l1, rows, datum);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    rows_of_bf16_avx2(l1, rows, datum);
    return;
  }
#endif
  rows16(l1, rows, datum, num_src_from_bf16);
}

void num_unpack_rows(const struct num_unpack *how, const uint8_t *l1, const uint8_t *exponents, unsigned exponent_step,
                     unsigned rows, uint32_t (*datum)[16]) {
  if (how->in == NUM_BF16 && !how->to_dst) { /* the most common in one pass */
    rows_of_bf16(l1, rows, datum);
    return;
  }
  struct steps s = steps_of(how);
  unsigned bits = num_format_bits(how->in);
  if (s.normalise == N_SAME && s.place == P_SRC_FP16) {
    rows16(l1, rows, datum, num_src_from_fp16);
  } else if (s.normalise == N_TOP19) {
    rows32(l1, rows, datum, src_from_fp32);
  } else if (s.normalise == N_BLOCK) {
    block_rows(bits, l1, exponents, exponent_step, rows, s.place, datum);
  } else {
    if (s.normalise == N_BLOCKA) blocka_rows(bits, l1, exponents, exponent_step, rows, datum);
    else normalise_rows(s.normalise, bits, l1, rows, datum);
    place_rows(s.place, rows, datum);
  }
}

#if defined(__x86_64__)
/* The high halves s | e 8 | m 7 of two vectors become s | m 7 | e 8. */
__attribute__((target("avx2"))) static void halves_avx2(const uint8_t *l1, unsigned rows, uint16_t (*high)[16],
                                                        uint16_t (*low)[16]) {
  const __m256i half = _mm256_set1_epi32(0xffff), sign = _mm256_set1_epi16(INT16_MIN), exponent = _mm256_set1_epi16(0xff);
  for (unsigned r = 0; r < rows; r++) {
    const __m256i x = _mm256_loadu_si256((const __m256i *)(l1 + 64u * r)),
                  y = _mm256_loadu_si256((const __m256i *)(l1 + 64u * r + 32u));
    const __m256i upper = _mm256_packus_epi32(_mm256_srli_epi32(x, 16), _mm256_srli_epi32(y, 16)),
                  lower = _mm256_packus_epi32(_mm256_and_si256(x, half), _mm256_and_si256(y, half));
    const __m256i mantissa = _mm256_srli_epi16(_mm256_slli_epi16(upper, 9), 1);
    const __m256i turned = _mm256_or_si256(_mm256_or_si256(_mm256_and_si256(upper, sign), mantissa),
                                           _mm256_and_si256(_mm256_srli_epi16(upper, 7), exponent));
    _mm256_storeu_si256((__m256i *)high[r], _mm256_permute4x64_epi64(turned, 0xd8));
    _mm256_storeu_si256((__m256i *)low[r], _mm256_permute4x64_epi64(lower, 0xd8));
  }
}
#endif

bool num_unpack_halves(const struct num_unpack *how, const uint8_t *l1, unsigned rows, uint16_t (*high)[16],
                       uint16_t (*low)[16]) {
  const struct steps s = steps_of(how);
  if (s.normalise != N_SAME || s.place != P_DST_FP32) return false;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    halves_avx2(l1, rows, high, low);
    return true;
  }
#endif
  for (unsigned r = 0; r < rows; r++) {
    uint32_t v[16];
    memcpy(v, l1 + 64u * r, sizeof v);
    for (unsigned c = 0; c < 16; c++) high[r][c] = (uint16_t)num_dst_from_bf16(v[c] >> 16);
    for (unsigned c = 0; c < 16; c++) low[r][c] = (uint16_t)v[c];
  }
  return true;
}
