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

static uint64_t bits_of_f64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double f16_to_double(uint16_t h) {
  uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = (h >> 10) & 31u, mantissa = h & 1023u;
  if (exponent == 31) return mantissa ? (double)NAN : (double)f32_of_bits(sign | 0x7f800000u);
  if (exponent == 0) return (sign ? -1.0 : 1.0) * (double)mantissa / 16777216.0;
  return (double)f32_of_bits(sign | (exponent + 112) << 23 | mantissa << 13);
}

/* The upper bits of a double's fraction, rounded once to nearest even. */
static uint32_t round_fraction(uint64_t bits, unsigned kept) {
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1), rest = fraction & ((UINT64_C(1) << (52 - kept)) - 1);
  uint64_t tie = UINT64_C(1) << (51 - kept), upper = fraction >> (52 - kept);
  return (uint32_t)(upper + (rest > tie || (rest == tie && (upper & 1u))));
}

static uint16_t double_to_f16(double value) {
  uint64_t bits = bits_of_f64(value);
  uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  int exponent = (int)(bits >> 52 & 2047u) - 1023;
  if (isnan(value)) return 0x7e00;
  if (exponent > 15) return (uint16_t)(sign | 0x7c00u);
  if (exponent < -14) /* may round up to the first normal number */
    return (uint16_t)(sign | (uint32_t)nearbyint(fabs(value) * 16777216.0));
  return (uint16_t)(sign | (((uint32_t)(exponent + 15) << 10) + round_fraction(bits, 10))); /* carries into infinity */
}

static uint16_t double_to_bf16(double value) {
  uint64_t bits = bits_of_f64(value);
  uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  int exponent = (int)(bits >> 52 & 2047u) - 1023;
  if (isnan(value)) return 0x7fc0;
  if (exponent > 127) return (uint16_t)(sign | 0x7f80u);
  if (exponent < -126) return (uint16_t)(sign | (uint32_t)nearbyint(ldexp(fabs(value), 133)));
  return (uint16_t)(sign | (((uint32_t)(exponent + 127) << 7) + round_fraction(bits, 7)));
}

double pto_dtype_load(unsigned dtype, const uint8_t *bytes) {
  uint32_t word = 0;
  memcpy(&word, bytes, pto_dtype_bytes(dtype)); /* little-endian hosts only, like the machine itself */
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
