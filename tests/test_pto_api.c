/* The C API beyond push and pop: global-tensor forms, record events, fixpipe options, bare flags. Programs are built call by call,
 * results compared with sums written out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tessera/pto.h"

#define M 16
#define K 16
#define N 32

struct rig {
  struct tessera_pto_program *program;
  int a, b, c, scale; /* tensors */
  int cube, acc, scales;
};

static struct tessera_pto_tile tile(enum tessera_pto_loc loc, enum tessera_pto_dtype dtype, uint32_t rows, uint32_t cols) {
  return (struct tessera_pto_tile){.loc = loc, .dtype = dtype, .rows = rows, .cols = cols, .addr = TESSERA_PTO_AUTO};
}

static int add_tile(struct rig *r, int function, const char *name, struct tessera_pto_tile t) {
  int index = tessera_pto_add_tile(r->program, function, name, &t);
  assert_true(index >= 0);
  return index;
}

static double value_a(unsigned i) { return (double)(i * 7 % 11) - 5; }
static double value_b(unsigned i) { return (double)(i * 5 % 13) - 6; }
static double value_scale(unsigned i) { return (double)(i % 4 + 1) / 2; }

static double product(unsigned row, unsigned col) {
  double sum = 0;
  for (unsigned k = 0; k < K; k++) sum += value_a(row * K + k) * value_b(k * N + col);
  return sum;
}

/* A Cube that has A @ B in its accumulator. */
static struct rig rig_make(const char *profile, bool integers, enum tessera_pto_dtype out) {
  struct rig r = {.program = tessera_pto_create(profile)};
  enum tessera_pto_dtype in = integers ? TESSERA_PTO_I8 : TESSERA_PTO_F32,
                         sum = integers ? TESSERA_PTO_I32 : TESSERA_PTO_F32;
  assert_non_null(r.program);
  r.a = tessera_pto_add_tensor(r.program, "A", in, M, K);
  r.b = tessera_pto_add_tensor(r.program, "B", in, K, N);
  r.c = tessera_pto_add_tensor(r.program, "C", out, M, N);
  r.scale = tessera_pto_add_tensor(r.program, "scale", TESSERA_PTO_F32, 1, N);
  r.cube = tessera_pto_add_function(r.program, "cube", TESSERA_PTO_CUBE);
  int a = add_tile(&r, r.cube, "a", tile(TESSERA_PTO_MAT, in, M, K));
  int b = add_tile(&r, r.cube, "b", tile(TESSERA_PTO_MAT, in, K, N));
  int left = add_tile(&r, r.cube, "left", tile(TESSERA_PTO_LEFT, in, M, K));
  int right = add_tile(&r, r.cube, "right", tile(TESSERA_PTO_RIGHT, in, K, N));
  r.scales = add_tile(&r, r.cube, "scales", tile(TESSERA_PTO_MAT, TESSERA_PTO_F32, 1, N));
  r.acc = add_tile(&r, r.cube, "acc", tile(TESSERA_PTO_ACC, sum, M, N));
  tessera_pto_load(r.program, r.cube, &(struct tessera_pto_transfer){a, r.a, 0, 0, 0, 0, 1});
  tessera_pto_load(r.program, r.cube, &(struct tessera_pto_transfer){b, r.b, 0, 0, 0, 0, 2});
  tessera_pto_load(r.program, r.cube, &(struct tessera_pto_transfer){r.scales, r.scale, 0, 0, 0, 0, 3});
  tessera_pto_emit(r.program, r.cube, &(struct tessera_pto_operation){TESSERA_PTO_MOV, left, {a, -1, -1}, 0, 4});
  tessera_pto_emit(r.program, r.cube, &(struct tessera_pto_operation){TESSERA_PTO_MOV, right, {b, -1, -1}, 0, 5});
  assert_true(tessera_pto_emit(r.program, r.cube,
                               &(struct tessera_pto_operation){TESSERA_PTO_MATMUL, r.acc, {left, right, -1}, 0, 6}) >= 0);
  return r;
}

static struct tessera_pto_pipe pipe_make(unsigned flag, enum tessera_pto_dir dir, uint32_t slot, uint32_t slots) {
  return (struct tessera_pto_pipe){.flag_id = flag,
                                   .dir = dir,
                                   .slot_size = slot,
                                   .slot_num = slots,
                                   .no_split = 1,
                                   .gm_addr = UINT64_MAX,
                                   .c2v_addr = TESSERA_PTO_AUTO,
                                   .v2c_addr = TESSERA_PTO_AUTO};
}

