/* Kernels on the five RISC-V cores: compiled for them, started by the firmware, fed and drained through circular buffers.
 * The programs are made by kernels/kernels.mk; this file uses only the public C API and the host's side of a launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../kernels/host/kernel_host.h"
#include "kernels/golden.h"
#include "kernels/layout.h"
#include "kernels/numbers.h"
#include "scale.h"
#include "silicon/matmul.h"

static char programs[512]; /* directory of the programs: next to the directory of this test */

struct run {
  const char *program;
  unsigned mt, kt, nt, in, out, fidelity, throttle;
  bool wide, full, timing;
  unsigned launches;
};

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  return z ^ (z >> 31);
}

/* Any bits, with exponents near that of 1.0 so that sums stay in range. */
static void random_tile(unsigned format, uint8_t *tile, uint64_t *seed) {
  for (unsigned i = 0; i < golden_tile_bytes(format); i++) tile[i] = (uint8_t)next_random(seed);
  for (unsigned i = 0; i < 64 && num_format_is_block(format); i++) tile[i] = (uint8_t)(124 + tile[i] % 6);
  for (unsigned i = 0; i < 1024; i++) {
    if (format == NUM_BF16) tile[2 * i + 1] = (uint8_t)((tile[2 * i + 1] & 0x80) | 0x3f);
    if (format == NUM_FP16) tile[2 * i + 1] = (uint8_t)((tile[2 * i + 1] & 0x87) | 0x38);
    if (format == NUM_FP32 || format == NUM_TF32) tile[4 * i + 3] = (uint8_t)((tile[4 * i + 3] & 0x80) | 0x3f);
  }
}

static struct tessera_tile *load(const char *program, bool timing) {
  char directory[1024];
  struct tessera_tile *tile = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  assert_non_null(tile);
  snprintf(directory, sizeof directory, "%s/%s", programs, program);
  assert_int_equal(kernel_load(tile, directory), 0);
  return tile;
}

struct memory {
  uint32_t a, b, c;
};

static struct memory set_up(const struct run *r, struct launch *l) {
  uint32_t heap = 0, in = golden_tile_bytes(r->in), out = golden_tile_bytes(r->out);
  memset(l, 0, sizeof *l);
  l->buffer[0] = (struct launch_buffer){kernel_alloc(&heap, 2 * in), in, 2, r->in};
  l->buffer[1] = (struct launch_buffer){kernel_alloc(&heap, 2 * in), in, 2, r->in};
  l->buffer[16] = (struct launch_buffer){kernel_alloc(&heap, 2 * out), out, 2, r->out};
  struct memory m = {kernel_alloc(&heap, r->mt * r->kt * in), kernel_alloc(&heap, r->kt * r->nt * in),
                     kernel_alloc(&heap, r->mt * r->nt * out)};
  uint32_t args[] = {r->mt, r->kt, r->nt, r->fidelity, r->throttle, r->wide, r->full, 0, m.a, m.b, m.c};
  memcpy(l->args, args, sizeof args);
  l->launches = r->launches;
  return m;
}

