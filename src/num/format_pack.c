/* Early and late conversion of the packer (format_pack.h).
 *
 * Each step is a function of one datum without branches, applied to the sixteen of a row in a loop that compilers turn into
 * vectors; 16-bit steps keep to 16-bit arithmetic for that. Tags: [doc] Packers/FormatConversion.md or ReLU.md, [golden]
 * seen in the golden model (ttsim 1.10.0, PACR), `inferred` neither. */
#include "num/format_pack.h"

#include <string.h>

#define EACH(statement) \
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) statement

/* 16-bit helpers: the conversions C would insert are taken back at once. Magnitudes are below 0x8000: compared as
 * int16_t. */
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
  EARLY_TF32_FP16,  /* the same; ReLU sees TF32, then the exponent is narrowed */
  EARLY_BF16_ROUND, /* FP32 to BF16 */
  EARLY_BF16_TRUNC,
  EARLY_E8M6_ROUND,
  EARLY_INT8,     /* shift, round, saturate */
  EARLY_INT8_RAW, /* low bits */
  EARLY_HIGH16,   /* the high half as stored */
  EARLY_NONE,
};

/* --- which conversions exist --- */

/* Round_10b_mant with BF16 as intermediate gives TF32 when the late conversion narrows the exponent. [doc] for TF32 to
 * FP16; `inferred` for In_data_format FP16, which is how kernels ask for FP8 e4m3 from a BF16 Dst. */
static bool rounds_to_ten(const struct num_pack_request *r) {
  if (!r->round10 || r->raw) return false;
  if (r->from == NUM_FP16) return r->to == NUM_FP16 || r->to == NUM_FP8;
  return r->to == NUM_FP16;
}

static enum early early_of_32bit(const struct num_pack_request *r) {
  switch (r->intermediate) {
    case NUM_INT32: return EARLY_COPY32;
    case NUM_FP32: return r->round10 && !r->raw ? EARLY_TF32 : EARLY_COPY32;
    case NUM_TF32: return r->raw ? EARLY_COPY32 : EARLY_TF32;
    case NUM_BF16:
      if (rounds_to_ten(r)) return r->from == NUM_FP16 ? EARLY_TF32_FP16 : EARLY_TF32;
      return r->raw ? EARLY_BF16_TRUNC : EARLY_BF16_ROUND;
    case NUM_BFP8: return r->raw ? EARLY_BF16_TRUNC : EARLY_E8M6_ROUND;
    case NUM_INT8: return r->raw ? EARLY_INT8_RAW : EARLY_INT8;
    case NUM_FP16: return r->round10 && !r->raw ? EARLY_TF32_FP16 : EARLY_NONE; /* [golden]; the page says no */
    case NUM_INT16: return EARLY_HIGH16;                                        /* [golden]; the page says no */
    default: return EARLY_NONE;
  }
}

static enum early early_of_16bit(const struct num_pack_request *r) {
  switch (r->intermediate) {
    case NUM_FP32: return r->round10 && !r->raw ? EARLY_BF16_TF32 : EARLY_NONE;
    case NUM_TF32: return r->raw ? EARLY_NONE : EARLY_BF16_TF32;
    case NUM_BF16:
      if (rounds_to_ten(r)) return r->from == NUM_FP16 ? EARLY_BF16_FP16 : EARLY_BF16_TF32;
      return r->raw ? EARLY_BF16_RAW : EARLY_BF16;
    case NUM_BFP8: return r->raw ? EARLY_BF16_RAW : EARLY_E8M6;
    case NUM_FP16:
      if (r->round10) return r->raw || (r->to != NUM_FP8 && r->to != NUM_FP16) ? EARLY_NONE : EARLY_BF16_FP16; /* [golden] */
      return r->raw ? EARLY_FP16_RAW : EARLY_FP16;
    case NUM_BFP8A: return r->raw ? EARLY_E5M7 : EARLY_E5M6;
    case NUM_FP8: return r->raw ? EARLY_FP8 : EARLY_NONE;
    case NUM_INT16: return EARLY_INT16;
    case NUM_INT8: return r->raw && !r->is_unsigned ? EARLY_SIGN8 : EARLY_NONE;
    default: return EARLY_NONE;
  }
}

/* In_data_format has to name what the early conversion made. [doc] "Configuring the conversions": 32 bits may pass as
 * INT32 or TF32 and be taken up as FP32, FP32 rounded to ten bits is TF32, BFP8 read raw is BF16. Any other difference is
 * undefined. */