/* Runs it with A, B and scale filled; C into `c`. */
static uint64_t run(struct rig *r, double *c) {
  double a[M * K], b[K * N], s[N];
  struct tessera_pto_machine *m = tessera_pto_start(r->program, NULL);
  if (!m) fail_msg("%s", tessera_pto_error(r->program));
  for (unsigned i = 0; i < M * K; i++) a[i] = value_a(i);
  for (unsigned i = 0; i < K * N; i++) b[i] = value_b(i);
  for (unsigned i = 0; i < N; i++) s[i] = value_scale(i);
  tessera_pto_write(m, r->a, a, M * K);
  tessera_pto_write(m, r->b, b, K * N);
  tessera_pto_write(m, r->scale, s, N);
  tessera_pto_write(m, r->c, c, (size_t)M * N);
  enum tessera_pto_result end = tessera_pto_run(m, UINT64_MAX);
  if (end != TESSERA_PTO_RAN || tessera_pto_hazards(m)) fail_msg("%s", tessera_pto_report(m));
  assert_int_equal(tessera_pto_read(m, r->c, c, (size_t)M * N), TESSERA_PTO_OK);
  uint64_t cycles = tessera_pto_cycles(m);
  tessera_pto_stop(m);
  tessera_pto_destroy(r->program);
  return cycles;
}

/* --- fixpipe --- */

static const struct conversion {
  enum tessera_pto_quant quant;
  enum tessera_pto_dtype out;
  bool integers;
  int relu;
  double scale;
} conversions[] = {{TESSERA_PTO_QUANT_NONE, TESSERA_PTO_F32, false, 1, 0},
                   {TESSERA_PTO_F322F16, TESSERA_PTO_F16, false, 0, 0},
                   {TESSERA_PTO_F322BF16, TESSERA_PTO_BF16, false, 1, 0},
                   {TESSERA_PTO_DEQF16, TESSERA_PTO_F16, true, 0, 0.5},
                   {TESSERA_PTO_VDEQF16, TESSERA_PTO_F16, true, 1, 0}};

static struct tessera_pto_fixpipe options_of(const struct conversion *v, const struct rig *r) {
  return (struct tessera_pto_fixpipe){.quant = v->quant, .relu = v->relu, .scale = v->scale, .scales = r->scales};
}

