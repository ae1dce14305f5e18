/* L1 to a register and back: what the unpacker reads (num/format_unpack.c) and the packer writes (num/format_pack.c) is
 * the same number. Every pattern of the formats of 16 bits and less, every shared exponent of the block formats. Numbers
 * are compared as numbers, computed here from the formats' definitions. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tensix/num/format_pack.h"

/* The number that a pattern in L1 encodes. Exponent 255 (31) is an ordinary exponent for this hardware; denormals are zero. */
static double number(unsigned format, uint32_t x, unsigned shared, bool e4m3) {
  unsigned bits = num_format_bits(format);
  bool five = num_format_infos[format].exponent5;
  double sign = x >> (bits - 1) & 1u ? -1 : 1;
  if (num_format_is_block(format)) {
    unsigned magnitude = x & ((1u << (bits - 1)) - 1);
    return sign * ldexp(magnitude, (int)shared - (five ? 15 : 127) - (int)(bits - 2));
  }
  int ebits = format == NUM_FP8 && e4m3 ? 4 : five ? 5 : 8, mbits = (int)bits - 1 - ebits;
  unsigned e = x >> mbits & ((1u << ebits) - 1), m = x & ((1u << mbits) - 1);
  return e ? sign * ldexp(m + ldexp(1, mbits), (int)e - ((1 << (ebits - 1)) - 1) - mbits) : 0;
}

static uint32_t take_bits(const uint8_t *bytes, unsigned i, unsigned bits) {
  uint32_t x = 0;
  for (unsigned b = 0; b < bits; b++) x |= ((uint32_t)bytes[(i * bits + b) / 8] >> (i * bits + b) % 8 & 1u) << b;
  return x;
}

/* A source register's datum as MOVA2D writes it to a 16-bit Dst. */
static uint16_t dst_of_src(uint32_t datum, bool fp16) {
  return (uint16_t)(fp16 ? num_dst_from_fp16(num_fp16_from_src(datum)) : num_dst_from_bf16(num_bf16_from_src(datum)));
}

struct trip {
  uint8_t format, intermediate, e4m3;
};

/* Sixteen datums through SrcA and a 16-bit Dst and back. Returns the packed shared exponent. */
static unsigned there_and_back(const struct trip *trip, const uint32_t x[16], uint8_t shared, uint32_t out[16]) {
  struct num_unpack in = {.in = trip->format, .out = trip->format, .e4m3 = trip->e4m3};
  struct num_pack_request request = {
      .intermediate = trip->intermediate, .from = trip->intermediate, .to = trip->format, .e4m3 = trip->e4m3};
  struct num_pack how;
  union num_pack_row row;
  uint16_t high[16], low[16] = {0};
  uint8_t bytes[NUM_PACK_ROW_BYTES];
  unsigned exponent = 0;
  assert_true(num_unpack_legal(trip->format, trip->format, false));
  assert_true(num_pack_make(&request, &how));
  for (unsigned i = 0; i < 16; i++)
    high[i] = dst_of_src(num_unpack_datum(&in, x[i], shared), num_format_infos[trip->format].exponent5);
  num_pack_early(&how, high, low, &row);
  num_pack_relu(&how, 0, 0, &row);
  if (how.block) exponent = num_pack_block(&how, &row, 16, bytes);
  else num_pack_late(&how, &row, bytes);
  for (unsigned i = 0; i < 16; i++) out[i] = take_bits(bytes, i, how.bits);
  return exponent;
}

static void test_plain_formats(void **state) {
  static const struct trip trips[] = {
      {NUM_BF16, NUM_BF16, 0}, {NUM_FP16, NUM_FP16, 0}, {NUM_FP8, NUM_FP16, 0}, {NUM_FP8, NUM_FP16, 1}};
  (void)state;
  for (unsigned k = 0; k < 4; k++) {
    const struct trip *trip = &trips[k];
    unsigned patterns = 1u << num_format_bits(trip->format);
    for (uint32_t base = 0; base < patterns; base += 16) {
      uint32_t x[16], back[16];
      for (unsigned i = 0; i < 16; i++) x[i] = base + i;
      there_and_back(trip, x, 0, back);
      for (unsigned i = 0; i < 16; i++) {
        double before = number(trip->format, x[i], 0, trip->e4m3), after = number(trip->format, back[i], 0, trip->e4m3);
        if (trip->format == NUM_BF16 && (x[i] & 0x7f80u) == 0x7f80u) { /* the early conversion makes NaN infinity */
          assert_int_equal(back[i], (x[i] & 0x8000u) | 0x7f80u);
        } else if (before != after) {
          fail_msg("%s %x came back as %x", num_format_name(trip->format), x[i], back[i]);
        }
      }
    }
  }
}

