/* The packer's conversions (num/format_pack.c) against a second implementation written from Packers/FormatConversion.md: a
 * datum is split into sign, exponent and mantissa with their widths, and every step is done on those, one datum at a
 * time. All patterns of a 16-bit Dst, edge and random patterns of a 32-bit one, every legal triple. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pack_reference.h"
#include "scale.h"

static uint32_t bits_at(const uint8_t *bytes, unsigned i, unsigned bits) {
  uint32_t x = 0;
  for (unsigned b = 0; b < bits; b++) x |= ((uint32_t)bytes[(i * bits + b) / 8] >> (i * bits + b) % 8 & 1u) << b;
  return x;
}

static void describe(const struct num_pack_request *r, const char *what, uint32_t x, uint32_t got, uint32_t want) {
  fail_msg("%s: %u-bit Dst %08x by %s (from %s) to %s raw %u round10 %u unsigned %u e4m3 %u shift %u: %x, reference %x",
           what, r->wide ? 32u : 16u, x, num_format_name(r->intermediate), num_format_name(r->from), num_format_name(r->to),
           r->raw, r->round10, r->is_unsigned, r->e4m3, r->shift, got, want);
}

/* The versions for several rows compared with the single steps, with every ReLU that is defined. */
static void check_several(const struct num_pack *how, const uint16_t high[16], const uint16_t low[16]) {
  uint16_t highs[3 * 16] = {0}, lows[3 * 16] = {0}; /* the row, zeros, the row */
  for (unsigned i = 0; i < 16; i++) highs[i] = highs[32 + i] = high[i], lows[i] = lows[32 + i] = low[i];
  struct num_pack_rows rows = {.high = highs, .low = lows, .count = 3, .relu_threshold = 0x3f80};
  uint8_t want[3 * NUM_PACK_ROW_BYTES], got[3 * NUM_PACK_ROW_BYTES], exponents[3], shared[3] = {0};
  for (rows.relu_mode = 0; rows.relu_mode < 4; rows.relu_mode++) {
    unsigned largest = 0;
    for (unsigned k = 0; k < 3; k++) {
      union num_pack_row row;
      uint8_t *bytes = want + k * 2 * how->bits;
      num_pack_early(how, highs + 16 * k, lows + 16 * k, &row);
      if (!num_pack_relu(how, rows.relu_mode, rows.relu_threshold, &row)) return;
      unsigned exponent = num_pack_largest_exponent(how, &row);
      if (exponent > largest) largest = exponent;
      if (how->block) shared[k] = num_pack_block(how, &row, 16, bytes);
      else num_pack_late(how, &row, bytes);
    }
    for (unsigned version = 0; version < 2; version++) {
      memset(got, 0xcc, sizeof got);
      assert_int_equal((version ? num_pack_rows : num_pack_rows_baseline)(how, &rows, got, exponents), largest);
      assert_memory_equal(got, want, 6u * how->bits);
      if (how->block) assert_memory_equal(exponents, shared, 3);
    }
    if (rows.relu_mode || !num_pack_is_bf16(how)) continue;
    for (unsigned version = 0; version < 2; version++) { /* an exponent below the largest, that one, one above */
      for (unsigned known = largest ? largest - 1 : 0; known <= largest + 1 && known < 256; known++) {
        uint32_t found = known;
        memset(got, 0xcc, sizeof got);
        (version ? num_pack_bf16 : num_pack_bf16_baseline)(highs, 3, got, &found);
        assert_int_equal(found, known > largest ? known : largest);
        assert_memory_equal(got, want, 6u * how->bits);
      }
    }
  }
}

static void check_row(const struct num_pack_request *r, const struct num_pack *how, const uint32_t x[16]) {
  uint16_t high[16], low[16];
  union num_pack_row row;
  struct intermediate in[16];
  uint8_t bytes[NUM_PACK_ROW_BYTES];
  unsigned want[16];
  for (unsigned i = 0; i < 16; i++) {
    high[i] = (uint16_t)(r->wide ? x[i] >> 16 : x[i]);
    low[i] = (uint16_t)x[i];
    in[i] = ref_early(r, x[i]);
  }
  num_pack_early(how, high, low, &row);
  assert_true(num_pack_relu(how, 0, 0, &row));
  if (how->block) {
    unsigned shared = ref_block(r, in, want), got = num_pack_block(how, &row, 16, bytes);
    if (got != shared) describe(r, "exponent", x[0], got, shared);
  } else {
    for (unsigned i = 0; i < 16; i++) want[i] = ref_late(r, in[i]);
    num_pack_late(how, &row, bytes);
  }
  for (unsigned i = 0; i < 16; i++)
    if (bits_at(bytes, i, how->bits) != want[i]) describe(r, "datum", x[i], bits_at(bytes, i, how->bits), want[i]);
  static unsigned rows;
  if (rows++ % 8 == 0) check_several(how, high, low);
}

