/* The formats of chip_format.h. */
#include "cli/chip_format.h"

#include <math.h>
#include <string.h>

#define BLOCK 16u /* numbers that share an exponent: a row of a face */

/* `bits` per element; for a block format the bits of a mantissa with its sign. */
static const struct row {
  const char *name;
  uint8_t code, bits;
  bool integer, block;
  const char *saved; /* NumPy's name for it */
} rows[CHIP_FORMATS] = {
    [CHIP_BF16] = {"bf16", 5, 16, false, false, "<f4"},      [CHIP_FP32] = {"fp32", 0, 32, false, false, "<f4"},
    [CHIP_INT32] = {"int32", 8, 32, true, false, "<i4"},     [CHIP_U8] = {"u8", 30, 8, true, false, "|u1"},
    [CHIP_UINT32] = {"uint32", 8, 32, true, false, "<u4"},   [CHIP_UINT16] = {"uint16", 9, 16, true, false, "<u2"},
    [CHIP_INT8] = {"int8", 14, 8, true, false, "|i1"},       [CHIP_FP16] = {"fp16", 1, 16, false, false, "<f4"},
    [CHIP_TF32] = {"tf32", 4, 32, false, false, "<f4"},      [CHIP_BFP8] = {"bfp8", 6, 8, false, true, "<f4"},
    [CHIP_BFP4] = {"bfp4", 7, 4, false, true, "<f4"},        [CHIP_BFP2] = {"bfp2", 15, 2, false, true, "<f4"},
    [CHIP_INT32SM] = {"int32sm", 8, 32, true, false, "<i4"},
};

int chip_format_number(const char *name) {
  for (int i = 0; i < CHIP_FORMATS; i++)
    if (strcmp(rows[i].name, name) == 0) return i;
  return strcmp(name, "uint8") == 0 ? CHIP_U8 : -1;
}

const char *chip_format_name(unsigned format) { return rows[format].name; }
uint32_t chip_format_code(unsigned format) { return rows[format].code; }
bool chip_format_is_wide_integer(unsigned format) { return rows[format].integer && rows[format].code != 9; }
bool chip_format_is_integer(unsigned format) { return rows[format].integer; }
bool chip_format_is_block(unsigned format) { return rows[format].block; }

size_t chip_format_bytes(unsigned format, size_t elements) {
  return elements * rows[format].bits / 8 + (rows[format].block ? elements / BLOCK : 0);
}

void chip_format_range(unsigned format, double *least, double *most) {
  bool magnitude = format == CHIP_INT8 || format == CHIP_INT32SM, with_sign = format == CHIP_INT32 || magnitude;
  double size = ldexp(1, rows[format].bits - with_sign);
  *least = format == CHIP_INT32 ? -size : magnitude ? 1 - size : 0;
  *most = size - 1;
}

/* --- one number --- */