/* Products stay below 512: exact in f16 with its halves. bf16 has 8 bits: rounded to nearest even here. */
static double expected(const struct conversion *v, unsigned row, unsigned col) {
  double x = product(row, col);
  if (v->quant == TESSERA_PTO_DEQF16) x *= v->scale;
  if (v->quant == TESSERA_PTO_VDEQF16) x *= value_scale(col);
  if (v->relu && x < 0) x = 0;
  if (v->out == TESSERA_PTO_BF16) {
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    bits = (bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u;
    memcpy(&f, &bits, 4);
    x = (double)f;
  }
  return x;
}

static void check_conversion(const struct conversion *v, const double *c) {
  for (unsigned row = 0; row < M; row++)
    for (unsigned col = 0; col < N; col++)
      if (c[row * N + col] != expected(v, row, col))
        fail_msg("quant %d: C[%u][%u] is %g, not %g", v->quant, row, col, c[row * N + col], expected(v, row, col));
}

static void push_converts(void **state) {
  (void)state;
  for (unsigned k = 0; k < 2 * sizeof conversions / sizeof conversions[0]; k++) {
    const struct conversion *v = &conversions[k / 2];
    struct rig r = rig_make(k % 2 ? "a5" : "a2a3", v->integers, v->out);
    struct tessera_pto_fixpipe options = options_of(v, &r);
    struct tessera_pto_pipe pipe = pipe_make(0, TESSERA_PTO_C2V, M * N * 4, 2);
    int up = tessera_pto_add_pipe(r.program, r.cube, "p", &pipe);
    assert_true(tessera_pto_push(r.program, r.cube, up, r.acc, TESSERA_PTO_NO_SPLIT, 7) >= 0);
    assert_int_equal(tessera_pto_set_fixpipe(r.program, r.cube, &options), 0);
    int vec = tessera_pto_add_function(r.program, "vec", k % 2 ? TESSERA_PTO_VECTOR0 : TESSERA_PTO_VECTORS);
    int down = tessera_pto_add_pipe(r.program, vec, "p", &pipe);
    int x = add_tile(&r, vec, "x", tile(TESSERA_PTO_VEC, v->out, M, N));
    tessera_pto_pop(r.program, vec, down, x, TESSERA_PTO_NO_SPLIT, 8);
    if (k % 2 == 0) tessera_pto_lane_begin(r.program, vec, 0);
    tessera_pto_store(r.program, vec, &(struct tessera_pto_transfer){x, r.c, 0, 0, 0, 0, 9});
    if (k % 2 == 0) tessera_pto_lane_end(r.program, vec);
    tessera_pto_free(r.program, vec, down, TESSERA_PTO_NO_SPLIT, 10);
    double c[M * N] = {0};
    run(&r, c);
    check_conversion(v, c);
  }
}

static void store_converts_and_adds(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof conversions / sizeof conversions[0]; k++) {
    const struct conversion *v = &conversions[k];
    struct rig r = rig_make("a2a3", v->integers, v->out);
    struct tessera_pto_fixpipe options = options_of(v, &r);
    tessera_pto_store(r.program, r.cube, &(struct tessera_pto_transfer){r.acc, r.c, 0, 0, 0, 0, 7});
    assert_int_equal(tessera_pto_set_fixpipe(r.program, r.cube, &options), 0);
    double c[M * N] = {0};
    run(&r, c);
    check_conversion(v, c);
  }
  struct rig r = rig_make("a2a3", false, TESSERA_PTO_F32);
  struct tessera_pto_fixpipe add = {.atomic_add = 1, .scales = -1};
  for (unsigned n = 0; n < 2; n++) {
    tessera_pto_store(r.program, r.cube, &(struct tessera_pto_transfer){r.acc, r.c, 0, 0, 0, 0, 7 + n});
    assert_int_equal(tessera_pto_set_fixpipe(r.program, r.cube, &add), 0);
  }
  double c[M * N];
  for (unsigned i = 0; i < M * N; i++) c[i] = i;
  run(&r, c);
  for (unsigned i = 0; i < M * N; i++) assert_true(c[i] == i + 2 * product(i / N, i % N));
}

/* --- global-tensor forms --- */

/* The Cube fills each of five slots with two stores; the Vectors read theirs in slices. */
static void global_tensors(void **state) {
  (void)state;
  for (unsigned a5 = 0; a5 < 2; a5++) {
    struct rig r = rig_make(a5 ? "a5" : "a2a3", false, TESSERA_PTO_F32);
    struct tessera_pto_pipe pipe = pipe_make(0, a5 ? TESSERA_PTO_C2V_GM : TESSERA_PTO_C2V, M * 2 * N * 4, 2);
    pipe.no_split = 0;
    int out = tessera_pto_add_tensor(r.program, "out", TESSERA_PTO_F32, 5 * M, 2 * N);
    int up = tessera_pto_add_pipe(r.program, r.cube, "p", &pipe);
    int slot = tessera_pto_add_view(r.program, r.cube, TESSERA_PTO_F32, M, 2 * N, TESSERA_PTO_LEFT_RIGHT);
    for (uint32_t n = 0; n < 5; n++) {
      tessera_pto_alloc(r.program, r.cube, up, slot, 10);
      tessera_pto_store_view(r.program, r.cube, slot, 0, 0, r.acc, 11);
      tessera_pto_store_view(r.program, r.cube, slot, 0, N, r.acc, 12);
      assert_true(tessera_pto_push_view(r.program, r.cube, up, slot, 13) >= 0);
    }
    int vec = tessera_pto_add_function(r.program, "vec", TESSERA_PTO_VECTORS);
    int down = tessera_pto_add_pipe(r.program, vec, "p", &pipe);
    int half = tessera_pto_add_view(r.program, vec, TESSERA_PTO_F32, M, N, TESSERA_PTO_LEFT_RIGHT);
    int x = add_tile(&r, vec, "x", tile(TESSERA_PTO_VEC, TESSERA_PTO_F32, 4, N));
    for (uint32_t n = 0; n < 5; n++) {
      assert_true(tessera_pto_pop_view(r.program, vec, down, half, 20) >= 0);
      for (uint32_t row = 0; row < M; row += 4) {
        assert_true(tessera_pto_load_view(r.program, vec, x, half, row, 0, 21) >= 0);
        tessera_pto_store(r.program, vec, &(struct tessera_pto_transfer){x, out, n * M + row, 0, 0, N, 22});
      }
      assert_true(tessera_pto_free_view(r.program, vec, down, half, 23) >= 0);
    }
    struct tessera_pto_machine *m = tessera_pto_start(r.program, NULL);
    if (!m) fail_msg("%s", tessera_pto_error(r.program));
    double a[M * K], b[K * N], got[5 * M * 2 * N];
    for (unsigned i = 0; i < M * K; i++) a[i] = value_a(i);
    for (unsigned i = 0; i < K * N; i++) b[i] = value_b(i);
    tessera_pto_write(m, r.a, a, M * K);
    tessera_pto_write(m, r.b, b, K * N);
    enum tessera_pto_result end = tessera_pto_run(m, UINT64_MAX);
    if (end != TESSERA_PTO_RAN || tessera_pto_hazards(m)) fail_msg("%s", tessera_pto_report(m));
    tessera_pto_read(m, out, got, sizeof got / sizeof got[0]);
    for (unsigned i = 0; i < 5 * M * 2 * N; i++) assert_true(got[i] == product(i / (2 * N) % M, i % N));
    tessera_pto_stop(m);
    char words[4096];
    if (tessera_pto_explore(r.program, 200, words, sizeof words) != 0) fail_msg("%s", words);
    tessera_pto_destroy(r.program);
  }
}