/* --- inputs --- */

static uint64_t seed = 88172645463325252u;
static uint32_t next(void) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

static uint32_t fp32_in_dst(uint32_t x) { return (x & 0x8000ffffu) | (x >> 23 & 255u) << 16 | (x >> 16 & 127u) << 24; }

/* Random, but often with an exponent or mantissa at an edge case. */
static uint32_t wide_pattern(unsigned n) {
  static const uint32_t mantissas[] = {0,        1,        0xfff,    0x1000,   0x1001,   0x7fff,   0x8000,   0x8001,
                                       0xffff,   0x10000,  0x1ffff,  0x7fefff, 0x7ff000, 0x7f7fff, 0x7f8000, 0x7effff,
                                       0x7f0000, 0x7fffff, 0x400000, 0x3fffff, 0x600000, 0x7f};
  uint32_t x = next();
  if (n % 4 == 1) x = (x & 0xff800000u) | mantissas[next() % (sizeof mantissas / sizeof *mantissas)];
  if (n % 4 == 2) x = (x & 0x807fffffu) | (105 + next() % 48) << 23;
  if (n % 4 == 3) x = (x & 0x807fffffu) | (next() % 2 ? next() % 3 : 253 + next() % 3) << 23;
  if (n % 16 == 7) x &= 0x800003ffu;
  return fp32_in_dst(x);
}

static void check_16bit(const struct num_pack_request *r, const struct num_pack *how) {
  uint32_t x[16];
  for (uint32_t n = 0; n < 4096 && n < test_scaled(4096); n++) { /* at full scale every pattern once, neighbours far apart */
    for (unsigned i = 0; i < 16; i++) x[i] = (16 * n + i) * 40503u & 0xffffu;
    check_row(r, how, x);
  }
  if (!how->block) return;
  for (unsigned shared = 0; shared < 256; shared++) { /* every shared exponent with every distance */
    for (unsigned i = 0; i < 16; i++) {
      unsigned e = shared >= i ? shared - i : 0, m = next();
      x[i] = num_format_infos[r->intermediate].exponent5 && !r->round10 ? (m & 0xffe0u) | (e & 31u) : (m & 0xff00u) | e;
    }
    check_row(r, how, x);
  }
}

static void check_32bit(const struct num_pack_request *r, const struct num_pack *how) {
  uint32_t x[16];
  for (unsigned n = 0; n < test_scaled(4000); n++) {
    for (unsigned i = 0; i < 16; i++) x[i] = wide_pattern(next());
    check_row(r, how, x);
  }
  if (!how->block) return;
  for (unsigned shared = 0; shared < 256; shared++) {
    for (unsigned i = 0; i < 16; i++) x[i] = fp32_in_dst((next() & 0x807fffffu) | (shared >= i ? shared - i : 0) << 23);
    check_row(r, how, x);
  }
}

/* Every possible request, with from == intermediate and without. */
typedef void each_fn(const struct num_pack_request *r, const struct num_pack *how, bool legal);

static void each_request(each_fn *f) {
  for (unsigned n = 0; n < 1u << 17; n++) {
    struct num_pack_request r = {.wide = n & 1u,
                                 .raw = n >> 1 & 1u,
                                 .is_unsigned = n >> 2 & 1u,
                                 .round10 = n >> 3 & 1u,
                                 .e4m3 = n >> 4 & 1u,
                                 .intermediate = n >> 5 & 15u,
                                 .from = n >> 9 & 15u,
                                 .to = n >> 13 & 15u};
    struct num_pack how;
    bool legal = num_pack_make(&r, &how);
    f(&r, &how, legal);
  }
}

static unsigned triples;

static void convert(const struct num_pack_request *r, const struct num_pack *how, bool legal) {
  if (!legal || (r->e4m3 && r->to != NUM_FP8) || (r->is_unsigned && r->intermediate != NUM_INT8)) return;
  triples++;
  if (r->wide) check_32bit(r, how);
  else check_16bit(r, how);
}

static void test_every_conversion(void **state) {
  (void)state;
  triples = 0;
  each_request(convert);
  assert_in_range(triples, 200, 2000);
}