/* Runs, and compares every byte with the calculation of golden.h. */
static void check_matmul(const struct run *r) {
  struct launch l;
  struct memory m = set_up(r, &l);
  struct tessera_tile *tile = load(r->program, r->timing);
  static uint8_t a[64][4096], b[64][4096], c[4096], expected[4096];
  uint64_t seed = r->in + 16 * r->fidelity + 64 * r->kt;
  unsigned in = golden_tile_bytes(r->in), out = golden_tile_bytes(r->out);
  for (unsigned i = 0; i < r->mt * r->kt; i++)
    random_tile(r->in, a[i], &seed), tessera_tile_write(tile, m.a + i * in, a[i], in);
  for (unsigned i = 0; i < r->kt * r->nt; i++)
    random_tile(r->in, b[i], &seed), tessera_tile_write(tile, m.b + i * in, b[i], in);
  char why[4096];
  enum tessera_result result = kernel_launch(tile, &l, 20000000, why, sizeof why);
  if (result != TESSERA_DONE) fail_msg("%s, %s fidelity %u: %s", r->program, num_format_name(r->in), r->fidelity, why);
  for (unsigned i = 0; i < r->mt * r->nt; i++) {
    struct golden_src in0, in1;
    struct golden_dst dst;
    memset(&dst, 0, sizeof dst);
    for (unsigned k = 0; k < r->kt; k++) {
      golden_unpack(r->in, r->wide, a[i / r->nt * r->kt + k], &in0);
      golden_unpack(r->in, r->wide, b[k * r->nt + i % r->nt], &in1);
      golden_matmul(r->in, r->in, r->wide, r->fidelity, &in0, &in1, &dst);
    }
    assert_true(golden_pack(r->in, r->out, r->wide, 0, &dst, expected));
    tessera_tile_read(tile, m.c + i * out, c, out);
    if (memcmp(c, expected, out) != 0)
      fail_msg("%s, %s to %s, fidelity %u, Dst%s, %s, timing %s: tile %u differs", r->program, num_format_name(r->in),
               num_format_name(r->out), r->fidelity, r->wide ? "32" : "16", r->full ? "whole" : "halves",
               r->timing ? "on" : "off", i);
  }
  tessera_tile_destroy(tile);
}

/* Matmul in explicit synchronisation (matmul_mop.cpp), in the high-level API in C++, and the example in C: the same bits in every format, at every
 * fidelity, with and without double buffering, both widths of Dst, timing on and off. */
static void test_matmul_forms(void **state) {
  (void)state;
  static const struct {
    unsigned in, out16, out32;
  } formats[] = {{NUM_BF16, NUM_BF16, NUM_FP32},
                 {NUM_TF32, NUM_FP32, NUM_FP32},
                 {NUM_FP16, NUM_FP16, NUM_FP32},
                 {NUM_BFP8, NUM_BFP8, NUM_BF16},
                 {NUM_INT8, NUM_FORMAT_CODES, NUM_INT32}};
  static const char *const forms[] = {"matmul", "matmul_mop", "matmul_api"};
  static const unsigned fidelities[] = {0, 2, 3, 4};
  for (unsigned f = 0; f < 5; f++)
    for (unsigned i = 0; i < 16; i++)
      for (unsigned form = 0; form < 3; form++) {
        struct run r = {forms[form],       2, 1 + i % 3, 1,     formats[f].in, 0,
                        fidelities[i % 4], 0, i & 4,     i & 8, form != i % 3, 1};
        r.out = r.wide ? formats[f].out32 : formats[f].out16;
        if (r.out != NUM_FORMAT_CODES && test_in_slice((f * 16 + i) * 3 + form)) check_matmul(&r);
      }
}

static void test_expanded_form(void **state) {
  (void)state;
  struct run r = {"matmul_llk", 2, 2, 2, NUM_BF16, NUM_BF16, 4, 0, false, false, true, 1};
  check_matmul(&r);
}

/* K of 16 tiles: every format at every fidelity in all three forms; double buffering and timing alternate. */
static void test_deep_matmul(void **state) {
  (void)state;
  static const unsigned formats[][2] = {
      {NUM_BF16, NUM_BF16}, {NUM_TF32, NUM_FP32}, {NUM_FP16, NUM_FP16}, {NUM_BFP8, NUM_BFP8}, {NUM_INT8, NUM_INT32}};
  static const char *const forms[] = {"matmul", "matmul_mop", "matmul_api"};
  static const unsigned fidelities[] = {0, 2, 3, 4};
  for (unsigned i = 0; i < 60; i++) {
    if (!test_in_slice(i)) continue;
    const unsigned *format = formats[i / 12];
    bool wide = format[0] == NUM_INT8 || (format[0] == NUM_TF32 && (i & 1)), full = i & 2, timing = i % 5 != 0;
    struct run r = {forms[i % 3], 1, 16, 1, format[0], format[1], fidelities[i / 3 % 4], 0, wide, full, timing, 1};
    check_matmul(&r);
  }
}

