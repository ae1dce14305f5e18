/* Kernels with the shapes of the vendor's (tests/llk-like), on four cores, timing on and off: the numbers they leave in L1 against
 * calculations made here, no finding on the way, and a run cut into pieces that ends in the same state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tensix.h>
#include <cmocka.h>

#include "../kernels/include/launch.h"
#include "beside.h"
#include "kernels/golden.h"
#include "kernels/layout.h"

#define BUFFER_BYTES 0x10000u
#define TILES 8u
#define DEPTH 4u

static char programs[512]; /* directory of the programs: next to the directory of this test */

struct kernel {
  const char *name;
  unsigned fidelity;
};

static uint8_t in[2][BUFFER_BYTES], out[BUFFER_BYTES];

static uint16_t bf16(uint32_t seed) { /* 0.5 .. 2, any mantissa, either sign */
  uint32_t h = seed * 2654435761u;
  return (uint16_t)((h >> 16 & 0x8000u) | (0x3f00u + (h >> 20 & 0xffu)));
}

static void fill(const char *name) {
  bool scaler = strncmp(name, "reduce", 6) == 0, whole = strcmp(name, "int32_add") == 0;
  for (unsigned b = 0; b < 2; b++)
    for (unsigned i = 0; i < BUFFER_BYTES / 2; i++) {
      uint16_t x = scaler && b == 1 ? (i % 256 < 16 ? 0x3f80u : 0) : whole ? (uint16_t)(i % 2 ? 0 : i + b) : bf16(i + b);
      memcpy(&in[b][2 * i], &x, 2);
    }
}

static struct tessera_tile *start(const char *name, bool timing) {
  static const char *const cores[] = {"trisc0", "trisc1", "trisc2", "brisc"};
  static unsigned char file[1 << 20];
  struct tessera_tile *tile = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  bool whole = strcmp(name, "int32_add") == 0;
  struct launch l;
  assert_non_null(tile);
  for (unsigned core = 0; core < 4; core++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/llk_%s/%s.elf", programs, name, cores[core]);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot read %s", path);
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_int_equal(tessera_tile_load_elf(tile, (enum tessera_core)core, file, size), TESSERA_OK);
  }
  fill(name);
  memset(&l, 0, sizeof l);
  for (unsigned b = 0; b < 3; b++)
    l.buffer[b == 2 ? 16 : b] =
        (struct launch_buffer){LAUNCH_HEAP + b * BUFFER_BYTES, whole ? 4096 : 2048, 16, whole ? NUM_INT32 : NUM_BF16};
  l.args[0] = 2;
  l.go = RUN_SYNC_MSG_GO;
  for (unsigned b = 0; b < 2; b++) tessera_tile_write(tile, LAUNCH_HEAP + b * BUFFER_BYTES, in[b], BUFFER_BYTES);
  tessera_tile_start(tile, 0xf);
  tessera_tile_write(tile, LAUNCH_ADDRESS, &l, sizeof l);
  tessera_tile_until(tile, LAUNCH_FIELD(go), UINT32_MAX, RUN_SYNC_MSG_DONE, NULL);
  return tile;
}

static void run(struct tessera_tile *tile, const char *name, uint64_t piece) {
  enum tessera_result result;
  do result = tessera_tile_run(tile, piece);
  while (result == TESSERA_LIMIT && piece < 1000000 && tessera_tile_cycle(tile) < 5000000);
  if (result != TESSERA_STOPPED) fail_msg("%s: %s", name, tessera_tile_explain(tile));
  uint64_t findings = 1;
  tessera_tile_counter(tile, TESSERA_COUNTER_FINDINGS, 0, &findings);
  if (findings) fail_msg("%s: %s", name, tessera_tile_report(tile, TESSERA_REPORT_TEXT));
  tessera_tile_read(tile, LAUNCH_HEAP + 2 * BUFFER_BYTES, out, BUFFER_BYTES);
}

static uint16_t half(const uint8_t *bytes, unsigned i) { return (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8); }

