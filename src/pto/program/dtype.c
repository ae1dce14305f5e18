/* See dtype.h. */
#include "pto/program/dtype.h"

#include <math.h>
#include <string.h>

static float f32_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of_f32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double f16_to_double(uint16_t h) {
  int exponent = (h >> 10) & 31;
  int mantissa = h & 1023;
  double sign = h & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31) return mantissa ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0) return sign * ldexp(mantissa, -24);
  return sign * ldexp(1024 + mantissa, exponent - 25);
}

/* Nearest even with the double's own exponent: one rounding only. */
static uint16_t double_to_f16(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value)) return 0x7e00;
  double magnitude = fabs(value);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520.0) return (uint16_t)(sign | 0x7c00);
  int exponent;
  frexp(magnitude, &exponent);
  exponent--;
  if (exponent < -14)
    return (uint16_t)(sign | (uint16_t)nearbyint(ldexp(magnitude, 24)));    /* may round up to the first normal */
  unsigned mantissa = (unsigned)nearbyint(ldexp(magnitude, 10 - exponent)); /* 1024..2048 */
  return (uint16_t)(sign | (((unsigned)(exponent + 15) << 10) + (mantissa - 1024)));
}

static uint16_t double_to_bf16(double value) {
  if (isnan(value)) return 0x7fc0;
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  double magnitude = fabs(value);
  if (magnitude == 0) return sign;
  int exponent;
  frexp(magnitude, &exponent);
  exponent--;
  if (exponent < -126) return (uint16_t)(sign | (uint16_t)nearbyint(ldexp(magnitude, 133)));
  double mantissa = nearbyint(ldexp(magnitude, 7 - exponent)); /* 128..256 */
  uint32_t bits = ((uint32_t)(exponent + 127) << 7) + ((uint32_t)mantissa - 128);
  return (uint16_t)(sign | (bits >= 0x7f80 ? 0x7f80 : bits));
}

double pto_dtype_load(unsigned dtype, const uint8_t *bytes) {
  uint32_t word = 0;
  memcpy(&word, bytes, pto_dtype_bytes(dtype)); /* little endian hosts only, as the machine itself */
  switch (dtype) {
    case PTO_F32: return (double)f32_of_bits(word);
    case PTO_F16: return f16_to_double((uint16_t)word);
    case PTO_BF16: return (double)f32_of_bits(word << 16);
    case PTO_I32: return (double)(int32_t)word;
    case PTO_I16: return (double)(int16_t)(uint16_t)word;
    case PTO_I8: return (double)(int8_t)(uint8_t)word;
    default: return (double)word;
  }
}

static double saturate(double value, double low, double high) {
  if (isnan(value)) return 0;
  double rounded = nearbyint(value);
  return rounded < low ? low : rounded > high ? high : rounded;
}

void pto_dtype_store(unsigned dtype, uint8_t *bytes, double value) {
  uint32_t word;
  switch (dtype) {
    case PTO_F32: word = bits_of_f32((float)value); break;
    case PTO_F16: word = double_to_f16(value); break;
    case PTO_BF16: word = double_to_bf16(value); break;
    case PTO_I32: word = (uint32_t)(int32_t)saturate(value, -2147483648.0, 2147483647.0); break;
    case PTO_I16: word = (uint32_t)(int32_t)saturate(value, -32768, 32767); break;
    case PTO_I8: word = (uint32_t)(int32_t)saturate(value, -128, 127); break;
    case PTO_U32: word = (uint32_t)saturate(value, 0, 4294967295.0); break;
    case PTO_U16: word = (uint32_t)saturate(value, 0, 65535); break;
    default: word = (uint32_t)saturate(value, 0, 255); break;
  }
  memcpy(bytes, &word, pto_dtype_bytes(dtype));
}