static void test_int8_shift(void **state) {
  (void)state;
  for (unsigned shift = 0; shift < 32; shift++) {
    for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
      struct num_pack_request r = {.wide = 1,
                                   .intermediate = NUM_INT8,
                                   .from = NUM_INT8,
                                   .to = NUM_INT8,
                                   .is_unsigned = (uint8_t)is_unsigned,
                                   .shift = (uint8_t)shift};
      struct num_pack how;
      uint32_t x[16];
      assert_true(num_pack_make(&r, &how));
      for (unsigned n = 0; n < 200; n++) {
        for (unsigned i = 0; i < 16; i++) x[i] = fp32_in_dst((next() & 0x80000000u) | next() >> (1 + next() % 31));
        check_row(&r, &how, x);
      }
    }
  }
}

/* --- which conversions exist --- */

/* The page's two tables with LateFromFormat equal to IntermediateFormat, read off by hand: intermediate formats by Dst
 * width, then the formats that each can be converted to. */
static bool page_allows(const struct num_pack_request *r) {
  static const uint8_t floats[] = {0, 1, 2, 3, 5, 6, 7, 10, 11, 15}; /* and TF32 where it is not FP32 */
  unsigned i = r->intermediate;
  bool real = memchr(floats, (int)r->to, sizeof floats) != NULL, tf32 = r->to == NUM_TF32;
  if (i != r->from) return false;
  if (r->wide) {
    if (i == NUM_INT32) return r->to == NUM_INT32;
    if (i == NUM_INT8) return r->to == NUM_INT8;
    if (i == NUM_FP32) return real || (tf32 && r->round10 && !r->raw);
    if (i == NUM_TF32 && r->raw) return real; /* that is FP32 */
    if (i == NUM_TF32 || i == NUM_BF16 || i == NUM_BFP8) return real || tf32;
    if (i == NUM_FP16) return r->round10 && (real || tf32); /* Blackhole: golden values */
    return i == NUM_INT16 && r->to == NUM_INT16;            /* Blackhole: golden values */
  }
  if (i == NUM_INT16) return r->to == NUM_INT16;
  if (i == NUM_INT8) return r->to == NUM_INT8 && r->raw && !r->is_unsigned;
  if (i == NUM_FP32) return r->round10 && !r->raw && (real || tf32);
  if (i == NUM_TF32) return !r->raw && (real || tf32);
  if (i == NUM_FP8) return r->raw && (real || tf32);
  if (i == NUM_FP16 && r->round10) return r->to == NUM_FP8 || r->to == NUM_FP16; /* raw or not: golden values */
  return (i == NUM_BF16 || i == NUM_BFP8 || i == NUM_FP16 || i == NUM_BFP8A) && (real || tf32);
}

static unsigned differing;

static void compare_with_page(const struct num_pack_request *r, const struct num_pack *how, bool legal) {
  (void)how;
  if (r->from != r->intermediate) {
    differing += legal;
    return;
  }
  if (legal != page_allows(r)) describe(r, "legal", 0, legal, page_allows(r));
}

static void test_legal_conversions(void **state) {
  /* 16 or 32 bit, intermediate, L1 format, Round_10b_mant: all that the golden model takes (docs/evidence/coverage.md). */
  static const uint8_t golden[][4] = {
      {0, 1, 0, 0}, {0, 1, 1, 0}, {0, 1, 10, 0}, {0, 1, 10, 1}, {0, 1, 5, 0}, {0, 2, 6, 0}, {0, 5, 0, 0},  {0, 5, 15, 0},
      {0, 5, 5, 0}, {0, 5, 6, 0}, {0, 5, 7, 0},  {0, 6, 0, 0},  {0, 6, 5, 0}, {0, 6, 6, 0}, {0, 6, 7, 0},  {0, 9, 9, 0},
      {1, 0, 0, 0}, {1, 0, 1, 0}, {1, 0, 15, 0}, {1, 0, 6, 0},  {1, 0, 7, 0}, {1, 1, 1, 1}, {1, 1, 10, 1}, {1, 14, 14, 0},
      {1, 5, 5, 0}, {1, 6, 6, 0}, {1, 6, 7, 0},  {1, 8, 8, 0},  {1, 9, 9, 0},
  };
  (void)state;
  differing = 0;
  each_request(compare_with_page);
  assert_true(differing > 0); /* documented alternative encodings of one conversion */
  for (unsigned i = 0; i < sizeof golden / sizeof *golden; i++) {
    struct num_pack_request r = {.wide = golden[i][0],
                                 .intermediate = golden[i][1],
                                 .from = golden[i][1],
                                 .to = golden[i][2],
                                 .round10 = golden[i][3]};
    struct num_pack how;
    assert_true(num_pack_make(&r, &how));
  }
}

