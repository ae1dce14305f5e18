/* Rows of sixteen datums through the packer's conversions: the loops of format_pack.h, compiled once for every machine of
 * the architecture (format_pack.c) and once for AVX2 (format_pack_avx2.c).
 *
 * Each step is a function of one datum without branches, applied to the sixteen of a row in a loop that compilers turn into
 * vectors; 16-bit steps keep to 16-bit arithmetic for that. Tags: [doc] Packers/FormatConversion.md or ReLU.md, [golden]
 * observed in the golden model (ttsim 1.10.0, PACR), `inferred` neither. */
#ifndef TESSERA_NUM_FORMAT_PACK_BODY_H
#define TESSERA_NUM_FORMAT_PACK_BODY_H

#include <string.h>

#include "tensix/num/format_pack.h"

#define EACH(statement) \
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) statement

/* 16-bit helpers: undo C's integer promotion at once. Magnitudes are below 0x8000: compared as int16_t. */
static inline uint16_t h(unsigned x) { return (uint16_t)x; }
static inline int16_t magnitude16(uint16_t x) { return (int16_t)(x & 0x7fffu); }
static inline uint16_t sign16(uint16_t x) { return h(x & 0x8000u); }

enum early {
  EARLY_BF16,       /* 16: denormals to +0, NaN to infinity */
  EARLY_E8M6,       /* 16: and round to six mantissa bits */
  EARLY_BF16_RAW,   /* 16 */
  EARLY_BF16_TF32,  /* 16: as EARLY_BF16, widened */
  EARLY_BF16_FP16,  /* 16: exponent narrowed */
  EARLY_FP16,       /* 16: denormals to +0 */
  EARLY_E5M6,       /* 16: and round */
  EARLY_FP16_RAW,   /* 16 */
  EARLY_E5M7,       /* 16: truncation */
  EARLY_FP8,        /* 16: truncation to two mantissa bits */
  EARLY_INT16,      /* 16: as stored */
  EARLY_SIGN8,      /* 16: the sign only */
  EARLY_COPY32,     /* 32 from here on */
  EARLY_TF32,       /* round to ten mantissa bits */
  EARLY_TF32_FP16,  /* the same; ReLU operates on TF32, then the exponent is narrowed */
  EARLY_BF16_ROUND, /* FP32 to BF16 */
  EARLY_BF16_TRUNC,
  EARLY_E8M6_ROUND,
  EARLY_INT8,     /* shift, round, saturate */
  EARLY_INT8_RAW, /* low bits */
  EARLY_HIGH16,   /* the high half as stored */
  EARLY_NONE,
};

/* --- early, 16-bit Dst --- */

static inline uint16_t bf16_of_dst(uint16_t x) {
  return h((unsigned)sign16(x) | (h((unsigned)x << 7) & 0x7f80u) | ((unsigned)x >> 8 & 0x7fu));
}
static inline uint16_t fp16_of_dst(uint16_t x) {
  return h((unsigned)sign16(x) | (h((unsigned)x << 10) & 0x7c00u) | ((unsigned)x >> 5 & 0x3ffu));
}

/* NaN to infinity, denormals and -0 to +0. [doc] */
static inline uint16_t bf16_clean(uint16_t x) {
  int16_t m = magnitude16(x), low = m < 0x7f80 ? m : 0x7f80;
  return m < 0x80 ? 0 : h(sign16(x) | h((unsigned)low));
}

static inline uint16_t fp16_clean(uint16_t x) { return magnitude16(x) < 0x400 ? 0 : x; }

/* Ties away from zero; a value that would round past the largest one becomes that. [golden] */
static inline uint16_t e5m6_round(uint16_t x) {
  int16_t m = magnitude16(x), low = m < 0x7ff7 ? m : 0x7ff7;
  return fp16_clean(h(sign16(x) | (h((unsigned)low + 8u) & 0x7ff0u)));
}