static uint32_t single_of(double value) {
  float f = (float)value;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static double of_single(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* The hardware's FP16 has no infinity and no denormals: a larger value becomes the largest, a smaller one 0. */
static uint32_t half_of(double value) {
  int exponent;
  double m = frexp(fabs(value), &exponent); /* 0.5 <= m < 1 */
  uint32_t sign = signbit(value) ? 0x8000u : 0, mantissa = (uint32_t)nearbyint(m * 2048);
  if (!isfinite(value)) return sign | 0x7fffu;
  if (mantissa == 2048) mantissa = 1024, exponent++;
  if (mantissa == 0 || exponent + 14 <= 0) return sign;
  return exponent + 14 > 31 ? sign | 0x7fffu : sign | (uint32_t)(exponent + 14) << 10 | (mantissa & 1023u);
}

static double of_half(uint32_t bits) {
  int exponent = bits >> 10 & 31;
  double m = exponent ? ldexp(1024 + (bits & 1023u), exponent - 25) : 0;
  return bits & 0x8000u ? -m : m;
}

static uint32_t bits_of(unsigned format, double value) {
  uint32_t bits = single_of(value);
  switch (format) {
    case CHIP_BF16:
      if (isnan(value)) return 0x7fc0u;
      return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16; /* nearest, ties to even */
    case CHIP_TF32: return isfinite(value) ? (bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu : bits;
    case CHIP_FP32: return bits;
    case CHIP_FP16: return half_of(value);
    case CHIP_INT8: return value < 0 ? 0x80u | (uint32_t)-value : (uint32_t)value;
    case CHIP_INT32SM: return value < 0 ? 0x80000000u | (uint32_t)-value : (uint32_t)value;
    case CHIP_INT32: return (uint32_t)(int32_t)value;
    default: return (uint32_t)value;
  }
}

static double of_bits(unsigned format, uint32_t bits) {
  switch (format) {
    case CHIP_BF16: return of_single(bits << 16);
    case CHIP_TF32:
    case CHIP_FP32: return of_single(bits);
    case CHIP_FP16: return of_half(bits);
    case CHIP_INT8: return bits & 0x80u ? -(double)(bits & 0x7fu) : bits;
    case CHIP_INT32SM: return bits >> 31 ? -(double)(bits & 0x7fffffffu) : bits;
    case CHIP_INT32: return (int32_t)bits;
    default: return bits;
  }
}

/* --- blocks: magnitudes of bits - 1 bits; the first bit has the weight of the exponent's power of two --- */

static void put_block(unsigned bits, const double *values, uint8_t *exponent_at, uint8_t *to, uint32_t first) {
  int largest = -127, exponent;
  unsigned most = (1u << (bits - 1)) - 1;
  for (unsigned i = 0; i < BLOCK; i++) {
    if (values[i] == 0 || !isfinite(values[i])) continue;
    frexp(values[i], &exponent);
    if (exponent - 1 > largest) largest = exponent - 1 < 128 ? exponent - 1 : 128;
  }
  *exponent_at = (uint8_t)(largest + 127);
  for (unsigned i = 0; i < BLOCK; i++) {
    double scaled = nearbyint(ldexp(fabs(values[i]), (int)bits - 2 - largest));
    uint32_t magnitude = scaled < most ? (uint32_t)scaled : most;
    uint32_t datum = magnitude | (signbit(values[i]) && magnitude ? 1u << (bits - 1) : 0);
    uint32_t at = (first + i) * bits;
    to[at / 8] = (uint8_t)(to[at / 8] | datum << (at % 8));
  }
}

static double block_number(unsigned bits, uint8_t exponent, const uint8_t *from, uint32_t i) {
  uint32_t datum = from[i * bits / 8] >> (i * bits % 8) & ((1u << bits) - 1), sign = datum >> (bits - 1);
  double m = ldexp(datum & ((1u << (bits - 1)) - 1), exponent - 127 - ((int)bits - 2));
  return sign ? -m : m;
}

void chip_format_encode(unsigned format, const double *values, uint32_t elements, uint8_t *bytes) {
  unsigned size = rows[format].bits / 8u;
  memset(bytes, 0, chip_format_bytes(format, elements));
  for (uint32_t i = 0; rows[format].block && i < elements; i += BLOCK)
    put_block(rows[format].bits, values + i, bytes + i / BLOCK, bytes + elements / BLOCK, i);
  for (uint32_t i = 0; !rows[format].block && i < elements; i++) {
    uint32_t bits = bits_of(format, values[i]);
    for (unsigned k = 0; k < size; k++) bytes[i * size + k] = (uint8_t)(bits >> (8 * k));
  }
}

void chip_format_decode(unsigned format, const uint8_t *bytes, uint32_t elements, double *values) {
  unsigned size = rows[format].bits / 8u;
  for (uint32_t i = 0; i < elements; i++) {
    uint32_t bits = 0;
    if (rows[format].block) {
      values[i] = block_number(rows[format].bits, bytes[i / BLOCK], bytes + elements / BLOCK, i);
      continue;
    }
    for (unsigned k = 0; k < size; k++) bits |= (uint32_t)bytes[i * size + k] << (8 * k);
    values[i] = of_bits(format, bits);
  }
}

/* --- files --- */

bool chip_format_takes(unsigned format, const struct npy *n) {
  bool floats = n->kind == 'f', words = format == CHIP_BF16 && n->size == 2;
  return rows[format].integer ? n->kind == 'i' || n->kind == 'u' : floats || words;
}

const char *chip_format_saved(unsigned format, unsigned *as) {
  *as = format == CHIP_INT32SM ? (unsigned)CHIP_INT32 : rows[format].integer ? format : (unsigned)CHIP_FP32;
  return rows[format].saved;
}