/* --- events and bare flags --- */

static uint64_t time_with_event(bool wait) {
  struct rig r = rig_make("a2a3", false, TESSERA_PTO_F32);
  struct tessera_pto_pipe pipe = pipe_make(0, TESSERA_PTO_C2V, M * N * 4, 2);
  int up = tessera_pto_add_pipe(r.program, r.cube, "p", &pipe);
  int push = tessera_pto_push(r.program, r.cube, up, r.acc, TESSERA_PTO_NO_SPLIT, 7);
  tessera_pto_cost(r.program, r.cube, 50000);
  int event = tessera_pto_record_event(r.program, r.cube, push);
  assert_int_equal(event, 0);
  assert_int_equal(tessera_pto_record_event(r.program, r.cube, push), event);
  if (wait) assert_true(tessera_pto_wait_event(r.program, r.cube, event, 8) >= 0);
  tessera_pto_load(r.program, r.cube, &(struct tessera_pto_transfer){r.scales, r.scale, 0, 0, 0, 0, 9});
  tessera_pto_cost(r.program, r.cube, 50000);
  int vec = tessera_pto_add_function(r.program, "vec", TESSERA_PTO_VECTORS);
  int down = tessera_pto_add_pipe(r.program, vec, "p", &pipe);
  int x = add_tile(&r, vec, "x", tile(TESSERA_PTO_VEC, TESSERA_PTO_F32, M, N));
  tessera_pto_pop(r.program, vec, down, x, TESSERA_PTO_NO_SPLIT, 8);
  double c[M * N] = {0};
  return run(&r, c);
}

static void an_event_orders(void **state) {
  (void)state;
  assert_true(time_with_event(true) > 100000);
  assert_true(time_with_event(false) < 60000);
}