/* Exponent below FP16's: a signed zero; above: all ones; just below the range the mantissa stays. [doc], [golden] */
static inline uint16_t fp16_of_bf16(uint16_t x) {
  int16_t m = magnitude16(x);
  uint16_t fits = h((unsigned)(m - (112 << 7)) << 3);
  fits = m < (144 << 7) ? fits : 0x7fff;
  fits = m < (112 << 7) ? 0 : fits;
  return h(sign16(x) | fits);
}

static inline void early_16bit(enum early early, const uint16_t *high, union num_pack_row *row) {
  uint16_t out[NUM_PACK_ROW]; /* a separate row: no aliasing */
  switch (early) {
    case EARLY_BF16: EACH(out[i] = bf16_clean(bf16_of_dst(high[i]))); break;
    case EARLY_E8M6: EACH(out[i] = h((bf16_clean(bf16_of_dst(high[i])) + 1u) & 0xfffeu)); break;
    case EARLY_BF16_RAW: EACH(out[i] = bf16_of_dst(high[i])); break;
    case EARLY_BF16_FP16: EACH(out[i] = fp16_of_bf16(bf16_of_dst(high[i]))); break;
    case EARLY_FP16: EACH(out[i] = fp16_clean(fp16_of_dst(high[i]))); break;
    case EARLY_E5M6: EACH(out[i] = e5m6_round(fp16_of_dst(high[i]))); break;
    case EARLY_FP16_RAW: EACH(out[i] = fp16_of_dst(high[i])); break;
    case EARLY_E5M7: EACH(out[i] = h(fp16_of_dst(high[i]) & 0xfff8u)); break;
    case EARLY_FP8: EACH(out[i] = h(fp16_of_dst(high[i]) & 0xff00u)); break;
    case EARLY_SIGN8: EACH(out[i] = h(high[i] >> 8 & 0x80)); break;
    case EARLY_BF16_TF32:
      EACH(out[i] = bf16_clean(bf16_of_dst(high[i])));
      EACH(row->w[i] = (uint32_t)out[i] << 16);
      return;
    default: memcpy(out, high, sizeof out); break;
  }
  memcpy(row->h, out, sizeof out);
}

/* --- early, 32-bit Dst --- */

static inline uint32_t nan_to_infinity(uint32_t x) {
  return (x & 0x7fffffffu) > 0x7f800000u ? (x & 0x80000000u) | 0x7f800000u : x;
}

/* Nearest, ties away; afterwards denormals are +0. `step` is the weight of the last bit kept. [golden] */
static inline uint32_t round_fp32(uint32_t x, uint32_t step) {
  x = (nan_to_infinity(x) + (step >> 1)) & ~(step - 1);
  return (x & 0x7fffffffu) < 0x800000u ? 0 : x;
}

/* Magnitude shifted right with rounding, then saturated; the sign is kept, also for zero. [doc], [golden] for shift 0 */
static inline uint32_t int8_of_int32(uint32_t x, unsigned shift, bool is_unsigned) {
  uint64_t magnitude = x & 0x7fffffffu;
  if (shift) magnitude = (magnitude + (UINT64_C(1) << (shift - 1))) >> shift;
  if (is_unsigned) return x >> 31 ? 0 : (uint32_t)(magnitude > 255 ? 255 : magnitude);
  return (x >> 31) << 7 | (uint32_t)(magnitude > 127 ? 127 : magnitude);
}

static inline uint32_t int8_raw(uint32_t x, bool is_unsigned) {
  return is_unsigned ? x & 0xffu : (x >> 31) << 7 | (x & 0x7fu);
}