static void test_ten_launches(void **state) {
  (void)state;
  struct run r = {"matmul", 1, 2, 1, NUM_BF16, NUM_BF16, 2, 0, false, false, true, 10};
  check_matmul(&r);
  struct launch l; /* and ten times by ten launches of the host, with the firmware waiting in between */
  set_up(&r, &l);
  l.launches = 0;
  struct tessera_tile *tile = load("matmul", true);
  char why[2048];
  for (unsigned i = 0; i < 10; i++) {
    enum tessera_result result = kernel_launch(tile, &l, 1000000, why, sizeof why);
    if (result != TESSERA_DONE) fail_msg("launch %u: %s", i, why);
  }
  tessera_tile_destroy(tile);
}

/* --- cycles --- */

static double per_call(enum matmul_mode mode, unsigned fidelity, unsigned throttle) {
  return matmul_per_call(programs, mode, fidelity, throttle);
}

static bool near(double a, double b, double tolerance) { return a - b <= tolerance && b - a <= tolerance; }

/* Under the sanitizers of make test one row of each table runs: the bits of matmul are tested above, and cycles do not depend on the build. */
static bool few_cycles(void) { return test_percent() < 10; }

/* The vendor's figures for math fidelity: 1, 0.5, 0.33, 0.25. Operands are resident, so that only math takes time. */
static void test_fidelity_table(void **state) {
  (void)state;
  double lofi = per_call(MATMUL_RESIDENT, 0, 0);
  print_message("LoFi %.2f cycles per tile product\n", lofi);
  assert_true(near(lofi, 16, 1.5));
  static const double expected[] = {0, 0, 0.5, 1.0 / 3, 0.25};
  for (unsigned fidelity = 2; fidelity <= 4; fidelity++) {
    if (few_cycles() && fidelity != 2) continue;
    double cycles = per_call(MATMUL_RESIDENT, fidelity, 0), speed = lofi / cycles;
    print_message("HiFi%u %.2f cycles, %.2f of LoFi's speed\n", fidelity, cycles, speed);
    assert_true(near(speed, expected[fidelity], 0.02));
  }
}

/* The vendor's figures for throttled matmul: 100, 73, 67, 50, 40, 33 per cent. */
static void test_throttle_table(void **state) {
  (void)state;
  static const double expected[] = {1, 0.73, 0.67, 0.50, 0.40, 0.33};
  double full = per_call(MATMUL_RESIDENT, 0, 0);
  for (unsigned level = 1; level <= 5; level++) {
    if (few_cycles() && level != 1) continue;
    double cycles = per_call(MATMUL_RESIDENT, 0, level);
    print_message("throttle %u: %.2f cycles, %.0f %%\n", level, cycles, 100 * full / cycles);
    assert_true(near(full / cycles, expected[level], 0.02));
  }
}

/* Silicon (mesham/tt-sim, perfbench): cycles per call of matmul_tiles with the banks in phase, and out of phase, where unpacking and math
 * take turns. HiFi4 in phase has no public figure. */
static void test_matmul_tiles_cycles(void **state) {
  (void)state;
  static const struct {
    enum matmul_mode mode;
    unsigned fidelity;
    double silicon;
  } rows[] = {{MATMUL_IN_PHASE, 0, 34.70},
              {MATMUL_IN_PHASE, 2, 34.90},
              {MATMUL_OUT_OF_PHASE, 0, 34.77},
              {MATMUL_OUT_OF_PHASE, 2, 51.52},
              {MATMUL_OUT_OF_PHASE, 4, 83.50}};
  double here[sizeof rows / sizeof *rows];
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (few_cycles() && i) return;
    here[i] = per_call(rows[i].mode, rows[i].fidelity, 0);
    print_message("note: matmul_tiles %s phase, fidelity %u: silicon %.2f, here %.2f\n",
                  rows[i].mode == MATMUL_IN_PHASE ? "in" : "out of", rows[i].fidelity, rows[i].silicon, here[i]);
    assert_true(near(here[i], rows[i].silicon, 0.01 * rows[i].silicon));
  }
  assert_true(near(here[4] - here[3], 32.0, 0.3));
  assert_true(near(here[3] - here[2], 16.7, 0.5));
}

/* --- throttle: the report, and the dynamic throttle --- */

