/* Classic functions as kernels in assembler text (tests/vector/NAME.tta), run through the whole front end on a tile of
 * data in Dst, compared with libm. Each must stay within the error stated here, give the same bits with timing on and
 * off and with vector and scalar arithmetic, and raise no finding. */
#include <math.h>

#include "float_bits.h"
#include "rig.h"
#include "tensix/isa/asm.h"

#define TILE_ROWS 64u

static void dst_put(struct tx_tile *t, unsigned row, unsigned column, uint32_t x) {
  unsigned high = tx_dst_adj32(t, row);
  uint32_t stored = (x & 0x8000ffffu) | (x >> 23 & 0xffu) << 16 | (x >> 16 & 0x7fu) << 24;
  t->dst.bits[high][column] = (uint16_t)(stored >> 16);
  t->dst.bits[high + 8][column] = (uint16_t)stored;
}

static uint32_t dst_get(const struct tx_tile *t, unsigned row, unsigned column) {
  unsigned high = tx_dst_adj32(t, row);
  uint32_t x = (uint32_t)t->dst.bits[high][column] << 16 | t->dst.bits[high + 8][column];
  return (x & 0x8000ffffu) | (x >> 16 & 0xffu) << 23 | (x >> 24 & 0x7fu) << 16;
}

/* --- running a text --- */