static inline void early_32bit(const struct num_pack *how, const uint16_t *restrict high, const uint16_t *restrict low,
                               union num_pack_row *restrict row) {
  uint32_t x[NUM_PACK_ROW];
  EACH(x[i] = num_fp32_from_dst((uint32_t)high[i] << 16 | low[i]));
  switch (how->early) {
    case EARLY_TF32:
    case EARLY_TF32_FP16: EACH(row->w[i] = round_fp32(x[i], 0x2000)); break;
    case EARLY_BF16_ROUND: EACH(row->h[i] = (uint16_t)(round_fp32(x[i], 0x10000) >> 16)); break;
    case EARLY_BF16_TRUNC: EACH(row->h[i] = (uint16_t)(x[i] >> 16)); break;
    case EARLY_E8M6_ROUND: EACH(row->h[i] = (uint16_t)(round_fp32(x[i], 0x20000) >> 16)); break;
    case EARLY_INT8: EACH(row->h[i] = (uint16_t)int8_of_int32(x[i], how->shift, how->is_unsigned)); break;
    case EARLY_INT8_RAW: EACH(row->h[i] = (uint16_t)int8_raw(x[i], how->is_unsigned)); break;
    case EARLY_HIGH16: memcpy(row->h, high, sizeof row->h); break;
    default: memcpy(row->w, x, sizeof row->w); break;
  }
}

static inline void row_early(const struct num_pack *how, const uint16_t *high, const uint16_t *low,
                             union num_pack_row *row) {
  if (how->early < EARLY_COPY32) early_16bit((enum early)how->early, high, row);
  else early_32bit(how, high, low, row);
}

/* --- ReLU --- */

static inline uint32_t fp16_of_fp32(uint32_t x) {
  uint32_t sign = (x >> 16) & 0x8000u, magnitude = x & 0x7fffffffu;
  if (magnitude < 112u << 23) return sign;
  if (magnitude >= 144u << 23) return sign | 0x7fffu;
  return sign | (magnitude - (112u << 23)) >> 13;
}

/* The clamp of mode 3 compares the top 19 bits only. [golden] */
static inline uint32_t relu32(uint32_t x, unsigned mode, uint32_t threshold) {
  if (x >> 31) x = 0;
  if (mode == 2 && x <= threshold) return 0;
  if (mode == 3 && (x >> 13) > (threshold >> 13)) return threshold;
  return x;
}

static inline uint16_t relu16(uint16_t x, unsigned mode, int16_t threshold) {
  int16_t m = (int16_t)x < 0 ? 0 : (int16_t)x;
  if (mode == 2) m = m > threshold ? m : 0;
  if (mode == 3) m = m < threshold ? m : threshold;
  return h((unsigned)m);
}

static inline bool apply_relu(const struct num_pack *how, unsigned mode, uint32_t threshold, union num_pack_row *row) {
  switch (how->relu_kind) {
    case NUM_PACK_W: EACH(row->w[i] = relu32(row->w[i], mode, threshold << 16)); return true;
    case NUM_PACK_B:
    case NUM_PACK_H: EACH(row->h[i] = relu16(row->h[i], mode, (int16_t)threshold)); return true;
    case NUM_PACK_I32: EACH(row->w[i] = row->w[i] >> 31 ? 0 : row->w[i]); return mode == 1;
    case NUM_PACK_I16: EACH(row->h[i] = row->h[i] >> 15 ? 0 : row->h[i]); return mode == 1;
    default:
      if (!how->is_unsigned) EACH(row->h[i] = row->h[i] >> 7 ? 0 : row->h[i]);
      return mode == 1;
  }
}

static inline bool row_relu(const struct num_pack *how, unsigned mode, uint32_t threshold, union num_pack_row *row) {
  bool defined = mode == 0 || apply_relu(how, mode, threshold, row);
  if (how->early == EARLY_TF32_FP16) {
    union num_pack_row narrow;
    EACH(narrow.h[i] = (uint16_t)fp16_of_fp32(row->w[i]));
    memcpy(row->h, narrow.h, sizeof narrow.h);
  }
  return defined;
}

/* --- exponents --- */

static inline void row_exponents(const struct num_pack *how, const union num_pack_row *row,
                                 uint8_t exponents[NUM_PACK_ROW]) {
  switch (how->kind) {
    case NUM_PACK_W:
    case NUM_PACK_I32: EACH(exponents[i] = (uint8_t)(row->w[i] >> 23)); break;
    case NUM_PACK_B: EACH(exponents[i] = (uint8_t)(row->h[i] >> 7)); break;
    case NUM_PACK_H: EACH(exponents[i] = (uint8_t)((row->h[i] >> 10) & 31u)); break;
    case NUM_PACK_I16: EACH(exponents[i] = (uint8_t)row->h[i]); break;
    default: memset(exponents, 0, NUM_PACK_ROW); break; /* ExponentHistogram.md: unspecified for INT8 */
  }
}

