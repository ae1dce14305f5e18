/* kernels/include/sfpu_pool.h against plain C: moving averages, rows added to the places that a list names, running products, maxima with
 * indices, reductions of row-major blocks; in FP32, BFLOAT16 and FLOAT16. */
#include <math.h>

#include "kernels/numbers.h"
#include "kernels/op_case.h"
#include "scale.h"

KERNEL(pool_ops)

#define OUT_INDICES 0xb0000u

enum { POOL_AVERAGES, POOL_SCATTER, POOL_PRODUCT, POOL_MAXIMUM, POOL_REDUCE };

struct pool {
  unsigned operation, format;
  uint32_t argument[4];
  double value[2][1024], out[2][1024]; /* by the place in the tile */
  int index[2][1024], out_index[2][1024];
  uint8_t list[32];
};

/* Quarters, which every format holds exactly; products stay small. */
static void fill(struct pool *x) {
  for (unsigned i = 0; i < 2048; i++) {
    int quarters = (int)(i * 37 % 61) - 30;
    x->value[i / 1024][i % 1024] = x->operation == POOL_PRODUCT ? (i % 3 ? 1 : i % 2 ? -2 : 0.5) : quarters / 4.0;
    x->index[i / 1024][i % 1024] = (int)(i * 8 + i / 1024);
  }
  for (unsigned i = 0; i < 32; i++) x->list[i] = i % 7 == 3 ? 255 : (uint8_t)(i * 11 % 29);
}

static void run_pool(struct pool *x) {
  struct launch l;
  struct rig *r = rig_new(true);
  bool wide = x->format == NUM_FP32;
  unsigned index = x->operation == POOL_REDUCE ? x->format
                   : wide                      ? NUM_INT32
                                               : NUM_INT16,
           bytes = golden_tile_bytes(x->format), index_bytes = golden_tile_bytes(index);
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, x->format, 2);
  buffer(&l, 1, IN1, index, 2);
  buffer(&l, 16, OUT, x->format, 2);
  buffer(&l, 17, OUT_INDICES, index, 2);
  l.args[5] = l.args[18] = wide;
  l.args[7] = x->operation;
  memcpy(&l.args[11], x->argument, sizeof x->argument);
  memcpy(&l.args[20], x->list, sizeof x->list);
  for (unsigned i = 0; i < 2048; i++) {
    number_put(x->format, r->t->l1 + IN0 + i / 1024 * bytes, i % 1024, (int)(4 * x->value[i / 1024][i % 1024]), 2);
    number_put(index, r->t->l1 + IN1 + i / 1024 * index_bytes, i % 1024, x->index[i / 1024][i % 1024], 0);
  }
  record_kernel(r, 0, pool_ops_unpack, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 1, pool_ops_math, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 2, pool_ops_pack, &l);
  assert_string_equal(record_failure(), "");
  rig_run_well(r);
  for (unsigned i = 0; i < r->t->diag.finding_count && rig_findings(r); i++)
    print_message("operation %u: %s\n", x->operation, r->t->diag.findings[i].why);
  assert_int_equal(rig_findings(r), 0);
  for (unsigned i = 0; i < 2048; i++) {
    x->out[i / 1024][i % 1024] = number_get(x->format, r->t->l1 + OUT + i / 1024 * bytes, i % 1024);
    x->out_index[i / 1024][i % 1024] = (int)number_get(index, r->t->l1 + OUT_INDICES + i / 1024 * index_bytes, i % 1024);
  }
  rig_free(r);
}

static uint32_t bits_of(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}

static double tolerance(unsigned format) { return format == NUM_FP32 ? 1e-6 : format == NUM_FP16 ? 0x1p-10 : 0x1p-7; }

static void expect(const struct pool *x, unsigned tile, unsigned at, double want) {
  double got = x->out[tile][at];
  if (!(fabs(got - want) <= tolerance(x->format) * fmax(1, fabs(want))))
    fail_msg("operation %u in format %u, tile %u place %u: %g, expected %g", x->operation, x->format, tile, at, got, want);
}

static const unsigned formats[] = {NUM_FP32, NUM_BF16, NUM_FP16};

static void test_averages(void **state) {
  (void)state;
  static struct pool x;
  for (unsigned f = 0; f < 3; f++) {
    x = (struct pool){.operation = POOL_AVERAGES, .format = formats[f], .argument = {bits_of(0.75), bits_of(0.25)}};
    fill(&x);
    run_pool(&x);
    for (unsigned c = 0; c < 32; c++) {
      double y = 1;
      for (unsigned r = 0; r < 32; r++) {
        y = 0.75 * y + 0.25 * x.value[0][tile_place(r, c)];
        expect(&x, 1, tile_place(r, c), y);
        expect(&x, 0, tile_place(r, c), x.value[0][tile_place(r, c)]);
      }
    }
  }
}

