/* Arithmetic of the kernel library in every format: element by element with and without broadcast, the packer's ReLU, its
 * accumulation in L1, blocks of a matrix product. The tiles hold small integers; results are calculated here in integers. */
#include "kernels/numbers.h"
#include "kernels/op_case.h"

enum { ADD, SUBTRACT, MULTIPLY };

static const unsigned formats[] = {NUM_BF16, NUM_TF32, NUM_FP32,  NUM_FP16,  NUM_FP8,   NUM_BFP8,
                                   NUM_BFP4, NUM_BFP2, NUM_BFP8A, NUM_BFP4A, NUM_BFP2A, NUM_INT8};
#define FORMATS (sizeof formats / sizeof *formats)

static bool is_integer(unsigned format) { return format == NUM_INT8; }

/* The range that keeps an integer exact in the format: products of two stay below 2^8. */
static int limit_of(unsigned format) {
  if (format == NUM_BFP2 || format == NUM_BFP2A) return 1;
  return format == NUM_FP8 || format == NUM_BFP4 || format == NUM_BFP4A ? 7 : 11;
}

static int value_at(unsigned format, unsigned input, unsigned tile, unsigned row, unsigned column) {
  uint64_t seed = ((uint64_t)input << 32) + 1024 * tile + 32 * row + column;
  return (int)(rig_random(&seed) % (unsigned)(2 * limit_of(format) + 1)) - limit_of(format);
}

static int before_at(unsigned n) { return (int)(n * 7 % 41) - 20; } /* the content of L1 before the addition */

static void fill_integers(struct rig *r, const struct op_case *c) {
  for (unsigned n = 0; n < 16 * 1024; n++) {
    unsigned tile = n / 1024, row = n / 32 % 32, column = n % 32, place = tile_place(row, column);
    number_put(c->in0, r->t->l1 + IN0 + tile * golden_tile_bytes(c->in0), place, value_at(c->in0, 0, tile, row, column), 0);
    number_put(c->in1, r->t->l1 + IN1 + tile * golden_tile_bytes(c->in1), place, value_at(c->in1, 1, tile, row, column), 0);
    if (c->accumulate) number_put(c->out, r->t->l1 + OUT + tile * golden_tile_bytes(c->out), place, before_at(n), 0);
  }
}

static int eltwise_at(const struct op_case *c, unsigned tile, unsigned row, unsigned column) {
  int a = value_at(c->in0, 0, tile, row, column);
  int b = value_at(c->in1, 1, tile, c->q == BCAST_ROW || c->q == BCAST_SCALAR ? 0 : row,
                   c->q == BCAST_COL || c->q == BCAST_SCALAR ? 0 : column);
  return c->p == ADD ? a + b : c->p == SUBTRACT ? a - b : a * b;
}

static int relu(const struct op_case *c, int x, int threshold) {
  if (c->relu == 1) return x > 0 ? x : 0;
  if (c->relu == 2) return x > threshold ? x : 0;
  if (c->relu == 3) return x <= 0 ? 0 : x > threshold ? threshold : x;
  return x;
}

static void check_eltwise(const struct op_case *c, bool timing, int threshold) {
  struct rig *r = run_op(c, timing, fill_integers);
  for (unsigned n = 0; n < c->tiles * 1024; n++) {
    unsigned tile = n / 1024, row = n / 32 % 32, column = n % 32;
    int want =
        relu(c, c->op == OP_COPY ? value_at(c->in0, 0, tile, row, column) : eltwise_at(c, tile, row, column), threshold);
    if (c->accumulate) want += before_at(n);
    double got = number_get(c->out, r->t->l1 + OUT + tile * golden_tile_bytes(c->out), tile_place(row, column));
    if (got != want)
      fail_msg("operation %u, %s, broadcast %u, Dst%s, ReLU %u, accumulate %u, tile %u (%u, %u): %g, expected %d", c->p,
               num_format_name(c->in0), c->q, c->wide ? "32" : "16", c->relu, c->accumulate, tile, row, column, got, want);
  }
  rig_free(r);
}

static unsigned out_format(unsigned in, bool wide) {
  return is_integer(in) ? NUM_INT32 : wide ? NUM_FP32 : golden_is_fp16(in) ? NUM_FP16 : NUM_BF16;
}

static void test_eltwise(void **state) {
  (void)state;
  for (unsigned f = 0; f < FORMATS; f++)
    for (unsigned i = 0; i < 24; i++) {
      bool wide = i >= 12;
      if (is_integer(formats[f]) && !wide) continue;
      struct op_case c = {OP_ELTWISE, i % 3, i / 3 % 4, formats[f], formats[f], out_format(formats[f], wide),
                          4,          wide,  i & 1,     0,          0,          3,
                          0,          0,     false};
      check_eltwise(&c, i % 5 != 0, 0);
    }
}

/* Sums, differences and products of INT8 packed to INT8: within its range. */
static void test_pack_int8(void **state) {
  (void)state;
  for (unsigned i = 0; i < 12; i++) {
    struct op_case c = {OP_ELTWISE, i % 3, i / 3, NUM_INT8, NUM_INT8, NUM_INT8, 4, true, i & 1, 0, 0, 3, 0, 0, false};
    check_eltwise(&c, i % 5 != 0, 0);
  }
}

