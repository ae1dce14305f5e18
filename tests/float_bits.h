/* A float and its bits. */
#ifndef TESSERA_TESTS_FLOAT_BITS_H
#define TESSERA_TESTS_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

static inline float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static inline uint32_t as_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

#endif