/* C is stored by the Cube and read by a Vector synchronised by flag 9 only. */
static void bare_flags(void **state) {
  (void)state;
  for (unsigned given = 0; given < 2; given++) {
    struct rig r = rig_make("a5", false, TESSERA_PTO_F32);
    int out = tessera_pto_add_tensor(r.program, "out", TESSERA_PTO_F32, M, N);
    tessera_pto_store(r.program, r.cube, &(struct tessera_pto_transfer){r.acc, out, 0, 0, 0, 0, 7});
    if (given) assert_true(tessera_pto_cross_set(r.program, r.cube, TESSERA_PTO_FIX, 9, 8) >= 0);
    int vec = tessera_pto_add_function(r.program, "vec", TESSERA_PTO_VECTOR0);
    int x = add_tile(&r, vec, "x", tile(TESSERA_PTO_VEC, TESSERA_PTO_F32, M, N));
    tessera_pto_manual_sync(r.program, vec);
    assert_true(tessera_pto_cross_wait(r.program, vec, TESSERA_PTO_MTE2, 9, 20) >= 0);
    tessera_pto_load(r.program, vec, &(struct tessera_pto_transfer){x, out, 0, 0, 0, 0, 21});
    tessera_pto_pipe_set(r.program, vec, TESSERA_PTO_MTE2, TESSERA_PTO_MTE3, 1, 22);
    tessera_pto_pipe_wait(r.program, vec, TESSERA_PTO_MTE2, TESSERA_PTO_MTE3, 1, 23);
    tessera_pto_store(r.program, vec, &(struct tessera_pto_transfer){x, r.c, 0, 0, 0, 0, 24});
    assert_true(tessera_pto_barrier(r.program, vec, TESSERA_PTO_ALL_UNITS, 25) >= 0);
    if (given) {
      double c[M * N] = {0};
      run(&r, c);
      for (unsigned i = 0; i < M * N; i++) assert_true(c[i] == product(i / N, i % N));
      continue;
    }
    struct tessera_pto_machine *m = tessera_pto_start(r.program, NULL);
    assert_int_equal(tessera_pto_run(m, UINT64_MAX), TESSERA_PTO_DEADLOCK);
    assert_non_null(strstr(tessera_pto_report(m), "flag 9"));
    tessera_pto_stop(m);
    tessera_pto_destroy(r.program);
  }
}

/* --- invalid calls are rejected, and the first reason is kept --- */

static void refused(void **state) {
  (void)state;
  for (unsigned k = 0; k < 12; k++) {
    struct rig r = rig_make("a2a3", false, TESSERA_PTO_F32);
    struct tessera_pto_pipe pipe = pipe_make(0, TESSERA_PTO_C2V, M * N * 4, 2);
    int p = tessera_pto_add_pipe(r.program, r.cube, "p", &pipe);
    int view = tessera_pto_add_view(r.program, r.cube, TESSERA_PTO_F32, M, N, TESSERA_PTO_NO_SPLIT);
    int push = tessera_pto_push(r.program, r.cube, p, r.acc, TESSERA_PTO_NO_SPLIT, 7);
    struct tessera_pto_fixpipe wrong = {.quant = TESSERA_PTO_DEQF16, .scales = -1};
    struct tessera_pto_fixpipe missing = {.quant = TESSERA_PTO_VDEQF16, .scales = -1};
    int got = 0;
    switch (k) {
      case 0: got = tessera_pto_add_view(r.program, r.cube, TESSERA_PTO_F32, 0, N, TESSERA_PTO_NO_SPLIT); break;
      case 1: got = tessera_pto_alloc(r.program, r.cube, p, view + 100, 8); break;
      case 2: got = tessera_pto_push_view(r.program, r.cube, p + 1, view, 8); break;
      case 3: got = tessera_pto_store_view(r.program, r.cube, view, 1, 0, r.acc, 8); break; /* beyond the slot's rows */
      case 4: got = tessera_pto_record_event(r.program, r.cube, push - 1); break;
      case 5: got = tessera_pto_wait_event(r.program, r.cube, 0, 8); break;
      case 6: got = tessera_pto_cross_set(r.program, r.cube, TESSERA_PTO_ALL_UNITS, 1, 8); break;
      case 7: got = tessera_pto_cross_wait(r.program, r.cube, TESSERA_PTO_S, 32, 8); break;
      case 8: got = tessera_pto_pipe_set(r.program, r.cube, TESSERA_PTO_M, TESSERA_PTO_FIX, 8, 8); break;
      case 9: got = tessera_pto_set_fixpipe(r.program, r.cube, &wrong); break;
      case 10: got = tessera_pto_set_fixpipe(r.program, r.cube, &missing); break;
      default: got = tessera_pto_set_subblock(r.program, r.cube, 2); break;
    }
    assert_int_equal(got, -1);
    assert_true(strlen(tessera_pto_error(r.program)) > 10);
    assert_null(tessera_pto_start(r.program, NULL));
    tessera_pto_destroy(r.program);
  }
}

/* The Cube loads a window of a tensor of bytes (rows in blocks of columns, as NZ has them) and pushes through slots that lie
 * inside another tensor: the contents of the ring are read from it afterwards. */