static void test_relu(void **state) {
  (void)state;
  for (unsigned f = 0; f < FORMATS; f++)
    for (unsigned i = 0; i < 6; i++) {
      unsigned relu_type = 1 + i % 3, threshold = 5;
      bool wide = i >= 3, short_exponent = golden_is_fp16(formats[f]);
      if (is_integer(formats[f]) && (!wide || relu_type > 1)) continue; /* no thresholds for integers */
      struct op_case c = {OP_COPY, 0, 0, formats[f], formats[f], out_format(formats[f], wide), 0, wide, false, relu_type,
                          0,       2, 0, 0,          false};
      c.threshold = short_exponent && !wide ? number_fp16_bits(threshold) : number_float_bits(threshold) >> 16;
      check_eltwise(&c, true, (int)threshold);
    }
}

static void test_accumulate(void **state) {
  (void)state;
  static const unsigned cases[][3] = {{NUM_BF16, NUM_BF16, 0},
                                      {NUM_BF16, NUM_FP32, 1},
                                      {NUM_FP16, NUM_FP16, 0},
                                      {NUM_FP16, NUM_FP16, 1},
                                      {NUM_BFP8, NUM_BF16, 1}};
  for (unsigned i = 0; i < 5; i++) {
    struct op_case c = {OP_COPY, 0, 0, cases[i][0], cases[i][0], cases[i][1], 0, cases[i][2], false, 0, 1, 2, 0, 0, false};
    check_eltwise(&c, i & 1, 0);
  }
}

/* Column of rt tiles x row of ct tiles, with reuse of either side; a product of two small integers summed over 32. */
static void test_matmul_block(void **state) {
  (void)state;
  static const unsigned shapes[][2] = {{2, 1}, {1, 3}, {2, 2}, {4, 2}, {2, 4}};
  static const unsigned kinds[] = {NUM_BF16, NUM_FP32, NUM_FP16, NUM_BFP4, NUM_INT8};
  for (unsigned i = 0; i < 25; i++) {
    unsigned ct = shapes[i % 5][0], rt = shapes[i % 5][1], format = kinds[i / 5];
    struct op_case c = {OP_BLOCK, ct, rt, format, format, out_format(format, true), 4, true, ct * rt > 4, 0,
                        0,        2,  0,  0,      false};
    struct rig *r = run_op(&c, true, fill_integers);
    for (unsigned n = 0; n < 2 * ct * rt * 1024; n++) {
      unsigned tile = n / 1024, pass = tile / (ct * rt), row = n / 32 % 32, column = n % 32;
      int want = 0;
      for (unsigned k = 0; k < 32; k++)
        want +=
            value_at(format, 0, pass * rt + tile / ct % rt, row, k) * value_at(format, 1, pass * ct + tile % ct, k, column);
      double got = number_get(c.out, r->t->l1 + OUT + tile * golden_tile_bytes(c.out), tile_place(row, column));
      if (got != want)
        fail_msg("%u x %u block of %s, tile %u (%u, %u): %g, expected %d", rt, ct, num_format_name(format), tile, row,
                 column, got, want);
    }
    rig_free(r);
  }
}

/* --- bad use of the packer --- */

static void expect_refusal(unsigned out, unsigned relu_type, unsigned threshold, unsigned accumulate, const char *words) {
  struct launch l;
  struct rig *r = rig_new(true);
  unsigned in = out == NUM_INT32 ? NUM_INT8 : NUM_BF16;
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, in, 2);
  buffer(&l, 1, IN1, in, 2);
  buffer(&l, 16, OUT, out, 2);
  uint32_t args[] = {1, 0, threshold, 4, 0, 1, 0, OP_COPY, 0, 0, 0, 0, 0, relu_type, accumulate};
  memcpy(l.args, args, sizeof args);
  record_kernel(r, 2, ops_pack, &l);
  if (!strstr(record_failure(), words)) fail_msg("said \"%s\", not \"%s\"", record_failure(), words);
  rig_free(r);
}

static void test_refused(void **state) {
  (void)state;
  expect_refusal(NUM_BF16, 4, 0, 0, "no such type of ReLU");
  expect_refusal(NUM_BF16, 2, 0xbf80, 0, "ReLU with a threshold is for floats");
  expect_refusal(NUM_INT32, 3, 0x3f80, 0, "ReLU with a threshold is for floats");
  expect_refusal(NUM_INT32, 0, 0, 1, "accumulates in L1 in FLOAT32, FLOAT16 and BFLOAT16 only");
  expect_refusal(NUM_BFP8, 0, 0, 1, "accumulates in L1 in FLOAT32, FLOAT16 and BFLOAT16 only");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_eltwise),    cmocka_unit_test(test_pack_int8),    cmocka_unit_test(test_relu),
      cmocka_unit_test(test_accumulate), cmocka_unit_test(test_matmul_block), cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