/* 2x2 blocks, the ARC's word as given. Returns the cycles; the output's hash shows whether bits differ. */
static uint64_t run_blocks(uint32_t arc_word, uint32_t level, const char *line, uint64_t *hash) {
  struct launch l;
  char why[2048];
  uint32_t heap = 0;
  static uint8_t page[2048];
  memset(&l, 0, sizeof l);
  static const unsigned buffers[] = {0, 1, 16};
  for (unsigned i = 0; i < 3; i++)
    l.buffer[buffers[i]] = (struct launch_buffer){kernel_alloc(&heap, 16 * 2048), 2048, 16, NUM_BF16};
  l.args[0] = 8, l.args[4] = level, l.args[7] = 5, l.args[11] = l.args[12] = 2;
  l.args[15] = 2, l.args[16] = 8, l.args[17] = 32;
  l.launches = 1;
  struct tessera_tile *tile = load("ops", true);
  uint64_t seed = 3;
  for (unsigned i = 0; i < 32; i++) {
    random_tile(NUM_BF16, page, &seed);
    tessera_tile_write(tile, l.buffer[i / 16].address + i % 16 * 2048, page, sizeof page);
  }
  tessera_tile_write(tile, 16, &arc_word, 4); /* MEM_L1_ARC_FW_SCRATCH */
  enum tessera_result result = kernel_launch(tile, &l, 10000000, why, sizeof why);
  if (result != TESSERA_DONE) fail_msg("%s", why);
  assert_string_equal(kernel_throttle_line(tile), line);
  *hash = 0;
  for (unsigned i = 0; i < 16; i++) {
    tessera_tile_read(tile, l.buffer[16].address + i * 2048, page, sizeof page);
    for (unsigned n = 0; n < sizeof page; n++) *hash = *hash * 31 + page[n];
  }
  uint64_t cycles = tessera_tile_cycle(tile);
  tessera_tile_destroy(tile);
  return cycles;
}

static void test_throttle_report(void **state) {
  (void)state;
  uint64_t plain, throttled, dynamic, even;
  uint64_t fast = run_blocks(0, 0, "", &plain);
  uint64_t slow = run_blocks(0, 3, "throttled: static level 3", &throttled);
  uint64_t slowest = run_blocks(1, 0, "throttled: dynamic", &dynamic);
  assert_true(run_blocks(2, 0, "", &even) == fast);
  assert_true(plain == throttled && plain == dynamic && plain == even);
  assert_true(fast < slow && slow < slowest);
}

/* --- moves and reductions, compiled for the cores; all of them: test_kernels_layout.c, test_kernels_reduce.c --- */

static struct tessera_tile *run_op(unsigned op, unsigned p, unsigned q, unsigned format, unsigned out, bool timing,
                                   struct launch *l) {
  uint32_t heap = 0, in_bytes = golden_tile_bytes(format), out_bytes = golden_tile_bytes(out);
  unsigned per_pass = op >= OP_TILIZE ? p : 1;
  char why[4096];
  memset(l, 0, sizeof *l);
  l->buffer[0] = (struct launch_buffer){kernel_alloc(&heap, 16 * in_bytes), in_bytes, 16, format};
  l->buffer[1] = (struct launch_buffer){kernel_alloc(&heap, 16 * in_bytes), in_bytes, 16, format};
  l->buffer[16] = (struct launch_buffer){kernel_alloc(&heap, 16 * out_bytes), out_bytes, 16, out};
  uint32_t args[] = {3, 0, 0, 4, 0, 1, 0, op, 0, 0, 0, p, q, 0, 0, per_pass, 3, 3 * per_pass, 1};
  memcpy(l->args, args, sizeof args);
  l->launches = 2;
  struct tessera_tile *tile = load("ops", timing);
  static uint8_t page[4096];
  for (unsigned i = 0; i < 16; i++) {
    for (unsigned n = 0; n < 1024; n++) number_put(format, page, n, (int)((i * 1024 + n) * 31 % 201) - 100, 0);
    tessera_tile_write(tile, l->buffer[0].address + i * in_bytes, page, in_bytes);
  }
  memset(page, 0, sizeof page);
  for (unsigned n = 0; n < 16; n++) number_put(format, page, n, 1, 0);
  for (unsigned i = 0; i < 16; i++) tessera_tile_write(tile, l->buffer[1].address + i * in_bytes, page, in_bytes);
  if (kernel_launch(tile, l, 10000000, why, sizeof why) != TESSERA_DONE) fail_msg("op %u: %s", op, why);
  return tile;
}