static void test_documented_equivalents(void **state) {
  /* wide, raw, round10, intermediate, from, to */
  static const uint8_t yes[][6] = {{1, 0, 0, NUM_INT32, NUM_FP32, NUM_FP32}, {1, 1, 0, NUM_TF32, NUM_FP32, NUM_FP32},
                                   {1, 0, 1, NUM_FP32, NUM_TF32, NUM_TF32},  {1, 0, 1, NUM_BF16, NUM_TF32, NUM_FP16},
                                   {0, 0, 1, NUM_BF16, NUM_TF32, NUM_FP16},  {1, 1, 0, NUM_BFP8, NUM_BF16, NUM_BF16},
                                   {0, 1, 0, NUM_BFP8, NUM_BF16, NUM_BF16},  {0, 0, 1, NUM_BF16, NUM_FP16, NUM_FP8}};
  static const uint8_t no[][6] = {{0, 0, 0, NUM_BF16, NUM_FP16, NUM_FP16},
                                  {0, 0, 0, NUM_BF16, NUM_FP16, NUM_FP8},
                                  {1, 0, 0, NUM_FP32, NUM_BF16, NUM_BF16},
                                  {1, 0, 0, NUM_INT32, NUM_INT8, NUM_INT8},
                                  {0, 0, 0, 12, 12, NUM_BF16},
                                  {0, 0, 0, NUM_BF16, NUM_BF16, 13},
                                  {0, 0, 0, NUM_BFP4, NUM_BFP4, NUM_BFP4},
                                  {1, 0, 0, NUM_FP32, NUM_FP32, NUM_TF32}};
  struct num_pack how;
  (void)state;
  for (unsigned i = 0; i < 8; i++) {
    const uint8_t *y = yes[i], *n = no[i];
    assert_true(num_pack_make(
        &(struct num_pack_request){
            .wide = y[0], .raw = y[1], .round10 = y[2], .intermediate = y[3], .from = y[4], .to = y[5]},
        &how));
    assert_false(num_pack_make(
        &(struct num_pack_request){
            .wide = n[0], .raw = n[1], .round10 = n[2], .intermediate = n[3], .from = n[4], .to = n[5]},
        &how));
  }
}

/* --- ReLU: the page's real-number function on decoded values --- */

static double value_of(struct pack_parts p) {
  double v = p.exponent ? 1 + (double)p.mantissa / (double)(1u << p.mbits) : (double)p.mantissa / (double)(1u << p.mbits);
  int e = (p.exponent ? p.exponent : 1) - (p.ebits == 8 ? 127 : 15);
  for (; e > 0; e--) v *= 2;
  for (; e < 0; e++) v /= 2;
  return p.sign ? -v : v;
}

static void check_relu(unsigned intermediate, bool fp16, unsigned mode, uint32_t threshold) {
  struct num_pack_request r = {
      .intermediate = (uint8_t)intermediate, .from = (uint8_t)intermediate, .to = fp16 ? NUM_FP16 : NUM_BF16};
  struct num_pack how;
  int ebits = fp16 ? 5 : 8, mbits = fp16 ? 10 : 7;
  double limit = value_of(take_apart(threshold, ebits, mbits));
  assert_true(num_pack_make(&r, &how));
  for (uint32_t base = 0; base < 0x10000; base += 16) {
    union num_pack_row row, before;
    for (unsigned i = 0; i < 16; i++) row.h[i] = (uint16_t)(base + i);
    before = row;
    assert_true(num_pack_relu(&how, mode, threshold, &row));
    for (unsigned i = 0; i < 16; i++) {
      double x = value_of(take_apart(before.h[i], ebits, mbits));
      uint32_t want = before.h[i];
      if (mode == 1 && x <= 0) want = 0;
      if (mode == 2 && x <= limit) want = 0;
      if (mode == 3) want = x <= 0 ? 0 : x > limit ? threshold : want;
      if (row.h[i] != want)
        fail_msg("relu mode %u threshold %x of %x: %x, reference %x", mode, threshold, before.h[i], row.h[i], want);
    }
  }
}

