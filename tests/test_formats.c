/* Unpack conversions against conversions written here from the formats' definitions: every pattern of formats of up to 16
 * bits, every shared exponent of the block formats, all exponents and many mantissas of FP32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unpack_reference.h"

static uint32_t convert(unsigned in, unsigned out, bool to_dst, unsigned e4m3, unsigned is_unsigned, uint32_t bits,
                        uint8_t exponent) {
  struct num_unpack how = {
      .in = (uint8_t)in, .out = (uint8_t)out, .to_dst = to_dst, .e4m3 = (uint8_t)e4m3, .is_unsigned = (uint8_t)is_unsigned};
  return num_unpack_datum(&how, bits, exponent);
}

/* --- 16 bits and less --- */

static void sixteen_bits(void **state) {
  (void)state;
  for (uint32_t x = 0; x < 0x10000u; x++) {
    for (unsigned to_dst = 0; to_dst < 2; to_dst++) {
      assert_int_equal(convert(NUM_BF16, NUM_BF16, to_dst, 0, 0, x, 0), expect_bf16(x, to_dst));
      assert_int_equal(convert(NUM_FP16, NUM_FP16, to_dst, 0, 0, x, 0), expect_fp16(x, to_dst));
    }
    assert_int_equal(convert(NUM_INT16, NUM_INT16, true, 0, 0, x, 0), x);
    /* opaque: high byte over sign and mantissa, low byte over the exponent */
    struct parts p = {x >> 15, x & 0xffu, (x >> 8 & 0x7fu) * 8};
    assert_int_equal(convert(NUM_INT16, NUM_INT16, false, 0, 0, x, 0), src_layout(p));
  }
}

static void eight_bit_floats(void **state) {
  (void)state;
  for (uint32_t x = 0; x < 0x100u; x++) {
    struct parts e5 = split(x, 5, 2), e4 = split(x, 4, 3);
    e5.mantissa = e5.mantissa * 256 + (e5.exponent == 31 && e5.mantissa == 3 ? 255 : 0);
    e4.mantissa = e4.mantissa * 128 + (e4.exponent == 15 && e4.mantissa == 7 ? 127 : 0);
    if (e4.exponent) e4.exponent += 15 - 7; /* the two biases */
    assert_int_equal(convert(NUM_FP8, NUM_FP8, false, 0, 0, x, 0), src_layout(e5));
    assert_int_equal(convert(NUM_FP8, NUM_FP8, true, 0, 0, x, 0), dst_layout(e5, 5));
    assert_int_equal(convert(NUM_FP8, NUM_FP8, false, 1, 0, x, 0), src_layout(e4));
    assert_int_equal(convert(NUM_FP8, NUM_FP8, true, 1, 0, x, 0), dst_layout(e4, 5));
  }
}

static void eight_bit_integers(void **state) {
  (void)state;
  for (uint32_t x = 0; x < 0x100u; x++) {
    struct parts s = {x >= 128, x % 128 ? 16 : 0, x % 128}, u = {0, x ? 16 : 0, x};
    assert_int_equal(convert(NUM_INT8, NUM_INT8, false, 0, 0, x, 0), src_layout(s));
    assert_int_equal(convert(NUM_INT8, NUM_INT8, true, 0, 0, x, 0), dst_layout(s, 5));
    assert_int_equal(convert(NUM_INT8, NUM_INT8, false, 0, 1, x, 0), src_layout(u));
    assert_int_equal(convert(NUM_INT8, NUM_INT8, true, 0, 1, x, 0), dst_layout(u, 5));
  }
}

/* --- block formats: sign and magnitude with a point after the first magnitude bit, times 2^shared exponent --- */

static void check_block(unsigned code, unsigned bits, bool exponent5) {
  for (unsigned exponent = 0; exponent < 256; exponent++) {
    for (uint32_t x = 0; x < 1u << bits; x++) {
      struct parts p = expect_block(x, bits, exponent, exponent5 ? 5 : 8, exponent5 ? 10 : 7);
      struct parts src = p;
      if (!exponent5) src.mantissa *= 8;
      assert_int_equal(convert(code, code, false, 0, 0, x, (uint8_t)exponent), src_layout(src));
      assert_int_equal(convert(code, code, true, 0, 0, x, (uint8_t)exponent), dst_layout(p, exponent5 ? 5 : 8));
    }
  }
}

static void block_formats(void **state) {
  (void)state;
  check_block(NUM_BFP8, 8, false);
  check_block(NUM_BFP4, 4, false);
  check_block(NUM_BFP2, 2, false);
  check_block(NUM_BFP8A, 8, true);
  check_block(NUM_BFP4A, 4, true);
  check_block(NUM_BFP2A, 2, true);
}