static int input_number(unsigned n) { return (int)(n * 31 % 201) - 100; }

static void test_moves_on_cores(void **state) {
  (void)state;
  static const unsigned ops[] = {OP_COPY, OP_TRANSPOSE, OP_TILIZE, OP_UNTILIZE};
  static const unsigned formats[][2] = {
      {NUM_INT32, NUM_INT32}, {NUM_FP32, NUM_FP32}, {NUM_BF16, NUM_FP32}, {NUM_FP16, NUM_FP32}};
  for (unsigned i = 0; i < 16; i++) {
    unsigned op = ops[i / 4], out = formats[i % 4][1], wt = op >= OP_TILIZE ? 2 : 0;
    struct launch l;
    struct tessera_tile *tile = run_op(op, wt, 0, formats[i % 4][0], out, i % 3 != 0, &l);
    uint8_t page[4096];
    for (unsigned n = 0; n < 3 * (wt ? wt : 1) * 1024; n++) {
      if (n % 1024 == 0) tessera_tile_read(tile, l.buffer[16].address + n / 1024 * 4096, page, sizeof page);
      int want = input_number(source_of(op, wt, n / 1024, n % 1024));
      if (number_get(out, page, n % 1024) != want)
        fail_msg("op %u of %s, number %u", op, num_format_name(formats[i % 4][0]), n);
    }
    tessera_tile_destroy(tile);
  }
}

static void test_reduce_on_cores(void **state) {
  (void)state;
  for (unsigned i = 0; i < 8; i++) {
    unsigned pool = i & 1 ? MAXIMUM : SUM, dim = i & 2 ? DIM_ROW : DIM_SCALAR;
    struct launch l;
    struct tessera_tile *tile =
        run_op(OP_REDUCE, pool, dim, i & 4 ? NUM_INT8 : NUM_BF16, i & 4 ? NUM_INT32 : NUM_FP32, true, &l);
    uint8_t page[4096];
    for (unsigned n = 0; n < 3 * 32; n++) {
      unsigned row = n % 32;
      int sum = 0, most = -1000;
      for (unsigned k = 0; k < 1024; k++) {
        int x = input_number(n / 32 * 1024 + tile_place(k / 32, k % 32));
        if (dim == DIM_ROW && k / 32 != row) continue;
        sum += x;
        most = x > most ? x : most;
      }
      int want = dim == DIM_SCALAR && row ? 0 : pool == MAXIMUM ? most : sum;
      tessera_tile_read(tile, l.buffer[16].address + n / 32 * 4096, page, sizeof page);
      double got = number_get(i & 4 ? NUM_INT32 : NUM_FP32, page, tile_place(row, 0));
      if (got != want) fail_msg("case %u, tile %u, row %u: %g, expected %d", i, n / 32, row, got, want);
    }
    tessera_tile_destroy(tile);
  }
}

/* --- kernels that hang --- */