static bool late_takes(const struct num_pack_request *r, enum early early) {
  if (r->from == r->intermediate) return true;
  switch (early) {
    case EARLY_COPY32: return r->from == NUM_FP32;
    case EARLY_TF32:
    case EARLY_BF16_TF32: return r->from == NUM_TF32;
    case EARLY_BF16_RAW:
    case EARLY_BF16_TRUNC: return r->from == NUM_BF16 && r->intermediate == NUM_BFP8;
    case EARLY_TF32_FP16:
    case EARLY_BF16_FP16: return r->from == NUM_FP16;
    default: return false;
  }
}

static enum num_pack_kind kind_of(enum early early, unsigned from) {
  switch (early) {
    case EARLY_BF16:
    case EARLY_E8M6:
    case EARLY_BF16_RAW:
    case EARLY_BF16_ROUND:
    case EARLY_BF16_TRUNC:
    case EARLY_E8M6_ROUND: return NUM_PACK_B;
    case EARLY_COPY32: return from == NUM_INT32 ? NUM_PACK_I32 : NUM_PACK_W;
    case EARLY_TF32:
    case EARLY_BF16_TF32: return NUM_PACK_W;
    case EARLY_INT16:
    case EARLY_HIGH16: return NUM_PACK_I16;
    case EARLY_SIGN8:
    case EARLY_INT8:
    case EARLY_INT8_RAW: return NUM_PACK_I8;
    default: return NUM_PACK_H;
  }
}

static bool late_exists(enum num_pack_kind kind, bool tf32, unsigned to) {
  if (num_format_bits(to) == 0) return false;
  switch (kind) {
    case NUM_PACK_I32: return to == NUM_INT32;
    case NUM_PACK_I16: return to == NUM_INT16;
    case NUM_PACK_I8: return to == NUM_INT8;
    case NUM_PACK_W: return !num_format_infos[to].integer && (to != NUM_TF32 || tf32);
    default: return !num_format_infos[to].integer;
  }
}

static bool early_narrows(enum early early) {
  return early == EARLY_TF32 || early == EARLY_TF32_FP16 || early == EARLY_BF16_ROUND;
}

bool num_pack_make(const struct num_pack_request *r, struct num_pack *how) {
  enum early early = r->wide ? early_of_32bit(r) : early_of_16bit(r);
  memset(how, 0, sizeof *how);
  if (early == EARLY_NONE || !late_takes(r, early)) return false;
  enum num_pack_kind kind = kind_of(early, r->from);
  if (!late_exists(kind, early != EARLY_COPY32, r->to)) return false;
  how->early = (uint8_t)early;
  how->kind = (uint8_t)kind;
  how->relu_kind = (uint8_t)(early == EARLY_TF32_FP16 ? NUM_PACK_W : kind);
  how->narrow_m = early != EARLY_E5M7 && early != EARLY_FP8;
  how->to = r->to;
  how->e4m3 = r->e4m3;
  how->bits = (uint8_t)num_format_bits(r->to);
  how->block = num_format_is_block(r->to);
  how->is_unsigned = r->is_unsigned;
  how->shift = r->shift & 31u;
  how->rounds_twice = early_narrows(early) && how->block;
  how->plain_bf16 = early == EARLY_BF16 && r->to == NUM_BF16;
  return true;
}

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

/* Ties away from zero; what would round past the largest value stays there. [golden] */
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