static void five_bit_exponents_that_do_not_fit(void **state) {
  (void)state;
  assert_false(num_unpack_exponent5_bad(NUM_BFP8A, 0x40, 31));
  assert_true(num_unpack_exponent5_bad(NUM_BFP8A, 0x40, 32));
  assert_false(num_unpack_exponent5_bad(NUM_BFP8A, 0x01, 6));
  assert_true(num_unpack_exponent5_bad(NUM_BFP8A, 0x01, 5));    /* six down from five */
  assert_false(num_unpack_exponent5_bad(NUM_BFP8A, 0x80, 255)); /* a zero has no exponent of its own */
  assert_true(num_unpack_exponent5_bad(NUM_BFP4A, 0x1, 1));
  assert_false(num_unpack_exponent5_bad(NUM_BFP2A, 0x1, 0));
}

/* --- FP32 --- */

static void check_fp32(uint32_t x) {
  struct parts p = split(x, 8, 23), tf32 = p, bf16 = p, fp16 = fp16_of(p);
  tf32.mantissa /= 8192;
  bf16.mantissa = p.exponent ? p.mantissa / 65536 : 0;
  struct parts bf16_src = bf16;
  bf16_src.mantissa *= 8;
  assert_int_equal(convert(NUM_FP32, NUM_TF32, false, 0, 0, x, 0), src_layout(tf32));
  assert_int_equal(convert(NUM_FP32, NUM_BF16, false, 0, 0, x, 0), src_layout(bf16_src));
  assert_int_equal(convert(NUM_FP32, NUM_FP16, false, 0, 0, x, 0), src_layout(fp16));
  assert_int_equal(convert(NUM_FP32, NUM_BF16, true, 0, 0, x, 0), dst_layout(bf16, 8));
  assert_int_equal(convert(NUM_FP32, NUM_FP16, true, 0, 0, x, 0), dst_layout(fp16, 5));
  struct parts high = {p.sign, p.exponent, p.mantissa >> 16};
  uint32_t wide = dst_layout(high, 8) << 16 | (x & 0xffffu);
  assert_int_equal(convert(NUM_FP32, NUM_FP32, true, 0, 0, x, 0), wide);
  assert_int_equal(convert(NUM_FP32, NUM_TF32, true, 0, 0, x, 0), wide);
  assert_int_equal(convert(NUM_TF32, NUM_TF32, true, 0, 0, x, 0), wide);
  assert_int_equal(convert(NUM_INT32, NUM_INT32, true, 0, 0, x, 0), wide);
}

static void thirty_two_bits(void **state) {
  (void)state;
  for (uint32_t high = 0; high < 0x10000u; high++) /* every sign, exponent and upper mantissa */
    for (uint32_t low = 0; low < 4; low++) check_fp32(high << 16 | (low * 0x5555u ^ (high * 40503u & 0xffffu)));
}

/* --- legal pairs: the table of Unpackers/FormatConversion.md, and the additions of the kernel library --- */

static const struct {
  uint8_t in, out, src, dst; /* 1: the page lists it; 2: the kernel library does */
} pairs[] = {
    {0, 4, 1, 1},  {0, 5, 1, 1},  {0, 1, 1, 1}, {0, 0, 0, 1},   {4, 4, 2, 1},   {4, 5, 2, 2},   {4, 1, 2, 2},
    {4, 0, 0, 2},  {5, 5, 1, 1},  {5, 4, 2, 0}, {1, 1, 1, 1},   {10, 10, 1, 1}, {10, 1, 2, 2},  {2, 2, 1, 1},
    {2, 1, 2, 2},  {3, 3, 1, 1},  {3, 1, 2, 2}, {11, 11, 1, 1}, {11, 1, 2, 2},  {6, 6, 1, 1},   {6, 5, 2, 2},
    {6, 4, 2, 0},  {7, 7, 1, 1},  {7, 6, 2, 2}, {7, 5, 2, 2},   {7, 4, 2, 0},   {15, 15, 1, 1}, {15, 6, 2, 2},
    {15, 5, 2, 2}, {15, 4, 2, 0}, {8, 8, 0, 1}, {9, 9, 1, 1},   {14, 14, 1, 1},
};

static void legal_pairs(void **state) {
  (void)state;
  for (unsigned in = 0; in < 16; in++) {
    for (unsigned out = 0; out < 16; out++) {
      bool src = false, dst = false;
      for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].in == in && pairs[i].out == out) src = pairs[i].src, dst = pairs[i].dst;
      assert_int_equal(num_unpack_legal(in, out, false), src);
      assert_int_equal(num_unpack_legal(in, out, true), dst);
    }
  }
}