static void test_scattered_rows(void **state) {
  (void)state;
  static struct pool x;
  for (unsigned f = 0; f < 3; f++) {
    x = (struct pool){.operation = POOL_SCATTER, .format = formats[f]};
    fill(&x);
    run_pool(&x);
    for (unsigned c = 0; c < 32; c++)
      for (unsigned r = 0; r < 32; r++) {
        double sum = x.value[1][tile_place(r, c)];
        for (unsigned from = 0; from < 32; from++)
          if (x.list[from] == r) sum += x.value[0][tile_place(from, c)];
        expect(&x, 1, tile_place(r, c), sum);
      }
  }
}

/* Register i has four rows of a face, their even or their odd columns; the order of Dst is face, four rows, odd. */
static void test_running_product(void **state) {
  (void)state;
  static struct pool x;
  for (unsigned f = 0; f < 3; f++) {
    x = (struct pool){.operation = POOL_PRODUCT, .format = formats[f]};
    fill(&x);
    run_pool(&x);
    for (unsigned lane = 0; lane < 32; lane++) {
      double product = 1;
      for (unsigned i = 0; i < 32; i++) {
        unsigned at = 256 * (i / 8) + 64 * (i % 8 / 2) + 16 * (lane / 8) + 2 * (lane % 8) + i % 2;
        product *= x.value[0][at];
        expect(&x, 0, at, product);
      }
    }
  }
}

/* Row r of column c: in a tile, or in 32 rows of 32 numbers one after the other. */
static unsigned at_row(bool row_major, unsigned r, unsigned c) { return row_major ? 32 * r + c : tile_place(r, c); }

static void check_maximum(unsigned format, unsigned rows, bool row_major, bool accumulate, unsigned chunk) {
  static struct pool x;
  x = (struct pool){.operation = POOL_MAXIMUM, .format = format, .argument = {rows, row_major, accumulate, chunk}};
  fill(&x);
  run_pool(&x);
  for (unsigned c = 0; c < 32; c++) {
    double best = -INFINITY;
    bool there = false;
    for (unsigned r = 0; r < rows; r++) best = fmax(best, x.value[0][at_row(row_major, r, c)]);
    if (accumulate && chunk) best = fmax(best, x.value[1][c]);
    expect(&x, 0, c % 16 + (row_major || c < 16 ? 0 : 256) + (row_major && c >= 16 ? 16 : 0), best);
    unsigned at = at_row(row_major, 0, c);
    for (unsigned r = 0; r < rows; r++) /* the index of one that has this value */
      there |= x.value[0][at_row(row_major, r, c)] == best && x.index[0][at_row(row_major, r, c)] == x.out_index[0][at];
    there |= accumulate && chunk && x.value[1][c] == best && x.index[1][c] == x.out_index[0][at];
    if (!there) fail_msg("the maximum of column %u of %u rows has no index %d", c, rows, x.out_index[0][at]);
    if (accumulate) expect(&x, 1, c, best);
    if (accumulate) assert_int_equal(x.out_index[1][c], x.out_index[0][at]);
  }
}

static void test_maxima_with_indices(void **state) {
  (void)state;
  for (unsigned f = 0; f < 3; f++) {
    check_maximum(formats[f], 9, false, false, 0);
    check_maximum(formats[f], 32, false, false, 0);
    check_maximum(formats[f], 9, true, false, 0);
    check_maximum(formats[f], 32, true, false, 0);
    check_maximum(formats[f], 32, true, true, 0);
    check_maximum(formats[f], 32, true, true, 1);
  }
}

/* 32 rows of 64 numbers; a column of the block to row 0 of its tile, or a tile to its first number. The scaler has 1 in its first row. */
static void check_reduction(unsigned format, unsigned kind, unsigned dim) {
  static struct pool x;
  x = (struct pool){.operation = POOL_REDUCE, .format = format, .argument = {kind, dim}};
  fill(&x);
  for (unsigned i = 0; i < 2048; i++) {
    x.value[i / 1024][i % 1024] = (double)(i * 37 % 9) - 4; /* sums are exact */
    x.index[i / 1024][i % 1024] = i < 16;
  }
  run_pool(&x);
  for (unsigned tile = 0; tile < 2; tile++) {
    double whole = kind == MAXIMUM ? -INFINITY : 0;
    for (unsigned c = 0; c < 32; c++) {
      double column = kind == MAXIMUM ? -INFINITY : 0;
      for (unsigned r = 0; r < 32; r++) {
        unsigned at = 64 * r + 32 * tile + c;
        double v = x.value[at / 1024][at % 1024];
        column = kind == MAXIMUM ? fmax(column, v) : column + v;
      }
      whole = kind == MAXIMUM ? fmax(whole, column) : whole + column;
      if (dim == DIM_COL) expect(&x, tile, tile_place(0, c), column);
    }
    if (dim == DIM_SCALAR) expect(&x, tile, 0, whole);
  }
}

static void test_row_major_reductions(void **state) {
  (void)state;
  for (unsigned f = 0; f < 3; f++)
    for (unsigned dim = DIM_COL; dim <= DIM_SCALAR; dim++) {
      check_reduction(formats[f], SUM, dim);
      check_reduction(formats[f], MAXIMUM, dim);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_averages),
      cmocka_unit_test(test_scattered_rows),
      cmocka_unit_test(test_running_product),
      cmocka_unit_test(test_maxima_with_indices),
      cmocka_unit_test(test_row_major_reductions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
