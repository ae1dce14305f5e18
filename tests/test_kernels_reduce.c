/* Reduction in the kernel library: every format, rows, columns and one number; sum, average, maximum; both widths of Dst.
 * The tiles hold small integers, so that every result is known exactly by integer arithmetic done here. */
#include "kernels/numbers.h"
#include "kernels/op_case.h"

/* Integers up to `limit`: the input format holds them, and the result format holds their sums. */
struct kind {
  unsigned format, limit16, limit32;
};
static const struct kind kinds[] = {
    {NUM_BF16, 7, 127}, {NUM_TF32, 7, 127}, {NUM_FP32, 7, 127},  {NUM_FP16, 60, 127}, {NUM_FP8, 7, 7},   {NUM_BFP8, 7, 127},
    {NUM_BFP4, 7, 7},   {NUM_BFP2, 1, 1},   {NUM_BFP8A, 60, 60}, {NUM_BFP4A, 7, 7},   {NUM_BFP2A, 1, 1}, {NUM_INT8, 0, 127},
};

static bool has_short_exponent(unsigned format) {
  return format == NUM_FP16 || format == NUM_FP8 || format == NUM_BFP8A || format == NUM_BFP4A || format == NUM_BFP2A;
}

/* The integer at a position of input tile `tile`: over the whole range, with a sign that varies by tile. */
static int value_at(unsigned limit, unsigned tile, unsigned row, unsigned column) {
  uint64_t seed = ((uint64_t)tile << 20) + 64 * row + column;
  int value = (int)(rig_random(&seed) % (2 * limit + 1)) - (int)limit;
  return tile == 1 && value > 0 ? -value - (value == (int)limit ? 0 : 1) : value; /* tile 1: no positive number */
}

/* 64 numbers of each column are summed in a 16-bit Dst: a sum up to 2^8 (BF16) or 2^11 (FP16) is exact. */
static unsigned limit_of(const struct op_case *c) {
  unsigned limit = 0, sum_limit = has_short_exponent(c->in0) ? 32 : 4;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].format == c->in0) limit = c->wide ? kinds[i].limit32 : kinds[i].limit16;
  return !c->wide && c->q == DIM_SCALAR && limit > sum_limit ? sum_limit : limit;
}

static unsigned scale_of(const struct op_case *c) { return c->p != AVERAGE ? 0 : c->q == DIM_SCALAR ? 10 : 5; }

static void fill_integers(struct rig *r, const struct op_case *c) {
  unsigned bytes0 = golden_tile_bytes(c->in0), bytes1 = golden_tile_bytes(c->in1);
  memset(r->t->l1 + IN1, 0, (size_t)c->tiles * bytes1);
  for (unsigned tile = 0; tile < c->tiles * c->depth; tile++) {
    for (unsigned n = 0; n < 1024; n++)
      number_put(c->in0, r->t->l1 + IN0 + tile * bytes0, 16 * face_row(n / 32, n % 32) + n % 16,
                 value_at(limit_of(c), tile, n / 32, n % 32), 0);
    for (unsigned i = 0; i < 16 && tile < c->tiles; i++)
      number_put(c->in1, r->t->l1 + IN1 + tile * bytes1, i, 1, scale_of(c));
  }
}

/* Rounds to this many significant bits, halves away from zero. */
static double rounded(double x, int bits) {
  int exponent;
  double m = frexp(x, &exponent);
  return ldexp(round(ldexp(m, bits)), exponent - bits);
}

/* The expected value of the result at (row, column). */
static double expected(const struct op_case *c, unsigned tile, unsigned row, unsigned column) {
  if ((c->q != DIM_COL && column) || (c->q != DIM_ROW && row)) return 0;
  long sum = 0, most = -100000;
  for (unsigned n = 0; n < 1024 * c->depth; n++) {
    if ((c->q == DIM_ROW && n / 32 % 32 != row) || (c->q == DIM_COL && n % 32 != column)) continue;
    long value = value_at(limit_of(c), tile * c->depth + n / 1024, n / 32 % 32, n % 32);
    sum += value;
    most = value > most ? value : most;
  }
  if (c->p == MAXIMUM) return (double)most;
  return rounded(ldexp((double)sum, -(int)scale_of(c)), c->wide ? 24 : has_short_exponent(c->in0) ? 11 : 8);
}

static void check(const struct op_case *c, bool timing) {
  static const char *const pools[] = {"sum", "average", "maximum"}, *const dims[] = {"rows", "columns", "one number"};
  struct rig *r = run_op(c, timing, fill_integers);
  for (unsigned tile = 0; tile < c->tiles; tile++)
    for (unsigned n = 0; n < 1024; n++) {
      unsigned row = n / 32, column = n % 32;
      double want = expected(c, tile, row, column);
      double got =
          number_get(c->out, r->t->l1 + OUT + tile * golden_tile_bytes(c->out), 16 * face_row(row, column) + column % 16);
      if (got != want)
        fail_msg("%s to %s of %s, Dst%s, tile %u (%u, %u): %g, expected %g", pools[c->p], dims[c->q],
                 num_format_name(c->in0), c->wide ? "32" : "16", tile, row, column, got, want);
    }
  rig_free(r);
}

static void test_reduce(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (unsigned i = 0; i < 18; i++) {
      unsigned format = kinds[k].format, pool = i % 3, dim = i / 3 % 3;
      bool wide = i >= 9, short_exponent = has_short_exponent(format);
      if (format == NUM_INT8 && (!wide || pool == AVERAGE)) continue; /* integers have no 16-bit Dst and no 1/n */
      if (short_exponent && wide && pool == MAXIMUM) continue;        /* refused: test_no_short_maximum */
      unsigned scaler = short_exponent ? NUM_FP16 : i % 4 == 1 ? NUM_TF32 : i % 4 == 2 ? NUM_FP32 : NUM_BF16;
      unsigned depth = wide ? 1 + k % 3 : 1;
      struct op_case c = {OP_REDUCE, pool, dim, format, scaler, NUM_FP32, 4, wide, i & 1, 0, 0, 3, depth, 0, false};
      if (format == NUM_INT8) c.in1 = NUM_INT8, c.out = NUM_INT32;
      else if (!wide) c.out = short_exponent ? NUM_FP16 : NUM_BF16;
      check(&c, i % 2 == k % 2);
    }
}

/* GMPOOL.md biases operand and Dst differently there: reported as an error instead of a wrong maximum. */
static void test_no_short_maximum(void **state) {
  (void)state;
  struct launch l;
  struct rig *r = rig_new(true);
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, NUM_FP16, 2);
  buffer(&l, 1, IN1, NUM_FP16, 2);
  buffer(&l, 16, OUT, NUM_FP32, 2);
  uint32_t args[] = {1, 0, 0, 4, 0, 1, 0, OP_REDUCE, 0, 0, 0, MAXIMUM, DIM_COL};
  memcpy(l.args, args, sizeof args);
  record_kernel(r, 1, ops_math, &l);
  assert_non_null(strstr(record_failure(), "has no maximum of numbers with 5 exponent bits"));
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reduce), cmocka_unit_test(test_no_short_maximum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