/* A pair that the library adds converts like the page's pair of the same input; only the name of the result differs. */
static void library_pairs_convert_alike(void **state) {
  (void)state;
  for (uint32_t x = 0; x < 0x100u; x++) {
    assert_int_equal(convert(NUM_BFP4, NUM_BFP8, false, 0, 0, x & 15u, 130),
                     convert(NUM_BFP4, NUM_BFP4, false, 0, 0, x & 15u, 130));
    assert_int_equal(convert(NUM_BF16, NUM_TF32, false, 0, 0, x * 257, 0),
                     convert(NUM_BF16, NUM_BF16, false, 0, 0, x * 257, 0));
    assert_int_equal(convert(NUM_FP8, NUM_FP16, true, 0, 0, x, 0), convert(NUM_FP8, NUM_FP8, true, 0, 0, x, 0));
    assert_int_equal(convert(NUM_TF32, NUM_BF16, false, 0, 0, x << 24, 0),
                     convert(NUM_FP32, NUM_BF16, false, 0, 0, x << 24, 0));
  }
}

/* --- rows of sixteen give the same results as sixteen datums --- */

static uint32_t random_word(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 32);
}

static void rows_equal_datums(void **state) {
  (void)state;
  uint64_t seed = 1;
  uint8_t l1[5 * 64], exponents[5];
  uint32_t rows[5][16];
  for (unsigned in = 0; in < 16; in++) {
    for (unsigned rest = 0; rest < 256; rest++) { /* out, destination, e4m3 and unsigned, exponent step */
      struct num_unpack how = {(uint8_t)in, rest & 15u, rest >> 4 & 1u, rest >> 5 & 1u, rest >> 6 & 1u};
      unsigned step = rest >> 7, bits = num_format_bits(in);
      if (!num_unpack_legal(in, how.out, how.to_dst)) continue;
      for (unsigned i = 0; i < sizeof l1; i++) l1[i] = (uint8_t)random_word(&seed);
      for (unsigned i = 0; i < sizeof exponents; i++) exponents[i] = (uint8_t)random_word(&seed);
      num_unpack_rows(&how, l1, exponents, step, 5, rows);
      for (unsigned i = 0; i < 5 * 16; i++) {
        uint32_t datum = 0;
        for (unsigned b = 0; b < bits; b++) datum |= (uint32_t)(l1[(i * bits + b) / 8] >> ((i * bits + b) % 8) & 1) << b;
        assert_int_equal(rows[i / 16][i % 16], num_unpack_datum(&how, datum, exponents[i / 16 * step]));
      }
    }
  }
}

/* --- register layouts: there and back --- */

static void layouts_invert(void **state) {
  (void)state;
  for (uint32_t x = 0; x < 0x80000u; x++) {
    assert_int_equal(num_tf32_from_src(num_src_from_tf32(x)), x);
    assert_int_equal(num_src_from_tf32(num_tf32_from_src(x)), x);
  }
  for (uint32_t x = 0; x < 0x10000u; x++) {
    assert_int_equal(num_bf16_from_dst(num_dst_from_bf16(x)), x);
    assert_int_equal(num_fp16_from_dst(num_dst_from_fp16(x)), x);
    assert_int_equal(num_fp16_from_src(num_src_from_fp16(x)), x);
    assert_int_equal(num_bf16_from_src(num_src_from_bf16(x)), x);
    assert_int_equal(num_fp32_from_src(num_src_from_bf16(x)), x << 16);
    assert_int_equal(num_fp32_from_dst(num_dst_from_fp32(x << 16 | (x ^ 0xa5a5u))), x << 16 | (x ^ 0xa5a5u));
  }
}

static void table(void **state) {
  (void)state;
  static const uint8_t bits[16] = {32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2};
  for (unsigned i = 0; i < 16; i++) assert_int_equal(num_format_bits(i), bits[i]);
  assert_string_equal(num_format_name(NUM_BFP2A), "BFP2a");
  assert_string_equal(num_format_name(12), "none");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table),
      cmocka_unit_test(layouts_invert),
      cmocka_unit_test(sixteen_bits),
      cmocka_unit_test(eight_bit_floats),
      cmocka_unit_test(eight_bit_integers),
      cmocka_unit_test(block_formats),
      cmocka_unit_test(five_bit_exponents_that_do_not_fit),
      cmocka_unit_test(thirty_two_bits),
      cmocka_unit_test(legal_pairs),
      cmocka_unit_test(library_pairs_convert_alike),
      cmocka_unit_test(rows_equal_datums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