/* --- late --- */

/* Zero exponent: the mantissa is widened without a new bias (the page calls that mishandled). [doc], [golden] */
static inline uint32_t fp32_of_fp16(uint32_t x) {
  uint32_t magnitude = x & 0x7fffu;
  return (x & 0x8000u) << 16 | (magnitude < 0x400u ? magnitude << 13 : (magnitude + (112u << 10)) << 13);
}

static inline uint32_t bf16_of_fp32(uint32_t x) { return (x & 0x7fffffffu) < 0x800000u ? 0 : x >> 16; }

/* Narrowing the mantissa flushes denormals to +0; at equal width (E5M7, FP8) they are mishandled as above. */
static inline uint32_t bf16_of_fp16(uint32_t x, bool flush) {
  return flush && (x & 0x7fffu) < 0x400u ? 0 : fp32_of_fp16(x) >> 16;
}

static inline void to_fp32(const struct num_pack *how, const union num_pack_row *restrict row, uint32_t *restrict out) {
  if (how->kind == NUM_PACK_B) EACH(out[i] = (uint32_t)row->h[i] << 16);
  else if (how->kind == NUM_PACK_H) EACH(out[i] = fp32_of_fp16(row->h[i]));
  else memcpy(out, row->w, sizeof row->w);
}

static inline void to_bf16(const struct num_pack *how, const union num_pack_row *restrict row, uint16_t *restrict out) {
  bool flush = how->narrow_m;
  if (how->kind == NUM_PACK_W) EACH(out[i] = (uint16_t)bf16_of_fp32(row->w[i]));
  else if (how->kind == NUM_PACK_H) EACH(out[i] = (uint16_t)bf16_of_fp16(row->h[i], flush));
  else memcpy(out, row->h, sizeof row->h);
}

static inline void to_fp16(const struct num_pack *how, const union num_pack_row *restrict row, uint16_t *restrict out) {
  if (how->kind == NUM_PACK_W) EACH(out[i] = (uint16_t)fp16_of_fp32(row->w[i]));
  else if (how->kind == NUM_PACK_H) memcpy(out, row->h, sizeof row->h);
  else EACH(out[i] = fp16_of_bf16(row->h[i]));
}

/* [golden] for FP16; through FP16 for the others, inferred. */
static inline uint32_t e4m3_of_fp16(uint32_t x) {
  uint32_t sign = (x >> 8) & 0x80u, exponent = (x >> 10) & 31u;
  if (exponent <= 8) return sign;
  if (exponent >= 24) return sign | 0x7fu;
  return sign | (exponent - 8) << 3 | ((x >> 7) & 7u);
}

/* Same exponent, narrower mantissa: denormals to +0. From a wider exponent they stay as narrowing left them. [doc] */
static inline uint32_t e5m2_of_fp16(uint32_t x, bool flush) { return flush && (x & 0x7fffu) < 0x400u ? 0 : x >> 8; }

static inline void to_fp8(const struct num_pack *how, const union num_pack_row *row, uint8_t out[NUM_PACK_ROW]) {
  uint16_t x[NUM_PACK_ROW];
  bool flush = how->kind == NUM_PACK_H && how->early != EARLY_FP8;
  to_fp16(how, row, x);
  if (how->e4m3) EACH(out[i] = (uint8_t)e4m3_of_fp16(x[i]));
  else EACH(out[i] = (uint8_t)e5m2_of_fp16(x[i], flush));
}

/* L1 is little endian. */
static inline void store_words(const uint32_t in[NUM_PACK_ROW], uint8_t *bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(bytes, in, 4 * NUM_PACK_ROW);
#else
  for (unsigned i = 0; i < 4 * NUM_PACK_ROW; i++) bytes[i] = (uint8_t)(in[i / 4] >> 8 * (i % 4));
#endif
}