static void push_text(struct rig *r, const char *name) {
  char path[128], text[16384], message[512];
  snprintf(path, sizeof path, "tests/vector/%s.tta", name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s: cannot be opened; run from the top of the repository", path);
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  struct tx_asm program;
  if (!tx_asm(&program, path, text, length)) {
    tx_asm_explain(&program.errors[0], text, length, message, sizeof message);
    fail_msg("%s", message);
  }
  const struct tx_asm_words *words = &program.threads[0];
  size_t core = 0;
  for (size_t i = 0; i <= words->count; i++) {
    for (; core < words->core_count && words->core[core].before == i; core++)
      rig_store(r, 0, words->core[core].v[0], words->core[core].v[1]);
    if (i < words->count) rig_push(r, 0, words->words[i]);
  }
  tx_asm_free(&program);
}

struct tile {
  uint32_t datum[2 * TILE_ROWS][16]; /* two tiles */
};

static const struct { bool timing, scalar; } ways[4] = {{true, false}, {false, false}, {true, true}, {false, true}};

/* Runs the kernel in all four configurations; `out` is their common result. Returns the cycles with timing. */
static uint64_t run_kernel(const char *name, const struct tile *in, struct tile *out) {
  uint64_t cycles = 0;
  for (unsigned way = 0; way < 4; way++) {
    struct rig *r = rig_new(ways[way].timing);
    if (ways[way].scalar) tx_tile_use_scalar(r->t);
    for (unsigned row = 0; row < 2 * TILE_ROWS; row++)
      for (unsigned c = 0; c < 16; c++) dst_put(r->t, row, c, in->datum[row][c]);
    push_text(r, name);
    rig_run_well(r);
    for (unsigned id = 0; id < TX_DIAG_COUNT; id++)
      if (r->t->diag.counts[id]) fail_msg("%s: finding %s: %s", name, tx_diag_infos[id].name, r->t->diag.findings[0].why);
    for (unsigned row = 0; row < 2 * TILE_ROWS; row++)
      for (unsigned c = 0; c < 16; c++) {
        uint32_t got = dst_get(r->t, row, c);
        if (way == 0) out->datum[row][c] = got;
        else if (got != out->datum[row][c]) fail_msg("%s: way %u differs at row %u column %u", name, way, row, c);
      }
    if (way == 0) cycles = r->issues[r->issue_count - 1].at - r->issues[0].at + 1;
    rig_free(r);
  }
  return cycles;
}

/* --- functions of one variable --- */

struct function {
  const char *name;
  double (*exact)(double);
  double from, to;
  double relative, absolute; /* largest error allowed: either holds */
};

static double exact_reciprocal(double x) { return 1 / x; }
static double exact_gelu(double x) { return 0.5 * x * (1 + erf(x / sqrt(2))); }
static double exact_sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double exact_select(double x) { return x < 0 ? -x / 8 : fmin(x, 2); }

static const struct function functions[] = {
    {"exp", exp, -87, 87, 2.0e-6, 0},
    {"reciprocal", exact_reciprocal, 1e-6, 1e6, 8.0e-8, 0},
    {"sqrt", sqrt, 0, 1e4, 1.5e-7, 0},
    {"gelu", exact_gelu, -6, 6, 0, 0.012},
    {"select", exact_select, -4, 4, 1e-300, 0}, /* the if / else of docs/reference/vector-unit.md: exact */
    {"sigmoid", exact_sigmoid, -60, 60, 2.0e-6, 0},
};

/* 1024 arguments from one end of the range to the other; geometrically when both ends are positive. */
static double argument(const struct function *f, unsigned i) {
  double part = i / (double)(TILE_ROWS * 16 - 1);
  if (f->from > 0) return f->from * pow(f->to / f->from, part);
  return f->from + (f->to - f->from) * part;
}

static void test_functions(void **state) {
  (void)state;
  struct tile in = {0}, out;
  for (unsigned k = 0; k < sizeof functions / sizeof functions[0]; k++) {
    const struct function *f = &functions[k];
    for (unsigned i = 0; i < TILE_ROWS * 16; i++) in.datum[i / 16][i % 16] = as_bits((float)argument(f, i));
    uint64_t cycles = run_kernel(f->name, &in, &out);
    double relative = 0, absolute = 0;
    for (unsigned i = 0; i < TILE_ROWS * 16; i++) {
      double x = as_float(in.datum[i / 16][i % 16]), got = as_float(out.datum[i / 16][i % 16]), want = f->exact(x);
      absolute = fmax(absolute, fabs(got - want));
      if (want != 0) relative = fmax(relative, fabs(got / want - 1));
    }
    print_message("note: %-10s relative error %.2e, absolute %.2e, %.1f cycles for 32 datums\n", f->name, relative, absolute,
                  (double)cycles / 32);
    if (f->relative > 0) assert_true(relative <= f->relative);
    if (f->absolute > 0) assert_true(absolute <= f->absolute);
  }
}

/* --- integers, order --- */

static uint32_t pseudo_random(uint32_t i) {
  uint64_t z = i * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(z >> 32);
}

static void test_integer_add(void **state) {
  (void)state;
  struct tile in, out;
  for (unsigned i = 0; i < 2 * TILE_ROWS * 16; i++) in.datum[i / 16][i % 16] = pseudo_random(i);
  run_kernel("iadd", &in, &out);
  for (unsigned row = 0; row < TILE_ROWS; row++)
    for (unsigned c = 0; c < 16; c++) assert_int_equal(out.datum[row][c], in.datum[row][c] + in.datum[TILE_ROWS + row][c]);
}

static void test_argmax(void **state) {
  (void)state;
  struct tile in, out;
  for (unsigned i = 0; i < 2 * TILE_ROWS * 16; i++)
    in.datum[i / 16][i % 16] = as_bits((float)((int32_t)pseudo_random(i) % 100000)); /* both signs */
  run_kernel("argmax", &in, &out);
  for (unsigned lane = 0; lane < 32; lane++) {
    unsigned row = lane / 8, c = lane % 8 * 2, best = row;
    for (unsigned r = row; r < TILE_ROWS; r += 4)
      if (as_float(in.datum[r][c]) > as_float(in.datum[best][c])) best = r;
    assert_int_equal(out.datum[row][c], in.datum[best][c]);
    uint32_t index = out.datum[4 + row][c];
    assert_int_equal(in.datum[index >> 4][index & 15u], in.datum[best][c]); /* any place of that value */
    assert_int_equal((index >> 4) % 4, row);
    assert_int_equal(index & 15u, c);
  }
}

static int ascending(const void *a, const void *b) {
  float x = as_float(*(const uint32_t *)a), y = as_float(*(const uint32_t *)b);
  return (x > y) - (x < y);
}

static void test_sort(void **state) {
  (void)state;
  struct tile in, out;
  for (unsigned round = 0; round < 20; round++) {
    for (unsigned i = 0; i < 2 * TILE_ROWS * 16; i++)
      in.datum[i / 16][i % 16] = as_bits((float)((int32_t)pseudo_random(i + round * 9973) % (round % 2 ? 50 : 1000000)));
    run_kernel("sort", &in, &out);
    for (unsigned row = 0; row < 4; row++) {
      qsort(in.datum[row], 16, sizeof in.datum[row][0], ascending);
      for (unsigned c = 0; c < 16; c++) assert_true(as_float(out.datum[row][c]) == as_float(in.datum[row][c]));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_integer_add),
      cmocka_unit_test(test_argmax),
      cmocka_unit_test(test_sort),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
