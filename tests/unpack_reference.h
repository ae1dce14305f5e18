/* A second implementation of the unpackers' conversions, written from the formats' definitions: datums by field, registers bit by bit. */
#ifndef TESSERA_TESTS_UNPACK_REFERENCE_H
#define TESSERA_TESTS_UNPACK_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/num/format.h"

struct parts {
  uint32_t sign, exponent, mantissa;
};

/* The register layouts, written a second time bit by bit. */
static inline uint32_t src_layout(struct parts p) { /* mantissa of ten bits, exponent of eight */
  uint32_t x = 0;
  for (unsigned i = 0; i < 8; i++) x |= (p.exponent >> i & 1u) << i;
  for (unsigned i = 0; i < 10; i++) x |= (p.mantissa >> i & 1u) << (8 + i);
  return x | p.sign << 18;
}

static inline uint32_t dst_layout(struct parts p, unsigned exponent_bits) {
  return p.sign << 15 | p.mantissa << exponent_bits | p.exponent;
}

static inline struct parts split(uint32_t x, unsigned exponent_bits, unsigned mantissa_bits) {
  return (struct parts){x >> (exponent_bits + mantissa_bits) & 1u, x >> mantissa_bits & ((1u << exponent_bits) - 1u),
                        x & ((1u << mantissa_bits) - 1u)};
}

static inline uint32_t expect_bf16(uint32_t bf16, bool to_dst) {
  struct parts p = split(bf16, 8, 7);
  if (to_dst) return dst_layout(p, 8);
  p.mantissa *= 8;
  return src_layout(p);
}

static inline uint32_t expect_fp16(uint32_t fp16, bool to_dst) {
  struct parts p = split(fp16, 5, 10);
  return to_dst ? dst_layout(p, 5) : src_layout(p);
}

static inline struct parts expect_block(uint32_t x, unsigned bits, unsigned exponent, unsigned exponent_bits,
                                        unsigned mantissa_bits) {
  uint32_t sign = x >> (bits - 1), magnitude = x & ((1u << (bits - 1)) - 1u);
  if (!magnitude) return (struct parts){sign, sign ? (1u << exponent_bits) - 1u : 0, 0};
  int top = (int)bits - 2;
  while (!(magnitude >> top & 1u)) top--;
  uint32_t fraction = magnitude - (1u << top); /* without its leading one, `top` bits */
  unsigned own = exponent - (bits - 2 - (unsigned)top);
  return (struct parts){sign, own & ((1u << exponent_bits) - 1u), fraction << ((int)mantissa_bits - top)};
}

static inline struct parts fp16_of(struct parts p) {
  int e = (int)p.exponent - 127 + 15;
  if (e < 0) return (struct parts){p.sign, 0, 0};
  if (e > 31) return (struct parts){p.sign, 31, 1023};
  return (struct parts){p.sign, (uint32_t)e, p.mantissa / 8192};
}

static inline struct parts reference_fp8(uint32_t x, bool e4m3) { /* in FP16's fields; all ones are padded with ones */
  struct parts p = e4m3 ? split(x, 4, 3) : split(x, 5, 2);
  unsigned more = e4m3 ? 7 : 8;
  bool ones = (x & 0x7fu) == 0x7fu;
  p.mantissa = p.mantissa << more | (ones ? (1u << more) - 1u : 0);
  if (e4m3 && p.exponent) p.exponent += 15 - 7; /* the two biases */
  return p;
}

/* A datum of 32 bits, converted to `out`. */
static inline uint32_t reference_unpack_32(unsigned out, bool to_dst, uint32_t x) {
  struct parts p = split(x, 8, 23), high = {p.sign, p.exponent, p.mantissa >> 16};
  switch (out) {
    case NUM_BF16:
      p.mantissa = p.exponent ? p.mantissa / 65536 : 0;
      if (to_dst) return dst_layout(p, 8);
      p.mantissa *= 8;
      return src_layout(p);
    case NUM_FP16: return to_dst ? dst_layout(fp16_of(p), 5) : src_layout(fp16_of(p));
    default:
      if (to_dst) return dst_layout(high, 8) << 16 | (x & 0xffffu);
      p.mantissa /= 8192;
      return src_layout(p);
  }
}

/* The converted value of any datum in SrcA, SrcB or Dst. The smaller formats convert by their own format, whatever the
 * register's format is. */
static inline uint32_t reference_unpack(const struct num_unpack *how, uint32_t x, unsigned exponent) {
  bool five = num_format_infos[how->in].exponent5;
  struct parts p;
  switch (how->in) {
    case NUM_FP32:
    case NUM_TF32:
    case NUM_INT32: return reference_unpack_32(how->out, how->to_dst, x);
    case NUM_BF16: return expect_bf16(x, how->to_dst);
    case NUM_FP16: return expect_fp16(x, how->to_dst);
    case NUM_INT16: /* opaque: high byte over sign and mantissa, low byte over the exponent */
      if (how->to_dst) return x;
      return src_layout((struct parts){x >> 15, x & 0xffu, (x >> 8 & 0x7fu) * 8});
    case NUM_INT8:
      p = how->is_unsigned ? (struct parts){0, x ? 16 : 0, x} : (struct parts){x >> 7, x % 128 ? 16 : 0, x % 128};
      break;
    case NUM_FP8: p = reference_fp8(x, how->e4m3); break;
    default: p = expect_block(x, num_format_bits(how->in), exponent, five ? 5 : 8, five ? 10 : 7); break;
  }
  bool eight = !five && how->in != NUM_INT8;
  if (how->to_dst) return dst_layout(p, eight ? 8 : 5);
  if (eight) p.mantissa *= 8;
  return src_layout(p);
}

#endif