static inline void store_halves(const uint16_t in[NUM_PACK_ROW], uint8_t *bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(bytes, in, 2 * NUM_PACK_ROW);
#else
  for (unsigned i = 0; i < 2 * NUM_PACK_ROW; i++) bytes[i] = (uint8_t)(in[i / 2] >> 8 * (i % 2));
#endif
}

static inline void row_late(const struct num_pack *how, const union num_pack_row *row, uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  union num_pack_row out;
  switch (how->to) {
    case NUM_INT32: store_words(row->w, bytes); break;
    case NUM_INT16: store_halves(row->h, bytes); break;
    case NUM_INT8: EACH(bytes[i] = (uint8_t)row->h[i]); break;
    case NUM_FP32:
    case NUM_TF32: to_fp32(how, row, out.w), store_words(out.w, bytes); break;
    case NUM_BF16: to_bf16(how, row, out.h), store_halves(out.h, bytes); break;
    case NUM_FP16: to_fp16(how, row, out.h), store_halves(out.h, bytes); break;
    default: to_fp8(how, row, bytes); break;
  }
}

/* --- late, block formats --- */

/* E5M7 with its exponent in BF16's place: s | 000 e | m 7. */
static inline void to_e5m7(const struct num_pack *how, const union num_pack_row *row, uint16_t out[NUM_PACK_ROW]) {
  bool flush = how->kind == NUM_PACK_H && how->narrow_m;
  to_fp16(how, row, out);
  EACH(out[i] = (uint16_t)(flush && (out[i] & 0x7fffu) < 0x400u ? 0 : (out[i] & 0x8000u) | (out[i] & 0x7fffu) >> 3));
}

/* Magnitude of seven bits against the shared exponent: (m with its implicit one) >> (1 + distance), ties away, at most 127.
 * From distance 8 on the result is 0. The shift by a datum's own distance is three conditional shifts of m << 7. Only a
 * non-zero magnitude keeps its sign: zero with a sign means minus infinity. `rounding` is added to the eight dropped bits:
 * BLOCK_NEAREST, or less for a higher limit. [golden] */
#define BLOCK_NEAREST 0x80u
static inline uint16_t block_datum(uint16_t x, int16_t shared, int bits, uint16_t rounding) {
  int16_t exponent = (int16_t)(x >> 7 & 0xff), distance = (int16_t)(shared - exponent);
  uint16_t m = h((unsigned)h((x & 0x7fu) | (exponent > 0 ? 0x80u : 0u)) << 7);
  m = distance & 4 ? h((unsigned)m >> 4) : m;
  m = distance & 2 ? h((unsigned)m >> 2) : m;
  m = distance & 1 ? h((unsigned)m >> 1) : m;
  m = h((unsigned)h((unsigned)m + rounding) >> 8);
  m = h((unsigned)m - ((unsigned)m >> 7)); /* 128 becomes 127 */
  m = distance > 7 ? 0 : m;
  m = h((unsigned)m >> (8 - bits));
  uint16_t sign = h((unsigned)h((unsigned)x >> 15) << (bits - 1));
  return h((unsigned)m | ((int16_t)m > 0 ? sign : 0u));
}

static inline unsigned largest_bf16_exponent(const uint16_t x[NUM_PACK_ROW]) {
  int16_t largest = 0;
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) {
    int16_t m = magnitude16(x[i]);
    largest = m > largest ? m : largest;
  }
  return (unsigned)largest >> 7;
}

static inline unsigned largest_fp16_exponent(const uint16_t x[NUM_PACK_ROW]) { return largest_bf16_exponent(x) >> 3; }

static inline unsigned row_largest_exponent(const struct num_pack *how, const union num_pack_row *row) {
  uint8_t exponents[NUM_PACK_ROW];
  uint8_t largest = 0;
  if (how->kind == NUM_PACK_B) return largest_bf16_exponent(row->h);
  if (how->kind == NUM_PACK_H) return largest_fp16_exponent(row->h);
  row_exponents(how, row, exponents);
  EACH(largest = exponents[i] > largest ? exponents[i] : largest);
  return largest;
}

