/* A second implementation of the packer's conversions, written from Packers/FormatConversion.md and golden values: a datum
 * is split into sign, exponent and mantissa with their widths, and every step is done on those, one datum at a time. */
#ifndef TESSERA_TESTS_PACK_REFERENCE_H
#define TESSERA_TESTS_PACK_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/num/format_pack.h"

struct pack_parts {
  unsigned sign;
  int exponent; /* field */
  uint32_t mantissa;
  int ebits, mbits;
};

static inline struct pack_parts take_apart(uint32_t x, int ebits, int mbits) {
  return (struct pack_parts){x >> (ebits + mbits) & 1u, (int)(x >> mbits & ((1u << ebits) - 1)), x & ((1u << mbits) - 1),
                             ebits, mbits};
}

static inline uint32_t put_together(struct pack_parts p) {
  return p.sign << (p.ebits + p.mbits) | (uint32_t)p.exponent << p.mbits | p.mantissa;
}

static inline struct pack_parts zero_of(struct pack_parts p, unsigned sign) {
  return (struct pack_parts){sign, 0, 0, p.ebits, p.mbits};
}

static inline struct pack_parts truncate_to(struct pack_parts p, int mbits) {
  if (mbits >= p.mbits) p.mantissa <<= mbits - p.mbits;
  else p.mantissa >>= p.mbits - mbits;
  p.mbits = mbits;
  return p;
}

/* "Rounding": nearest, ties away; NaN to infinity (8-bit exponents), denormals and -0 to +0. By golden values a BF16 Dst is
 * flushed before rounding, FP32 and FP16 after it, and the largest FP16 values do not round up out of the format. */
static inline struct pack_parts round_to(struct pack_parts p, int mbits) {
  int drop = p.mbits - mbits;
  if (p.ebits == 8 && p.mbits == 7 && p.exponent == 0) p.mantissa = 0;
  if (p.ebits == 8 && p.exponent == 255) p.mantissa = 0;
  p = truncate_to((struct pack_parts){p.sign, p.exponent, p.mantissa + (drop > 0 ? 1u << (drop - 1) : 0), p.ebits, p.mbits},
                  mbits);
  if (p.mantissa >> mbits) {
    if (p.ebits == 5 && p.exponent == 31) p.mantissa = (1u << mbits) - 1;
    else p.exponent++, p.mantissa = 0;
  }
  return p.exponent == 0 ? zero_of(p, 0) : p;
}

/* "Late format conversion", floating point to floating point. `had` is the mantissa width of the intermediate format
 * proper. */
static inline struct pack_parts late(struct pack_parts p, int had, int ebits, int mbits) {
  if (ebits < p.ebits) { /* exponent narrows by steps of the bias: 127 to 15 to 7 */
    int bias = p.ebits == 8 ? 112 : 8, most = ebits == 4 ? 15 : 31;
    int e = p.exponent - bias;
    unsigned sign = p.sign;
    if (e > most) return (struct pack_parts){sign, most, (1u << mbits) - 1, ebits, mbits};
    bool gone = ebits == 4 ? e <= 0 : e < 0;
    p = truncate_to(p, mbits);
    p.ebits = ebits;
    p.exponent = e;
    return gone ? zero_of(p, sign) : p;
  }
  if (mbits < had && p.exponent == 0) {
    p = truncate_to(p, mbits);
    p.ebits = ebits;
    return zero_of(p, 0);
  }
  p = truncate_to(p, mbits);
  if (ebits > p.ebits && p.exponent) p.exponent += 112;
  p.ebits = ebits;
  return p;
}

static inline uint32_t dst_to_ieee(uint32_t x, bool wide, bool fp16) {
  if (wide) {
    uint32_t h = x >> 16;
    return (h & 0x8000u) << 16 | (h & 0xffu) << 23 | (h >> 8 & 0x7fu) << 16 | (x & 0xffffu);
  }
  if (fp16) return (x & 0x8000u) | (x & 0x1fu) << 10 | (x >> 5 & 0x3ffu);
  return (x & 0x8000u) | (x & 0xffu) << 7 | (x >> 8 & 0x7fu);
}

struct intermediate {
  bool integer;
  uint32_t bits; /* integers */
  struct pack_parts p;
  int had; /* mantissa bits of the format */
};

static inline uint32_t saturate8(uint32_t x, unsigned shift, bool is_unsigned) {
  double magnitude = (double)(x & 0x7fffffffu) / (double)(UINT64_C(1) << shift) + (shift ? 0.5 : 0);
  bool negative = x >> 31;
  if (is_unsigned) return negative ? 0 : magnitude >= 255 ? 255 : (uint32_t)magnitude;
  return (negative ? 0x80u : 0) | (magnitude >= 127 ? 127 : (uint32_t)magnitude);
}