static float number(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

static void expect_tiles(const char *name, const uint8_t *expected, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++)
    if (out[i] != expected[i])
      fail_msg("%s: byte %u of the output is 0x%02x, expected 0x%02x", name, i, out[i], expected[i]);
}

/* --- expected numbers --- */

static void expect_matmul(const char *name, unsigned fidelity) {
  static uint8_t expected[TILES * 2048];
  for (unsigned tile = 0; tile < TILES; tile++) {
    struct golden_src a, b;
    struct golden_dst dst;
    memset(&dst, 0, sizeof dst);
    for (unsigned k = 0; k < DEPTH; k++) {
      golden_unpack(NUM_BF16, false, &in[0][k * 2048], &a);
      golden_unpack(NUM_BF16, false, &in[1][(tile + k) % 8 * 2048], &b);
      golden_matmul(NUM_BF16, NUM_BF16, false, fidelity, &a, &b, &dst);
    }
    assert_true(golden_pack(NUM_BF16, NUM_BF16, false, 0, &dst, &expected[tile * 2048]));
  }
  expect_tiles(name, expected, sizeof expected);
}

/* Operations that only move numbers. wt: tiles side by side. */
static void expect_moved(const char *name, unsigned op, unsigned wt, unsigned pages, unsigned input_pages) {
  for (unsigned page = 0; page < pages; page++)
    for (unsigned place = 0; place < 1024; place++) {
      unsigned from = source_of(op, wt, page % input_pages, place);
      if (half(out, 1024 * page + place) != half(in[0], from))
        fail_msg("%s: number %u of page %u is 0x%04x, expected 0x%04x", name, place, page, half(out, 1024 * page + place),
                 half(in[0], from));
    }
}

static void expect_near(const char *name, unsigned i, double expected, double tolerance) {
  double got = (double)number(half(out, i)), error = got - expected, size = expected < 0 ? -expected : expected;
  if (error < 0) error = -error;
  if (error > tolerance * (size > 1 ? size : 1)) fail_msg("%s: number %u is %g, expected %g", name, i, got, expected);
}

static double exponential(double x) { /* no libm: the power series of a reduced argument, squared repeatedly */
  double y = x / 64, sum = 1, term = 1;
  for (int n = 1; n < 16; n++) sum += term *= y / n;
  for (int n = 0; n < 6; n++) sum *= sum;
  return sum;
}

static double rounded(double x) { return (double)(int)(x + 0.5); } /* rounds a magnitude; ties away from 0 */

static void expect_numbers(const char *name) {
  for (unsigned tile = 0; tile < TILES; tile++)
    for (unsigned row = 0; row < 32; row++)
      for (unsigned column = 0; column < 32; column++) {
        unsigned i = 1024 * tile + tile_place(row, column);
        double a = (double)number(half(in[0], i)), b = (double)number(half(in[1], i));
        double col = (double)number(half(in[1], 1024 * tile + tile_place(row, 0)));
        double first = (double)number(half(in[1], 1024 * tile + tile_place(0, column)));
        if (!strcmp(name, "eltwise_add")) expect_near(name, i, a + b, 0.01);
        if (!strcmp(name, "eltwise_mul_col")) expect_near(name, i, a * col, 0.01);
        if (!strcmp(name, "eltwise_add_row")) expect_near(name, i, a + first, 0.01);
        if (!strcmp(name, "sfpu_exp")) expect_near(name, i, exponential(a), 0.01);
        if (!strcmp(name, "sfpu_typecast")) expect_near(name, i, rounded(a < 0 ? -a : a), 0);
      }
}

static void expect_reduced(const char *name, bool rows) {
  for (unsigned tile = 0; tile < TILES; tile++)
    for (unsigned i = 0; i < 32; i++) {
      double sum = 0, largest = -1e9;
      for (unsigned k = 0; k < 32; k++) {
        double x = (double)number(half(in[0], 1024 * tile + (rows ? tile_place(i, k) : tile_place(k, i))));
        sum += x;
        if (x > largest) largest = x;
      }
      unsigned at = 1024 * tile + (rows ? tile_place(i, 0) : tile_place(0, i));
      expect_near(name, at, rows ? largest : sum, rows ? 0 : 0.02);
    }
}