/* One loop for each width, so that the shifts are constants. */
static inline void block_8bit(const uint16_t *x, int16_t shared, uint8_t *bytes) {
  uint16_t d[NUM_PACK_ROW];
  EACH(d[i] = block_datum(x[i], shared, 8, BLOCK_NEAREST));
  EACH(bytes[i] = (uint8_t)d[i]);
}

static inline void block_4bit(const uint16_t *x, int16_t shared, uint8_t *bytes) {
  uint16_t d[NUM_PACK_ROW];
  EACH(d[i] = block_datum(x[i], shared, 4, BLOCK_NEAREST));
  for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(d[2 * i] | d[2 * i + 1] << 4);
}

static inline void block_2bit(const uint16_t *x, int16_t shared, uint8_t *bytes) {
  uint16_t d[NUM_PACK_ROW];
  EACH(d[i] = block_datum(x[i], shared, 2, BLOCK_NEAREST));
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(d[4 * i] | d[4 * i + 1] << 2 | d[4 * i + 2] << 4 | d[4 * i + 3] << 6);
}

/* The first `count` datums with eight exponent bits and seven of the mantissa. */
static inline void block_input(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                               uint16_t x[NUM_PACK_ROW]) {
  if (num_format_infos[how->to].exponent5) to_e5m7(how, row, x);
  else to_bf16(how, row, x);
  for (unsigned i = count; i < NUM_PACK_ROW; i++) x[i] = 0;
}

static inline uint8_t row_block(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                                uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  uint16_t x[NUM_PACK_ROW];
  block_input(how, row, count, x);
  unsigned shared = largest_bf16_exponent(x);
  if (how->bits == 8) block_8bit(x, (int16_t)shared, bytes);
  else if (how->bits == 4) block_4bit(x, (int16_t)shared, bytes);
  else block_2bit(x, (int16_t)shared, bytes);
  return (uint8_t)shared;
}

/* --- several rows at once --- */

/* A row in one vector; compilers split it where the machine has no vectors that wide. */
typedef uint16_t row_u16 __attribute__((vector_size(32)));
typedef int16_t row_s16 __attribute__((vector_size(32)));

#define LARGER(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))

/* By halves: eight lanes with the other eight, then four, two, one. */
static inline int16_t largest_of_row(const row_s16 *x) {
  row_s16 a = *x, b = __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  a = LARGER(a, b);
  b = __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
  a = LARGER(a, b);
  b = __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
  a = LARGER(a, b);
  return a[0] > a[1] ? a[0] : a[1];
}

/* bf16_clean(bf16_of_dst(x)) and its magnitude. A comparison is all ones where it holds. */
static inline void bf16_of_row(const uint16_t *high, row_u16 *datums, row_s16 *magnitudes) {
  row_u16 x, m;
  memcpy(&x, high, sizeof x);
  m = (x << 7 & 0x7f80) | (x >> 8 & 0x7f);
  row_u16 nan = (row_u16)((row_s16)m > 0x7f80), normal = (row_u16)((row_s16)m > 0x7f);
  m = ((m & ~nan) | (nan & 0x7f80)) & normal;
  *datums = m | (x & 0x8000 & normal);
  *magnitudes = (row_s16)m;
}

/* num_pack_bf16. The largest exponent of earlier rows is soon that of all: then it is not searched in the lanes of a vector. */
#if defined(PACK_AVX2)
/* A datum of Dst is sign, mantissa, exponent, of which the exponent is its low byte. One instruction multiplies its bytes by -128 and -1
 * and adds: minus the magnitude in BF16. Constants in memory are operands of instructions. */
struct bf16_constants {
  int16_t magnitude[NUM_PACK_ROW], sign[NUM_PACK_ROW], infinity[NUM_PACK_ROW], below_normal[NUM_PACK_ROW];
  int8_t factors[2 * NUM_PACK_ROW];
};
#define EIGHT(x) x, x, x, x, x, x, x, x
#define FACTORS -128, -1
static const struct bf16_constants bf16_constants
    __attribute__((aligned(32))) = {.magnitude = {EIGHT(0x7fff), EIGHT(0x7fff)},
                                    .sign = {EIGHT(-0x8000), EIGHT(-0x8000)},
                                    .infinity = {EIGHT(-0x7f80), EIGHT(-0x7f80)},
                                    .below_normal = {EIGHT(-0x7f), EIGHT(-0x7f)},
                                    .factors = {EIGHT(FACTORS), EIGHT(FACTORS)}};