static void test_relu_16bit(void **state) {
  static const uint16_t thresholds[] = {0, 1, 0x3f80, 0x4000, 0x3c00, 0x7f80, 0x0080, 0x7fff};
  (void)state;
  for (unsigned i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
    for (unsigned mode = 1; mode <= 3; mode++) {
      check_relu(NUM_BF16, false, mode, thresholds[i]);
      check_relu(NUM_FP16, true, mode, thresholds[i]);
    }
}

static void test_relu_32bit(void **state) {
  struct num_pack_request r = {.wide = 1, .intermediate = NUM_FP32, .from = NUM_FP32, .to = NUM_FP32};
  struct num_pack how;
  (void)state;
  assert_true(num_pack_make(&r, &how));
  /* Mode 3 compares only the top 19 bits: 1.0 plus a little stays, plus 2^-10 is cut. */
  union num_pack_row row = {.w = {0x3f800000, 0x3f801fff, 0x3f802000, 0xbf800000, 0x80000000, 0x7f800000, 1, 0x3f7fffff}};
  assert_true(num_pack_relu(&how, 3, 0x3f80, &row));
  const uint32_t want3[8] = {0x3f800000, 0x3f801fff, 0x3f800000, 0, 0, 0x3f800000, 1, 0x3f7fffff};
  assert_memory_equal(row.w, want3, sizeof want3);
  row = (union num_pack_row){.w = {0x3f800000, 0x3f800001, 0x3f7fffff, 0xff800000, 0x7fffffff, 0, 0x40000000, 2}};
  assert_true(num_pack_relu(&how, 2, 0x3f80, &row));
  const uint32_t want2[8] = {0, 0x3f800001, 0, 0, 0x7fffffff, 0, 0x40000000, 0};
  assert_memory_equal(row.w, want2, sizeof want2);
}

static void test_relu_integers(void **state) {
  struct num_pack how;
  union num_pack_row row = {.w = {0x80000001, 5, 0x80000000, 0x7fffffff}};
  (void)state;
  assert_true(num_pack_make(
      &(struct num_pack_request){.wide = 1, .intermediate = NUM_INT32, .from = NUM_INT32, .to = NUM_INT32}, &how));
  assert_true(num_pack_relu(&how, 1, 0, &row));
  assert_int_equal(row.w[0], 0);
  assert_int_equal(row.w[1], 5);
  assert_int_equal(row.w[3], 0x7fffffff);
  assert_false(num_pack_relu(&how, 2, 0, &row));
  assert_true(
      num_pack_make(&(struct num_pack_request){.intermediate = NUM_INT16, .from = NUM_INT16, .to = NUM_INT16}, &how));
  row = (union num_pack_row){.h = {0x8001, 0x7fff}};
  assert_true(num_pack_relu(&how, 1, 0, &row));
  assert_int_equal(row.h[0], 0);
  assert_int_equal(row.h[1], 0x7fff);
}

/* 32-bit Dst by FP16: ReLU compares TF32 with a BF16 threshold, then the exponent is narrowed (golden). */
static void test_relu_before_narrowing(void **state) {
  struct num_pack how;
  uint16_t high[16] = {0}, low[16] = {0};
  union num_pack_row row;
  (void)state;
  assert_true(num_pack_make(
      &(struct num_pack_request){.wide = 1, .round10 = 1, .intermediate = NUM_FP16, .from = NUM_FP16, .to = NUM_FP16},
      &how));
  uint32_t x[4] = {0x40400000 /* 3.0 */, 0xc0400000, 0x3f000000 /* 0.5 */, 0x47ffffff /* 131071.99 */};
  for (unsigned i = 0; i < 4; i++) high[i] = (uint16_t)(fp32_in_dst(x[i]) >> 16), low[i] = (uint16_t)fp32_in_dst(x[i]);
  num_pack_early(&how, high, low, &row);
  assert_true(num_pack_relu(&how, 3, 0x4000 /* 2.0 */, &row));
  assert_int_equal(row.h[0], 0x4000);
  assert_int_equal(row.h[1], 0);
  assert_int_equal(row.h[2], 0x3800);
  assert_int_equal(row.h[3], 0x4000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_conversion),  cmocka_unit_test(test_int8_shift),
      cmocka_unit_test(test_legal_conversions), cmocka_unit_test(test_documented_equivalents),
      cmocka_unit_test(test_relu_16bit),        cmocka_unit_test(test_relu_32bit),
      cmocka_unit_test(test_relu_integers),     cmocka_unit_test(test_relu_before_narrowing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