static void expect_hang(const char *program, const char *const words[]) {
  struct run r = {program, 1, 1, 1, NUM_BF16, NUM_BF16, 4, 0, false, false, true, 1};
  struct launch l;
  char why[8192];
  set_up(&r, &l);
  l.buffer[2] = l.buffer[3] = l.buffer[0];
  l.args[15] = l.args[16] = l.args[17] = 1;
  struct tessera_tile *tile = load(program, true);
  enum tessera_result result = kernel_launch(tile, &l, 100000, why, sizeof why);
  assert_int_equal(result, TESSERA_HANG);
  for (unsigned i = 0; words[i]; i++)
    if (strstr(why, words[i]) == NULL) fail_msg("the report of %s does not say \"%s\"", program, words[i]);
  struct tessera_hang hang;
  struct tessera_waiter waiter;
  assert_int_equal(tessera_tile_hang(tile, &hang), 1);
  assert_non_null(strstr(why, hang.cause));
  assert_int_equal(hang.deadlock, strcmp(program, "mutual") == 0);
  assert_true(hang.chain_count > 0 && hang.waiter_count >= hang.chain_count);
  assert_int_equal(tessera_tile_waiter(tile, hang.chain[0], &waiter), TESSERA_OK);
  assert_true(waiter.since > 1000 && waiter.since <= hang.cycle && hang.cycle <= tessera_tile_cycle(tile) &&
              waiter.place.line && waiter.place.file[0]);
  assert_int_equal(waiter.tile_x, -1);
  assert_int_equal(waiter.waits_for >= 0, hang.deadlock);
  if (hang.deadlock) assert_string_equal(waiter.releasers[0].role, "pushes");
  assert_int_equal(tessera_tile_waiter(tile, hang.waiter_count, &waiter), TESSERA_INVALID);
  assert_true(tessera_tile_cycle(tile) < 20000); /* the start takes about ten thousand cycles; no progress afterwards */
  tessera_tile_destroy(tile);
}

static void test_hangs(void **state) {
  (void)state;
  expect_hang("missing_push", (const char *const[]){"CB 0: NCRISC reserved a page at missing_push.c:", "pushed none",
                                                    "compute.c:13 (TRISC0)", NULL});
  expect_hang("missing_commit",
              (const char *const[]){"semaphore 1 (MATH_PACK)", "tile_regs_acquire at tests/kernels/missing_commit.c:6",
                                    "tile_regs_wait at tests/kernels/missing_commit.c:12", NULL});
  expect_hang("mutual", (const char *const[]){"deadlock: ", "mutual_reader.c:6 (NCRISC): waiting for page 1 of CB 2",
                                              "mutual_writer.c:5 (BRISC): waiting for page 1 of CB 3", NULL});
}

/* --- bad use --- */

static void expect_failure(const struct run *r, void (*spoil)(struct launch *), const char *line) {
  struct launch l;
  char why[2048];
  set_up(r, &l);
  spoil(&l);
  struct tessera_tile *tile = load(r->program, true);
  assert_int_equal(kernel_launch(tile, &l, 1000000, why, sizeof why), TESSERA_FAULT);
  if (strstr(why, line) == NULL) fail_msg("\"%s\" does not say \"%s\"", why, line);
  tessera_tile_destroy(tile);
}

static void no_buffer(struct launch *l) { l->buffer[1].pages = 0; }
static void small_page(struct launch *l) { l->buffer[16].page_bytes = 1024; }
static void bad_format(struct launch *l) { l->buffer[0].format = NUM_INT32, l->buffer[0].page_bytes = 4096; }
static void bad_throttle(struct launch *l) { l->args[4] = 6; }

static void test_bad_use(void **state) {
  (void)state;
  struct run r = {"matmul", 1, 1, 1, NUM_BF16, NUM_BF16, 4, 0, false, false, true, 1};
  expect_failure(&r, no_buffer, "circular buffer 1 was never configured");
  expect_failure(&r, small_page, "a tile does not fit into a page of the output buffer");
  expect_failure(&r, bad_format, "the matrix unit lacks this format");
  expect_failure(&r, bad_throttle, "MM_THROTTLE is 0 to 5");
}

int main(int argc, char **argv) {
  (void)argc;
  matmul_programs(argv[0], programs, sizeof programs);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matmul_forms),
      cmocka_unit_test(test_expanded_form),
      cmocka_unit_test(test_deep_matmul),
      cmocka_unit_test(test_ten_launches),
      cmocka_unit_test(test_fidelity_table),
      cmocka_unit_test(test_throttle_table),
      cmocka_unit_test(test_matmul_tiles_cycles),
      cmocka_unit_test(test_throttle_report),
      cmocka_unit_test(test_moves_on_cores),
      cmocka_unit_test(test_reduce_on_cores),
      cmocka_unit_test(test_hangs),
      cmocka_unit_test(test_bad_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
