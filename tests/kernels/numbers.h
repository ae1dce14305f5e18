/* Numbers in tiles of every format, written down here from the layouts in docs/reference/tiles.md and not by the simulator's own
 * conversions: small integers to bits, bits to double. Index: place in the tile, face by face. */
#ifndef TESSERA_TESTS_NUMBERS_H
#define TESSERA_TESTS_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tensix/num/format.h"

static inline void number_bits(uint8_t *tile, unsigned index, unsigned bytes, uint32_t bits) {
  for (unsigned i = 0; i < bytes; i++) tile[index * bytes + i] = (uint8_t)(bits >> 8 * i);
}

static inline uint32_t number_float_bits(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

/* FLOAT16 of a number that it holds exactly. */
static inline uint32_t number_fp16_bits(double x) {
  int exponent;
  double m = frexp(fabs(x), &exponent); /* 0.5 <= m < 1 */
  if (x == 0) return 0;
  return (x < 0 ? 0x8000u : 0) | (uint32_t)(exponent + 14) << 10 | (uint32_t)((m * 2 - 1) * 1024);
}

/* A block format: every exponent is the one at which a magnitude of 1 means 1. */
static inline void number_put_block(unsigned format, uint8_t *tile, unsigned index, int value) {
  unsigned bits = format == NUM_BFP8 || format == NUM_BFP8A ? 8 : format == NUM_BFP4 || format == NUM_BFP4A ? 4 : 2;
  unsigned bias = format == NUM_BFP8A || format == NUM_BFP4A || format == NUM_BFP2A ? 15 : 127;
  unsigned datum = (value < 0 ? 1u << (bits - 1) : 0) | (unsigned)(value < 0 ? -value : value);
  uint8_t *byte = tile + 64 + index * bits / 8;
  unsigned shift = index * bits % 8;
  tile[index / 16] = (uint8_t)(bias + bits - 2);
  *byte = (uint8_t)((*byte & ~(((1u << bits) - 1) << shift)) | datum << shift);
}

/* Formats of a number that the format holds: value / 2^scale; block formats and integers take scale 0 only. */
static inline void number_put(unsigned format, uint8_t *tile, unsigned index, int value, unsigned scale) {
  double x = ldexp(value, -(int)scale);
  switch (format) {
    case NUM_FP32:
    case NUM_TF32: number_bits(tile, index, 4, number_float_bits(x)); break;
    case NUM_BF16: number_bits(tile, index, 2, number_float_bits(x) >> 16); break;
    case NUM_FP16: number_bits(tile, index, 2, number_fp16_bits(x)); break;
    case NUM_FP8: number_bits(tile, index, 1, number_fp16_bits(x) >> 8); break;
    case NUM_INT8: number_bits(tile, index, 1, (value < 0 ? 0x80u : 0) | (uint32_t)(value < 0 ? -value : value)); break;
    case NUM_INT16: number_bits(tile, index, 2, (uint32_t)value); break;
    case NUM_INT32: number_bits(tile, index, 4, (value < 0 ? 1u << 31 : 0) | (uint32_t)(value < 0 ? -value : value)); break;
    default: number_put_block(format, tile, index, value);
  }
}

static inline double number_get(unsigned format, const uint8_t *tile, unsigned index) {
  uint32_t bits = 0;
  float f;
  switch (format) {
    case NUM_FP16: {
      memcpy(&bits, tile + 2 * index, 2);
      double m = (bits & 0x7c00u) ? 1024 + (bits & 0x3ffu) : 0;
      return ldexp(bits & 0x8000u ? -m : m, (int)(bits >> 10 & 31u) - 25);
    }
    case NUM_INT32: memcpy(&bits, tile + 4 * index, 4); return bits >> 31 ? -(double)(bits & 0x7fffffffu) : (double)bits;
    case NUM_INT16: memcpy(&bits, tile + 2 * index, 2); return (double)bits;
    case NUM_INT8: return tile[index] & 0x80 ? -(double)(tile[index] & 0x7f) : (double)tile[index];
    case NUM_BF16: memcpy((uint8_t *)&bits + 2, tile + 2 * index, 2); break;
    default: memcpy(&bits, tile + 4 * index, 4);
  }
  memcpy(&f, &bits, 4);
  return (double)f;
}

#endif
