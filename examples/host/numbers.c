/* Numbers for the examples: see numbers.h. */
#include "numbers.h"

#include <math.h>
#include <string.h>

enum { FLOAT32 = 0, FLOAT16 = 1, TF32 = 4, BFLOAT16 = 5, BFP8 = 6, INT32 = 8, INT8 = 14 };

int format_by_name(const char *name) {
  static const struct {
    const char *name;
    int format;
  } names[] = {{"fp32", FLOAT32}, {"fp16", FLOAT16}, {"tf32", TF32}, {"bf16", BFLOAT16},
               {"bfp8", BFP8},    {"int32", INT32},  {"int8", INT8}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].name, name) == 0) return names[i].format;
  return -1;
}

unsigned format_bytes(int format) {
  switch (format) {
    case FLOAT32:
    case TF32:
    case INT32: return 4096;
    case BFP8: return 64 + 1024;
    case INT8: return 1024;
    default: return 2048;
  }
}

/* The index of element (row, column) of a tile: faces of 16x16, two side by side. */
static unsigned place(unsigned row, unsigned column) {
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}

static uint32_t bits_of_float(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static double float_of_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* x as sign, five exponent bits, ten of mantissa; underflow becomes 0, overflow saturates. */
static uint32_t half_of(double x) {
  int exponent;
  double m = frexp(fabs(x), &exponent); /* 0.5 <= m < 1 */
  long mantissa = lround(m * 2048);
  if (mantissa == 2048) mantissa = 1024, exponent++;
  uint32_t sign = x < 0 ? 0x8000u : 0;
  if (mantissa == 0 || exponent + 14 <= 0) return sign;
  if (exponent + 14 > 30) return sign | 0x7bffu;
  return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)mantissa & 1023u);
}

static double of_half(uint32_t bits) {
  int exponent = bits >> 10 & 31;
  double m = exponent ? ldexp(1024 + (bits & 1023), exponent - 25) : 0;
  return bits & 0x8000u ? -m : m;
}

static uint32_t sign_magnitude(double x, double most) {
  double magnitude = fmin(round(fabs(x)), most);
  return (uint32_t)magnitude | (x < 0 && magnitude > 0 ? 0x80000000u : 0);
}

static void put(int format, uint8_t *tile, unsigned i, double x) {
  uint32_t bits;
  switch (format) {
    case FLOAT32:
    case TF32:
      bits = bits_of_float(x);
      memcpy(tile + 4 * i, &bits, 4);
      break;
    case BFLOAT16:
      bits = (bits_of_float(x) + 0x8000u) >> 16;
      memcpy(tile + 2 * i, &bits, 2);
      break;
    case FLOAT16:
      bits = half_of(x);
      memcpy(tile + 2 * i, &bits, 2);
      break;
    case INT8:
      bits = sign_magnitude(x, 127);
      tile[i] = (uint8_t)(bits | bits >> 24);
      break;
    case INT32:
      bits = sign_magnitude(x, 2147483647.0);
      memcpy(tile + 4 * i, &bits, 4);
      break;
    default: break;
  }
}

static double get(int format, const uint8_t *tile, unsigned i) {
  uint32_t bits = 0;
  switch (format) {
    case FLOAT32:
    case TF32: memcpy(&bits, tile + 4 * i, 4); return float_of_bits(bits);
    case BFLOAT16: memcpy(&bits, tile + 2 * i, 2); return float_of_bits(bits << 16);
    case FLOAT16: memcpy(&bits, tile + 2 * i, 2); return of_half(bits);
    case INT8: return tile[i] & 0x80 ? -(double)(tile[i] & 0x7f) : tile[i];
    case INT32: memcpy(&bits, tile + 4 * i, 4); return bits >> 31 ? -(double)(bits & 0x7fffffffu) : bits;
    default: { /* BFP8: sign and seven bits of magnitude, 1.0 has bit 6 set; the exponent of its row of a face */
      double m = ldexp(tile[64 + i] & 0x7f, (int)tile[i / 16] - 127 - 6);
      return tile[64 + i] & 0x80 ? -m : m;
    }
  }
}

static void put_block(uint8_t *tile, unsigned group, const double *x) {
  int largest = -126;
  for (unsigned i = 0; i < 16; i++) {
    int exponent;
    if (x[i] == 0) continue;
    frexp(x[i], &exponent);
    if (exponent - 1 > largest) largest = exponent - 1;
  }
  tile[group] = (uint8_t)(largest + 127);
  for (unsigned i = 0; i < 16; i++) {
    double magnitude = fmin(round(ldexp(fabs(x[i]), 6 - largest)), 127);
    tile[64 + 16 * group + i] = (uint8_t)((uint8_t)magnitude | (x[i] < 0 && magnitude > 0 ? 0x80 : 0));
  }
}

void tiles_from_matrix(int format, const double *matrix, unsigned rows, unsigned columns, uint8_t *tiles) {
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++) {
      uint8_t *tile = tiles + (r / 32 * (columns / 32) + c / 32) * format_bytes(format);
      if (format != BFP8) put(format, tile, place(r % 32, c % 32), matrix[r * columns + c]);
      else if (c % 16 == 0) put_block(tile, place(r % 32, c % 32) / 16, &matrix[r * columns + c]);
    }
}

void matrix_from_tiles(int format, const uint8_t *tiles, unsigned rows, unsigned columns, double *matrix) {
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++) {
      const uint8_t *tile = tiles + (r / 32 * (columns / 32) + c / 32) * format_bytes(format);
      matrix[r * columns + c] = get(format, tile, place(r % 32, c % 32));
    }
}

double next_number(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1.0;
}