static inline void rows_bf16(const uint16_t *high, unsigned count, uint8_t *bytes, uint32_t *known) {
  const struct bf16_constants *k = sim_keep(&bf16_constants);
#define CONSTANT(name) _mm256_load_si256((const __m256i *)k->name)
  const __m256i below_normal = CONSTANT(below_normal);
  const uint16_t *end = high + (size_t)count * NUM_PACK_ROW;
  __m256i largest = _mm256_setzero_si256();
  do { /* bf16_clean(bf16_of_dst(x)); magnitudes below normal have the exponent zero as they are */
    __m256i x = _mm256_loadu_si256((const __m256i *)high);
    __m256i minus = _mm256_maddubs_epi16(_mm256_and_si256(x, CONSTANT(magnitude)), CONSTANT(factors));
    minus = _mm256_max_epi16(minus, CONSTANT(infinity));
    largest = _mm256_min_epi16(largest, minus);
    x = _mm256_sub_epi16(_mm256_and_si256(x, CONSTANT(sign)), minus);
    _mm256_storeu_si256((__m256i *)bytes, _mm256_and_si256(x, _mm256_cmpgt_epi16(below_normal, minus)));
    high += NUM_PACK_ROW;
    bytes += 2 * NUM_PACK_ROW;
  } while (high != end);
#undef CONSTANT
  const __m256i above = _mm256_cmpgt_epi16(_mm256_set1_epi16((short)-(*known << 7 | 0x7f)), largest);
  if (_mm256_testz_si256(above, above)) return;
  row_s16 lanes = (row_s16)_mm256_abs_epi16(largest);
  *known = (unsigned)largest_of_row(&lanes) >> 7;
}
#else
static inline void rows_bf16(const uint16_t *high, unsigned count, uint8_t *bytes, uint32_t *known) {
  row_s16 largest = {0};
  const uint16_t *end = high + (size_t)count * NUM_PACK_ROW;
  for (; high < end; high += NUM_PACK_ROW, bytes += 2 * NUM_PACK_ROW) {
    row_u16 datums;
    row_s16 magnitudes;
    bf16_of_row(high, &datums, &magnitudes);
    largest = LARGER(magnitudes, largest);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    datums = datums >> 8 | datums << 8;
#endif
    memcpy(bytes, &datums, sizeof datums);
  }
  unsigned exponent = (unsigned)largest_of_row(&largest) >> 7;
  if (exponent > *known) *known = exponent;
}
#endif

/* FP32 of a 32-bit Dst rounded to BF16: round_fp32 of each datum, with the halves of a row in vectors of their own. */
static inline unsigned rows_rounded_bf16(const struct num_pack_rows *rows, uint8_t *bytes) {
  row_s16 largest = {0};
  const uint16_t *high = rows->high, *low = rows->low, *end = high + rows->count * NUM_PACK_ROW;
  for (; high < end; high += NUM_PACK_ROW, low += NUM_PACK_ROW, bytes += 2 * NUM_PACK_ROW) {
    row_u16 x, below, m;
    memcpy(&x, high, sizeof x);
    memcpy(&below, low, sizeof below);
    m = (x << 7 & 0x7f80) | (x >> 8 & 0x7f);
    m += (below >> 15) & (row_u16)((row_s16)m < 0x7f80); /* half of the last bit; infinity and NaN keep theirs */
    row_u16 nan = (row_u16)((row_s16)m > 0x7f80), normal = (row_u16)((row_s16)m > 0x7f);
    m = ((m & ~nan) | (nan & 0x7f80)) & normal;
    row_s16 magnitudes = (row_s16)m;
    largest = LARGER(magnitudes, largest);
    m |= x & 0x8000 & normal;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    m = m >> 8 | m << 8;
#endif
    memcpy(bytes, &m, sizeof m);
  }
  return (unsigned)largest_of_row(&largest) >> 7;
}