static void early_16bit(enum early early, const uint16_t *high, union num_pack_row *row) {
  uint16_t out[NUM_PACK_ROW]; /* a row of its own: nothing else can lie there */
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

/* Magnitude shifted right with rounding, then saturated; the sign stays, also on zero. [doc], [golden] for shift 0 */
static uint32_t int8_of_int32(uint32_t x, unsigned shift, bool is_unsigned) {
  uint64_t magnitude = x & 0x7fffffffu;
  if (shift) magnitude = (magnitude + (UINT64_C(1) << (shift - 1))) >> shift;
  if (is_unsigned) return x >> 31 ? 0 : (uint32_t)(magnitude > 255 ? 255 : magnitude);
  return (x >> 31) << 7 | (uint32_t)(magnitude > 127 ? 127 : magnitude);
}

static uint32_t int8_raw(uint32_t x, bool is_unsigned) { return is_unsigned ? x & 0xffu : (x >> 31) << 7 | (x & 0x7fu); }

static void early_32bit(const struct num_pack *how, const uint16_t *restrict high, const uint16_t *restrict low,
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

void num_pack_early(const struct num_pack *how, const uint16_t *high, const uint16_t *low, union num_pack_row *row) {
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

/* The clamp of mode 3 looks at the top 19 bits only. [golden] */
static uint32_t relu32(uint32_t x, unsigned mode, uint32_t threshold) {
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

static bool apply_relu(const struct num_pack *how, unsigned mode, uint32_t threshold, union num_pack_row *row) {
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

bool num_pack_relu(const struct num_pack *how, unsigned mode, uint32_t threshold, union num_pack_row *row) {
  bool defined = mode == 0 || apply_relu(how, mode, threshold, row);
  if (how->early == EARLY_TF32_FP16) {
    union num_pack_row narrow;
    EACH(narrow.h[i] = (uint16_t)fp16_of_fp32(row->w[i]));
    memcpy(row->h, narrow.h, sizeof narrow.h);
  }
  return defined;
}

/* --- single datums and exponents --- */

static bool is_wide(const struct num_pack *how) { return how->kind == NUM_PACK_W || how->kind == NUM_PACK_I32; }

bool num_pack_minus_infinity(const struct num_pack *how, uint32_t *datum) {
  switch (how->relu_kind) { /* masking comes before ReLU */
    case NUM_PACK_W: *datum = 0xff800000u; return true;
    case NUM_PACK_B: *datum = 0xff80u; return true;
    case NUM_PACK_H: *datum = 0xffffu; return true; /* FloatBitPatterns.md: FP16 has no other infinity */
    default: *datum = 0; return false;
  }
}

uint32_t num_pack_get(const struct num_pack *how, const union num_pack_row *row, unsigned i) {
  return is_wide(how) ? row->w[i] : row->h[i];
}

void num_pack_put(const struct num_pack *how, union num_pack_row *row, unsigned i, uint32_t datum) {
  if (is_wide(how)) row->w[i] = datum;
  else row->h[i] = (uint16_t)datum;
}

void num_pack_exponents(const struct num_pack *how, const union num_pack_row *row, uint8_t exponents[NUM_PACK_ROW]) {
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

static void to_fp32(const struct num_pack *how, const union num_pack_row *restrict row, uint32_t *restrict out) {
  if (how->kind == NUM_PACK_B) EACH(out[i] = (uint32_t)row->h[i] << 16);
  else if (how->kind == NUM_PACK_H) EACH(out[i] = fp32_of_fp16(row->h[i]));
  else memcpy(out, row->w, sizeof row->w);
}

static void to_bf16(const struct num_pack *how, const union num_pack_row *restrict row, uint16_t *restrict out) {
  bool flush = how->narrow_m;
  if (how->kind == NUM_PACK_W) EACH(out[i] = (uint16_t)bf16_of_fp32(row->w[i]));
  else if (how->kind == NUM_PACK_H) EACH(out[i] = (uint16_t)bf16_of_fp16(row->h[i], flush));
  else memcpy(out, row->h, sizeof row->h);
}

static void to_fp16(const struct num_pack *how, const union num_pack_row *restrict row, uint16_t *restrict out) {
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

static void to_fp8(const struct num_pack *how, const union num_pack_row *row, uint8_t out[NUM_PACK_ROW]) {
  uint16_t x[NUM_PACK_ROW];
  bool flush = how->kind == NUM_PACK_H && how->early != EARLY_FP8;
  to_fp16(how, row, x);
  if (how->e4m3) EACH(out[i] = (uint8_t)e4m3_of_fp16(x[i]));
  else EACH(out[i] = (uint8_t)e5m2_of_fp16(x[i], flush));
}

/* L1 is little endian. */
static void store_words(const uint32_t in[NUM_PACK_ROW], uint8_t *bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(bytes, in, 4 * NUM_PACK_ROW);
#else
  for (unsigned i = 0; i < 4 * NUM_PACK_ROW; i++) bytes[i] = (uint8_t)(in[i / 4] >> 8 * (i % 4));
#endif
}

static void store_halves(const uint16_t in[NUM_PACK_ROW], uint8_t *bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(bytes, in, 2 * NUM_PACK_ROW);
#else
  for (unsigned i = 0; i < 2 * NUM_PACK_ROW; i++) bytes[i] = (uint8_t)(in[i / 2] >> 8 * (i % 2));
#endif
}

void num_pack_late(const struct num_pack *how, const union num_pack_row *row, uint8_t bytes[NUM_PACK_ROW_BYTES]) {
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
static void to_e5m7(const struct num_pack *how, const union num_pack_row *row, uint16_t out[NUM_PACK_ROW]) {
  bool flush = how->kind == NUM_PACK_H && how->narrow_m;
  to_fp16(how, row, out);
  EACH(out[i] = (uint16_t)(flush && (out[i] & 0x7fffu) < 0x400u ? 0 : (out[i] & 0x8000u) | (out[i] & 0x7fffu) >> 3));
}

/* Magnitude of seven bits against the shared exponent: (m with its implicit one) >> (1 + distance), ties away, at most 127.
 * From distance 8 on nothing remains. The shift by a datum's own distance is three conditional shifts of m << 7. The sign
 * goes with a magnitude that is not zero: zero with a sign means minus infinity. [golden] */
static inline uint16_t block_datum(uint16_t x, int16_t shared, int bits) {
  int16_t exponent = (int16_t)(x >> 7 & 0xff), distance = (int16_t)(shared - exponent);
  uint16_t m = h((unsigned)h((x & 0x7fu) | (exponent > 0 ? 0x80u : 0u)) << 7);
  m = distance & 4 ? h((unsigned)m >> 4) : m;
  m = distance & 2 ? h((unsigned)m >> 2) : m;
  m = distance & 1 ? h((unsigned)m >> 1) : m;
  m = h((unsigned)h(m + 0x80u) >> 8);
  m = h((unsigned)m - ((unsigned)m >> 7)); /* 128 becomes 127 */
  m = distance > 7 ? 0 : m;
  m = h((unsigned)m >> (8 - bits));
  uint16_t sign = h((unsigned)h((unsigned)x >> 15) << (bits - 1));
  return h((unsigned)m | ((int16_t)m > 0 ? sign : 0u));
}

static unsigned largest_bf16_exponent(const uint16_t x[NUM_PACK_ROW]) {
  int16_t largest = 0;
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) {
    int16_t m = magnitude16(x[i]);
    largest = m > largest ? m : largest;
  }
  return (unsigned)largest >> 7;
}

static unsigned largest_fp16_exponent(const uint16_t x[NUM_PACK_ROW]) { return largest_bf16_exponent(x) >> 3; }

unsigned num_pack_largest_exponent(const struct num_pack *how, const union num_pack_row *row) {
  uint8_t exponents[NUM_PACK_ROW];
  uint8_t largest = 0;
  if (how->kind == NUM_PACK_B) return largest_bf16_exponent(row->h);
  if (how->kind == NUM_PACK_H) return largest_fp16_exponent(row->h);
  num_pack_exponents(how, row, exponents);
  EACH(largest = exponents[i] > largest ? exponents[i] : largest);
  return largest;
}

/* One loop for each width: the compiler knows the shifts. */
static void block_8bit(const uint16_t *x, int16_t shared, uint8_t *bytes) {
  uint16_t d[NUM_PACK_ROW];
  EACH(d[i] = block_datum(x[i], shared, 8));
  EACH(bytes[i] = (uint8_t)d[i]);
}

static void block_4bit(const uint16_t *x, int16_t shared, uint8_t *bytes) {
  uint16_t d[NUM_PACK_ROW];
  EACH(d[i] = block_datum(x[i], shared, 4));
  for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(d[2 * i] | d[2 * i + 1] << 4);
}

static void block_2bit(const uint16_t *x, int16_t shared, uint8_t *bytes) {
  uint16_t d[NUM_PACK_ROW];
  EACH(d[i] = block_datum(x[i], shared, 2));
  for (unsigned i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(d[4 * i] | d[4 * i + 1] << 2 | d[4 * i + 2] << 4 | d[4 * i + 3] << 6);
}

uint8_t num_pack_block(const struct num_pack *how, const union num_pack_row *row, unsigned count,
                       uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  uint16_t x[NUM_PACK_ROW];
  if (num_format_infos[how->to].exponent5) to_e5m7(how, row, x);
  else to_bf16(how, row, x);
  for (unsigned i = count; i < NUM_PACK_ROW; i++) x[i] = 0;
  unsigned shared = largest_bf16_exponent(x);
  if (how->bits == 8) block_8bit(x, (int16_t)shared, bytes);
  else if (how->bits == 4) block_4bit(x, (int16_t)shared, bytes);
  else block_2bit(x, (int16_t)shared, bytes);
  return (uint8_t)shared;
}

unsigned num_pack_plain_bf16(const uint16_t *high, unsigned rows, uint8_t *bytes) {
  int16_t largest[8] = {0}; /* stays in a register */
  for (; rows; rows--, high += NUM_PACK_ROW, bytes += 2 * NUM_PACK_ROW) {
    uint16_t out[NUM_PACK_ROW];
    EACH(out[i] = bf16_clean(bf16_of_dst(high[i])));
    for (unsigned i = 0; i < 8; i++) {
      int16_t a = magnitude16(out[i]), b = magnitude16(out[i + 8]), m = a > b ? a : b;
      largest[i] = largest[i] > m ? largest[i] : m;
    }
    store_halves(out, bytes);
  }
  int16_t m = 0;
  for (unsigned i = 0; i < 8; i++) m = largest[i] > m ? largest[i] : m;
  return (unsigned)m >> 7;
}