/* Sixteen tiles as four blocks of 32 x 128 numbers, line by line. */
static void expect_lines(const char *name) {
  for (unsigned i = 0; i < 16 * 1024; i++) {
    unsigned block = i / 4096, line = i / 128 % 32, column = i % 128;
    unsigned from = 1024 * (4 * block + column / 32) + tile_place(line, column % 32);
    if (half(out, i) != half(in[0], from))
      fail_msg("%s: number %u is 0x%04x, expected 0x%04x", name, i, half(out, i), half(in[0], from));
  }
}

static void expect_sums(const char *name) {
  for (unsigned i = 0; i < TILES * 1024; i++) {
    uint32_t a, b, c;
    memcpy(&a, &in[0][4 * i], 4), memcpy(&b, &in[1][4 * i], 4), memcpy(&c, &out[4 * i], 4);
    if (c != a + b) fail_msg("%s: number %u is %u, expected %u", name, i, c, a + b);
  }
}

static void expect(const char *name) {
  if (!strcmp(name, "matmul_lofi")) expect_matmul(name, 0);
  else if (!strcmp(name, "matmul_hifi4")) expect_matmul(name, 4);
  else if (!strcmp(name, "datacopy")) expect_moved(name, OP_COPY, 1, TILES, TILES);
  else if (!strcmp(name, "transpose")) expect_moved(name, OP_TRANSPOSE, 1, TILES, TILES);
  else if (!strcmp(name, "tilize")) expect_moved(name, OP_TILIZE, 4, TILES, 4);
  else if (!strcmp(name, "untilize")) expect_moved(name, OP_UNTILIZE, 4, TILES, 4);
  else if (!strcmp(name, "pack_untilize")) expect_lines(name);
  else if (!strcmp(name, "int32_add")) expect_sums(name);
  else if (!strcmp(name, "reduce_col")) expect_reduced(name, false);
  else if (!strcmp(name, "reduce_row")) expect_reduced(name, true);
  else expect_numbers(name);
}

static const char *const kernels[] = {"matmul_lofi", "matmul_hifi4",  "eltwise_add",   "eltwise_mul_col", "eltwise_add_row",
                                      "sfpu_exp",    "sfpu_typecast", "reduce_col",    "reduce_row",      "transpose",
                                      "tilize",      "untilize",      "pack_untilize", "datacopy",        "int32_add"};
#define KERNELS (sizeof kernels / sizeof kernels[0])

static void kernels_leave_the_right_numbers(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned k = 0; k < KERNELS; k++) {
      struct tessera_tile *tile = start(kernels[k], timing);
      run(tile, kernels[k], 1000000);
      expect(kernels[k]);
      tessera_tile_destroy(tile);
    }
}

/* Splitting a run changes neither the cycle nor any byte. */
static void a_run_in_pieces_ends_the_same(void **state) {
  static const uint64_t pieces[] = {7, 100, 1021};
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned k = 0; k < KERNELS; k += 3) {
      struct tessera_tile *whole = start(kernels[k], timing);
      run(whole, kernels[k], 1000000);
      for (unsigned p = 0; p < 3; p++) {
        struct tessera_tile *cut = start(kernels[k], timing);
        run(cut, kernels[k], pieces[p]);
        assert_int_equal(tessera_tile_cycle(whole), tessera_tile_cycle(cut));
        for (unsigned thread = 0; thread < 3; thread++) {
          uint64_t a = 0, b = 1;
          tessera_tile_counter(whole, TESSERA_COUNTER_STALLED, thread, &a);
          tessera_tile_counter(cut, TESSERA_COUNTER_STALLED, thread, &b);
          assert_int_equal(a, b);
        }
        expect(kernels[k]);
        tessera_tile_destroy(cut);
      }
      tessera_tile_destroy(whole);
    }
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_leave_the_right_numbers),
      cmocka_unit_test(a_run_in_pieces_ends_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