/* block_datum for eight bits: the same steps. */
static inline void bfp8_of_row(const row_u16 *datums, unsigned shared, uint8_t *bytes) {
  typedef uint8_t row_u8 __attribute__((vector_size(16)));
  row_u16 x = *datums, exponent = x >> 7 & 0xff, distance = (uint16_t)shared - exponent;
  row_u16 m = (x & 0x7f) << 7 | ((row_u16)((row_s16)exponent > 0) & 0x4000);
  row_u16 by4 = (row_u16)((row_s16)(distance & 4) > 0), by2 = (row_u16)((row_s16)(distance & 2) > 0),
          by1 = (row_u16)((row_s16)(distance & 1) > 0);
  m = (m >> 4 & by4) | (m & ~by4);
  m = (m >> 2 & by2) | (m & ~by2);
  m = (m >> 1 & by1) | (m & ~by1);
  m = (m + 0x80) >> 8;
  m -= m >> 7; /* 128 becomes 127 */
  m &= (row_u16)((row_s16)distance < 8);
  m |= x >> 8 & 0x80 & (row_u16)((row_s16)m > 0);
  row_u8 narrow = __builtin_convertvector(m, row_u8);
  memcpy(bytes, &narrow, sizeof narrow);
}

/* `odd` is added before the last mantissa bit is dropped: 1 converts BF16 to E8M6, 0 leaves it. */
static inline unsigned rows_plain_bfp8(const struct num_pack_rows *rows, unsigned odd, uint8_t *bytes, uint8_t *exponents) {
  unsigned largest = 0;
  const uint16_t *high = rows->high, *end = high + rows->count * NUM_PACK_ROW;
  for (; high < end; high += NUM_PACK_ROW, bytes += NUM_PACK_ROW) {
    row_u16 datums;
    row_s16 magnitudes;
    bf16_of_row(high, &datums, &magnitudes);
    datums = (datums + h(odd)) & h(~odd);
    magnitudes = (row_s16)(datums & 0x7fff);
    unsigned shared = (unsigned)largest_of_row(&magnitudes) >> 7;
    bfp8_of_row(&datums, shared, bytes);
    *exponents++ = (uint8_t)shared;
    if (shared > largest) largest = shared;
  }
  return largest;
}

static inline unsigned rows_of_any_kind(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes,
                                        uint8_t *exponents) {
  unsigned largest = 0;
  for (unsigned k = 0; k < rows->count; k++, bytes += 2 * how->bits) {
    union num_pack_row row;
    row_early(how, rows->high + k * NUM_PACK_ROW, rows->low + k * NUM_PACK_ROW, &row);
    row_relu(how, rows->relu_mode, rows->relu_threshold, &row);
    unsigned exponent = row_largest_exponent(how, &row);
    if (exponent > largest) largest = exponent;
    if (how->block) exponents[k] = row_block(how, &row, NUM_PACK_ROW, bytes);
    else row_late(how, &row, bytes);
  }
  return largest;
}

static inline unsigned pack_rows(const struct num_pack *how, const struct num_pack_rows *rows, uint8_t *bytes,
                                 uint8_t *exponents) {
  if (rows->relu_mode) return rows_of_any_kind(how, rows, bytes, exponents);
  if (how->early == EARLY_BF16 && how->to == NUM_BF16) {
    uint32_t largest = 0;
    rows_bf16(rows->high, rows->count, bytes, &largest);
    return largest;
  }
  if (how->early == EARLY_BF16_ROUND && how->to == NUM_BF16) return rows_rounded_bf16(rows, bytes);
  if (how->early == EARLY_BF16 && how->to == NUM_BFP8) return rows_plain_bfp8(rows, 0, bytes, exponents);
  if (how->early == EARLY_E8M6 && how->to == NUM_BFP8) return rows_plain_bfp8(rows, 1, bytes, exponents);
  return rows_of_any_kind(how, rows, bytes, exponents);
}

#endif