/* Block formats: all magnitudes and signs under every shared exponent. Left out: zero with a sign, which is minus
 * infinity, and exponents so small that a magnitude's own exponent would fall below 1. */
static void test_block_formats(void **state) {
  static const struct trip trips[] = {{NUM_BFP8, NUM_BF16, 0},  {NUM_BFP4, NUM_BF16, 0},  {NUM_BFP2, NUM_BF16, 0},
                                      {NUM_BFP8, NUM_BFP8, 0},  {NUM_BFP8A, NUM_FP16, 0}, {NUM_BFP4A, NUM_FP16, 0},
                                      {NUM_BFP2A, NUM_FP16, 0}, {NUM_BFP8A, NUM_BFP8A, 0}};
  unsigned rows = 0;
  (void)state;
  for (unsigned k = 0; k < 8; k++) {
    unsigned format = trips[k].format, bits = num_format_bits(format), top = num_format_infos[format].exponent5 ? 31 : 254;
    uint32_t sign = 1u << (bits - 1);
    assert_true(num_unpack_legal(format, format, false));
    for (unsigned shared = bits; shared <= top; shared++) {
      for (uint32_t n = 0; n < (bits == 8 ? 256u : 16u); n += 16, rows++) {
        uint32_t x[16], back[16];
        for (unsigned i = 0; i < 16; i++) {
          x[i] = (n + i) & (2 * sign - 1);
          if (x[i] == sign) x[i] = 0;
        }
        unsigned exponent = there_and_back(&trips[k], x, (uint8_t)shared, back);
        for (unsigned i = 0; i < 16; i++)
          if (number(format, x[i], shared, false) != number(format, back[i], exponent, false))
            fail_msg("%s %x under %u came back as %x under %u", num_format_name(format), x[i], shared, back[i], exponent);
      }
    }
  }
  assert_true(rows > 4000);
}

/* Directly into Dst: 32-bit formats and opaque 16 bits return bit for bit. */
static void test_dst_formats(void **state) {
  static const uint8_t formats[] = {NUM_FP32, NUM_INT32};
  uint64_t seed = 7;
  (void)state;
  for (unsigned k = 0; k < 2; k++) {
    struct num_unpack in = {.in = formats[k], .out = formats[k], .to_dst = 1};
    struct num_pack how;
    assert_true(num_unpack_legal(formats[k], formats[k], true));
    assert_true(num_pack_make(
        &(struct num_pack_request){.wide = 1, .intermediate = formats[k], .from = formats[k], .to = formats[k]}, &how));
    for (uint64_t n = 0; n < test_scaled(100000); n++) {
      uint16_t high[16], low[16];
      uint32_t x[16];
      uint8_t bytes[NUM_PACK_ROW_BYTES];
      union num_pack_row row;
      for (unsigned i = 0; i < 16; i++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        x[i] = (uint32_t)(seed >> 20);
        uint32_t d = num_unpack_datum(&in, x[i], 0);
        high[i] = (uint16_t)(d >> 16), low[i] = (uint16_t)d;
      }
      num_pack_early(&how, high, low, &row);
      num_pack_late(&how, &row, bytes);
      for (unsigned i = 0; i < 16; i++) assert_int_equal(take_bits(bytes, i, 32), x[i]);
    }
  }
}

/* INT16 through SrcA: sixteen opaque bits, all patterns. */
static void test_int16(void **state) {
  struct num_unpack in = {.in = NUM_INT16, .out = NUM_INT16};
  struct num_pack how;
  (void)state;
  assert_true(
      num_pack_make(&(struct num_pack_request){.intermediate = NUM_INT16, .from = NUM_INT16, .to = NUM_INT16}, &how));
  for (uint32_t base = 0; base < 0x10000; base += 16) {
    uint16_t high[16], low[16] = {0};
    uint8_t bytes[NUM_PACK_ROW_BYTES];
    union num_pack_row row;
    for (unsigned i = 0; i < 16; i++) { /* MOVA2D of a BF16-style datum: sign and mantissa 7 high, exponent low */
      uint32_t d = num_unpack_datum(&in, base + i, 0);
      high[i] = (uint16_t)(d >> 3 & 0xff00u) | (uint16_t)(d & 0xffu);
    }
    num_pack_early(&how, high, low, &row);
    num_pack_late(&how, &row, bytes);
    for (unsigned i = 0; i < 16; i++) assert_int_equal(take_bits(bytes, i, 16), base + i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain_formats), cmocka_unit_test(test_block_formats),
                                     cmocka_unit_test(test_dst_formats), cmocka_unit_test(test_int16)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