static void windows_and_slots_in_tensors(void **state) {
  (void)state;
  struct rig r = {.program = tessera_pto_create("a2a3")};
  int in = tessera_pto_add_tensor(r.program, "in", TESSERA_PTO_U8, 1, 4096);
  int ring = tessera_pto_add_tensor(r.program, "ring", TESSERA_PTO_U8, 1, 4096);
  int out = tessera_pto_add_tensor(r.program, "out", TESSERA_PTO_F32, 4, 8);
  int vec = tessera_pto_add_function(r.program, "vec", TESSERA_PTO_VECTORS);
  int x = add_tile(&r, vec, "x", tile(TESSERA_PTO_VEC, TESSERA_PTO_F32, 4, 8));
  int cube = tessera_pto_add_function(r.program, "cube", TESSERA_PTO_CUBE);
  int y = add_tile(&r, cube, "y", tile(TESSERA_PTO_MAT, TESSERA_PTO_F32, 4, 8));
  struct tessera_pto_pipe pipe = {.flag_id = 0,
                                  .dir = TESSERA_PTO_V2C,
                                  .slot_size = 128,
                                  .slot_num = 2,
                                  .gm_addr = 256,
                                  .gm_tensor = ring + 1,
                                  .c2v_addr = TESSERA_PTO_AUTO,
                                  .v2c_addr = TESSERA_PTO_AUTO};
  int up = tessera_pto_add_pipe(r.program, vec, "up", &pipe);
  assert_int_equal(tessera_pto_add_pipe(r.program, cube, "up", &pipe), up);
  /* two blocks of four columns: element (row, col) is number (col / 4) * 16 + row * 4 + col % 4, from byte 64 on */
  struct tessera_pto_window w = {in, TESSERA_PTO_F32, 4, 8, 4, 1, 4, 16, 64};
  assert_true(tessera_pto_load_window(r.program, vec, x, &w, 1) >= 0);
  tessera_pto_store(r.program, vec, &(struct tessera_pto_transfer){x, out, 0, 0, 0, 0, 2});
  tessera_pto_push(r.program, vec, up, x, TESSERA_PTO_NO_SPLIT, 3);
  tessera_pto_pop(r.program, cube, up, y, TESSERA_PTO_NO_SPLIT, 4);
  struct tessera_pto_machine *m = tessera_pto_start(r.program, NULL);
  assert_non_null(m);
  float words[64], slot[32];
  double got[32];
  for (unsigned i = 0; i < 64; i++) words[i] = (float)i;
  assert_int_equal(tessera_pto_write_bytes(m, in, 64, words, sizeof words), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_write_bytes(m, in, 4000, words, 97), TESSERA_PTO_INVALID);
  assert_int_equal(tessera_pto_run(m, UINT64_MAX), TESSERA_PTO_RAN);
  assert_int_equal(tessera_pto_read(m, out, got, 32), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_read_bytes(m, ring, 256, slot, sizeof slot), TESSERA_PTO_OK);
  for (unsigned i = 0; i < 32; i++) {
    unsigned row = i / 8, col = i % 8;
    assert_true(got[i] == (double)(col / 4 * 16 + row * 4 + col % 4));
    assert_true((double)slot[i] == got[i]);
  }
  tessera_pto_stop(m);
  tessera_pto_destroy(r.program);
}

/* Slots that reach beyond the tensor that should contain them. */
static void slots_beyond_their_tensor(void **state) {
  (void)state;
  struct tessera_pto_program *p = tessera_pto_create("a2a3");
  int ring = tessera_pto_add_tensor(p, "ring", TESSERA_PTO_U8, 1, 256);
  int vec = tessera_pto_add_function(p, "vec", TESSERA_PTO_VECTORS);
  struct tessera_pto_pipe pipe = {
      .dir = TESSERA_PTO_V2C, .slot_size = 128, .slot_num = 2, .gm_addr = 1, .gm_tensor = ring + 1};
  assert_true(tessera_pto_add_pipe(p, vec, "up", &pipe) >= 0);
  assert_null(tessera_pto_start(p, NULL));
  assert_non_null(strstr(tessera_pto_error(p), "needs 256 bytes from byte 1 of tensor ring, which has 256"));
  tessera_pto_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(push_converts),
      cmocka_unit_test(store_converts_and_adds),
      cmocka_unit_test(global_tensors),
      cmocka_unit_test(an_event_orders),
      cmocka_unit_test(bare_flags),
      cmocka_unit_test(refused),
      cmocka_unit_test(windows_and_slots_in_tensors),
      cmocka_unit_test(slots_beyond_their_tensor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