static inline struct intermediate ref_early_float(const struct num_pack_request *r, uint32_t x) {
  bool fp16 = !r->wide && (r->intermediate == NUM_BFP8A || r->intermediate == NUM_FP8 ||
                           (r->intermediate == NUM_FP16 && !r->round10)); /* with Round_10b_mant Dst holds BF16 */
  uint32_t ieee = dst_to_ieee(x, r->wide, fp16);
  struct pack_parts p = r->wide ? take_apart(ieee, 8, 23) : fp16 ? take_apart(ieee, 5, 10) : take_apart(ieee, 8, 7);
  bool to_fp16 = r->from == NUM_FP16 && r->round10;
  if (to_fp16) {
    if (r->wide) p = round_to(p, 10);
    return (struct intermediate){.p = late(p, 10, 5, 10), .had = 10};
  }
  switch (r->intermediate) {
    case NUM_FP32:
      if (r->raw || !r->round10) return (struct intermediate){.p = p, .had = 23};
      return (struct intermediate){.p = round_to(p, 10), .had = 10};
    case NUM_TF32:
      if (r->raw) return (struct intermediate){.p = p, .had = 23};
      return (struct intermediate){.p = round_to(p, 10), .had = 10};
    case NUM_BF16:
      if (r->raw) return (struct intermediate){.p = truncate_to(p, 7), .had = 7};
      if (r->round10 && r->to == NUM_FP16) return (struct intermediate){.p = round_to(p, 10), .had = 10};
      return (struct intermediate){.p = round_to(p, 7), .had = 7};
    case NUM_BFP8: return (struct intermediate){.p = r->raw ? truncate_to(p, 7) : round_to(p, 6), .had = r->raw ? 7 : 6};
    case NUM_FP16: return (struct intermediate){.p = r->raw ? p : round_to(p, 10), .had = 10};
    case NUM_BFP8A: return (struct intermediate){.p = r->raw ? truncate_to(p, 7) : round_to(p, 6), .had = r->raw ? 7 : 6};
    default: return (struct intermediate){.p = truncate_to(p, 2), .had = 2};
  }
}

static inline struct intermediate ref_early(const struct num_pack_request *r, uint32_t x) {
  if (r->intermediate == NUM_INT16) return (struct intermediate){.integer = true, .bits = r->wide ? x >> 16 : x};
  if (r->intermediate == NUM_INT32 && r->from == NUM_INT32)
    return (struct intermediate){.integer = true, .bits = dst_to_ieee(x, true, false)};
  if (r->intermediate == NUM_INT8) {
    uint32_t v = r->wide ? dst_to_ieee(x, true, false) : 0;
    if (!r->wide) return (struct intermediate){.integer = true, .bits = x >> 15 << 7};
    if (r->raw) return (struct intermediate){.integer = true, .bits = r->is_unsigned ? v & 255u : v >> 31 << 7 | (v & 127u)};
    return (struct intermediate){.integer = true, .bits = saturate8(v, r->shift, r->is_unsigned)};
  }
  if (r->intermediate == NUM_INT32)
    return (struct intermediate){.p = take_apart(dst_to_ieee(x, true, false), 8, 23), .had = 23};
  return ref_early_float(r, x);
}

/* Not block formats. */
static inline uint32_t ref_late(const struct num_pack_request *r, struct intermediate i) {
  if (i.integer) return i.bits;
  switch (r->to) {
    case NUM_FP32: return put_together(late(i.p, i.had, 8, 23));
    case NUM_TF32: return put_together(late(i.p, i.had, 8, 10)) << 13;
    case NUM_BF16: return put_together(late(i.p, i.had, 8, 7));
    case NUM_FP16: return put_together(late(i.p, i.had, 5, 10));
    default:
      if (!r->e4m3) return put_together(late(i.p, i.had, 5, 2));
      return put_together(late(i.p.ebits == 8 ? late(i.p, i.had, 5, 10) : i.p, i.had, 4, 3));
  }
}

/* Block formats: sixteen datums at once. Returns the shared exponent. */
static inline unsigned ref_block(const struct num_pack_request *r, const struct intermediate *in, unsigned *out) {
  bool a = r->to == NUM_BFP8A || r->to == NUM_BFP4A || r->to == NUM_BFP2A;
  int bits = (int)num_format_bits(r->to), shared = 0;
  struct pack_parts p[16];
  for (unsigned i = 0; i < 16; i++) {
    p[i] = late(in[i].p, in[i].had, a ? 5 : 8, 7);
    if (p[i].exponent > shared) shared = p[i].exponent;
  }
  for (unsigned i = 0; i < 16; i++) {
    unsigned significand = p[i].mantissa + (p[i].exponent ? 128u : 0), magnitude = 0;
    int distance = shared - p[i].exponent;
    if (distance < 8)
      magnitude = (2 * significand + (2u << distance)) / (4u << distance); /* significand / 2^(distance + 1), half up */
    if (magnitude > 127) magnitude = 127;
    magnitude >>= 8 - bits;
    out[i] = magnitude | (magnitude ? p[i].sign << (bits - 1) : 0);
  }
  return (unsigned)shared;
}

/* --- comparing --- */

#endif
