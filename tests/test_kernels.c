/* The kernel library, coprocessor side: kernels recorded on the host, run by scripted cores, compared bit by bit with
 * calculations independent of the library (tests/kernels/golden.h). The same sources run on the RISC-V cores in
 * test_kernels_cores.c. */
#include <math.h>

#include "kernels/numbers.h"
#include "kernels/op_case.h"
#include "scale.h"

KERNEL(matmul)

struct shape {
  unsigned mt, kt, nt;
};

/* Random datums of moderate size, so that sums stay in range: exponents near 1.0. */
static void random_tile(unsigned format, uint8_t *tile, uint64_t *seed) {
  unsigned bytes = golden_tile_bytes(format);
  for (unsigned i = 0; i < bytes; i++) tile[i] = (uint8_t)rig_random(seed);
  if (num_format_is_block(format))
    for (unsigned i = 0; i < 64; i++) tile[i] = (uint8_t)(golden_is_fp16(format) ? 14 + tile[i] % 4 : 124 + tile[i] % 6);
  for (unsigned i = 0; i < 1024 && format == NUM_BF16; i++) tile[2 * i + 1] = (uint8_t)((tile[2 * i + 1] & 0x80) | 0x3f);
  for (unsigned i = 0; i < 1024 && (format == NUM_FP32 || format == NUM_TF32); i++)
    tile[4 * i + 3] = (uint8_t)((tile[4 * i + 3] & 0x80) | 0x3f);
  for (unsigned i = 0; i < 1024 && format == NUM_FP16; i++) tile[2 * i + 1] = (uint8_t)((tile[2 * i + 1] & 0x87) | 0x38);
}

struct setting {
  unsigned in0, in1, out, fidelity, throttle;
  bool wide, full;
};

/* A rig with random tiles; fills the launch block. */
static struct rig *matmul_rig(const struct setting *s, struct shape shape, bool timing, uint64_t seed, struct launch *l) {
  struct rig *r = rig_new(timing);
  unsigned tiles0 = shape.mt * shape.nt * shape.kt;
  memset(l, 0, sizeof *l);
  buffer(l, 0, IN0, s->in0, tiles0);
  buffer(l, 1, IN1, s->in1, tiles0);
  buffer(l, 16, OUT, s->out, shape.mt * shape.nt);
  uint32_t args[] = {shape.mt, shape.kt, shape.nt, s->fidelity, s->throttle, s->wide, s->full};
  memcpy(l->args, args, sizeof args);
  for (unsigned i = 0; i < tiles0; i++) {
    random_tile(s->in0, r->t->l1 + IN0 + i * golden_tile_bytes(s->in0), &seed);
    random_tile(s->in1, r->t->l1 + IN1 + i * golden_tile_bytes(s->in1), &seed);
  }
  return r;
}

static void check_matmul(const struct setting *s, struct shape shape, bool timing, uint64_t seed) {
  struct launch l;
  struct rig *r = matmul_rig(s, shape, timing, seed, &l);
  record_kernel(r, 0, matmul_unpack, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 1, matmul_math, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 2, matmul_pack, &l);
  assert_string_equal(record_failure(), "");
  rig_run_well(r);
  for (unsigned tile = 0; tile < shape.mt * shape.nt; tile++) {
    struct golden_dst dst;
    struct golden_src in0, in1;
    uint8_t expected[4096] = {0};
    memset(&dst, 0, sizeof dst);
    for (unsigned k = 0; k < shape.kt; k++) {
      golden_unpack(s->in0, s->wide, r->t->l1 + IN0 + (tile * shape.kt + k) * golden_tile_bytes(s->in0), &in0);
      golden_unpack(s->in1, s->wide, r->t->l1 + IN1 + (tile * shape.kt + k) * golden_tile_bytes(s->in1), &in1);
      golden_matmul(s->in0, s->in1, s->wide, s->fidelity, &in0, &in1, &dst);
    }
    assert_true(golden_pack(s->in0, s->out, s->wide, 0, &dst, expected));
    unsigned bytes = golden_tile_bytes(s->out);
    const uint8_t *got = r->t->l1 + OUT + tile * bytes;
    for (unsigned i = 0; i < bytes; i++)
      if (got[i] != expected[i])
        fail_msg("in %s x %s out %s fidelity %u throttle %u %s %s tile %u byte %u: %02x, expected %02x",
                 num_format_name(s->in0), num_format_name(s->in1), num_format_name(s->out), s->fidelity, s->throttle,
                 s->wide ? "Dst32" : "Dst16", s->full ? "full" : "half", tile, i, got[i], expected[i]);
  }
  for (unsigned i = 0; i < r->t->diag.finding_count && rig_findings(r); i++)
    print_message("%s: %s\n", tx_diag_infos[r->t->diag.findings[i].id].name, r->t->diag.findings[i].why);
  assert_int_equal(rig_findings(r), 0);
  rig_free(r);
}

static void test_matmul_bf16(void **state) {
  (void)state;
  struct setting s = {NUM_BF16, NUM_BF16, NUM_BF16, 0, 0, false, false};
  check_matmul(&s, (struct shape){1, 1, 1}, true, 1);
  check_matmul(&s, (struct shape){2, 3, 2}, true, 2);
}

/* Every format, every fidelity, both views of Dst, with and without double buffering. */
static void test_matmul_formats(void **state) {
  (void)state;
  static const struct {
    unsigned in, out16, out32;
  } formats[] = {
      {NUM_BF16, NUM_BF16, NUM_FP32}, {NUM_TF32, NUM_FP32, NUM_FP32},   {NUM_FP32, NUM_BF16, NUM_BF16},
      {NUM_FP16, NUM_FP16, NUM_FP32}, {NUM_BFP8, NUM_BFP8, NUM_BFP8},   {NUM_BFP4, NUM_BF16, NUM_BFP4},
      {NUM_FP8, NUM_FP16, NUM_FP32},  {NUM_BFP8A, NUM_BFP8A, NUM_FP32}, {NUM_INT8, NUM_FORMAT_CODES, NUM_INT32},
  };
  static const unsigned fidelities[] = {0, 2, 3, 4};
  uint64_t seed = 3;
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
    for (unsigned i = 0; i < 16; i++) {
      struct setting s = {formats[f].in, formats[f].in, 0, fidelities[i % 4], 0, i & 4, i & 8};
      s.out = s.wide ? formats[f].out32 : formats[f].out16;
      if (s.out == NUM_FORMAT_CODES) continue;
      check_matmul(&s, (struct shape){2, 1 + i % 3, 1}, true, seed++);
    }
}

/* K up to 16 tiles; timing off gives the same bits (each is compared with the same calculation). */
static void test_matmul_depth(void **state) {
  (void)state;
  for (unsigned k = 1; k <= 16; k *= 2) {
    struct setting s = {NUM_BF16, NUM_BFP8, NUM_BF16, 2, 0, k & 5, false};
    check_matmul(&s, (struct shape){1, k, 1}, true, k);
    check_matmul(&s, (struct shape){1, k, 1}, false, k);
  }
}

static void test_matmul_throttle(void **state) {
  (void)state;
  for (unsigned level = 1; level <= 5; level++)
    for (unsigned fidelity = 0; fidelity <= 4; fidelity += 2) {
      struct setting s = {NUM_BF16, NUM_BF16, NUM_BF16, fidelity, level, false, false};
      check_matmul(&s, (struct shape){2, 2, 1}, true, 100 * level + fidelity);
    }
}

/* Thread 0 unpacks the next tile while thread 1 computes and thread 2 packs the previous one. First and last
 * instruction of each, per output tile; drawn in docs/guide/pipeline.md. */
struct span {
  uint64_t first, last;
};

static struct span issued_span(const struct rig *r, unsigned thread, uint8_t opcode, unsigned from, unsigned count) {
  return (struct span){rig_issued(r, thread, opcode, from)->at, rig_issued(r, thread, opcode, from + count - 1)->at};
}

static bool overlap(struct span a, struct span b) { return a.first <= b.last && b.first <= a.last; }

static void test_three_tiles_overlap(void **state) {
  (void)state;
  struct setting s = {NUM_BF16, NUM_BF16, NUM_BF16, 4, 0, false, false};
  struct shape shape = {8, 1, 1};
  struct launch l;
  struct rig *r = matmul_rig(&s, shape, true, 5, &l);
  record_kernel(r, 0, matmul_unpack, &l);
  record_kernel(r, 1, matmul_math, &l);
  record_kernel(r, 2, matmul_pack, &l);
  rig_run_well(r);
  unsigned at_once = 0;
  for (unsigned tile = 0; tile < 8; tile++) {
    struct span u = issued_span(r, 0, TX_UNPACR, 2 * tile, 2), m = issued_span(r, 1, TX_MVMUL, 64 * tile, 64);
    struct span p = issued_span(r, 2, TX_PACR, 16 * tile, 16);
    print_message("tile %u: unpack %llu to %llu, math %llu to %llu, pack %llu to %llu\n", tile, (unsigned long long)u.first,
                  (unsigned long long)u.last, (unsigned long long)m.first, (unsigned long long)m.last,
                  (unsigned long long)p.first, (unsigned long long)p.last);
    if (tile == 0 || tile == 7) continue;
    struct span next = issued_span(r, 0, TX_UNPACR, 2 * tile + 2, 2),
                previous = issued_span(r, 2, TX_PACR, 16 * tile - 16, 16);
    at_once += next.first <= m.last && overlap(m, previous);
  }
  assert_true(at_once >= 5); /* of the six tiles that have a predecessor and a successor */
  rig_free(r);
}

/* --- the other operations: tests/kernels/ops.c --- */

static void fill_random(struct rig *r, const struct op_case *c) {
  uint64_t seed = 77 + c->op * 100 + c->p * 10 + c->q;
  for (unsigned i = 0; i < 16; i++) {
    random_tile(c->in0, r->t->l1 + IN0 + i * golden_tile_bytes(c->in0), &seed);
    random_tile(c->in1, r->t->l1 + IN1 + i * golden_tile_bytes(c->in1), &seed);
  }
}

static void check_tile(const struct rig *r, const struct op_case *c, unsigned tile, const struct golden_dst *dst) {
  uint8_t expected[4096] = {0};
  unsigned bytes = golden_tile_bytes(c->out);
  assert_true(golden_pack(c->in0, c->out, c->wide, c->relu, dst, expected));
  const uint8_t *got = r->t->l1 + OUT + tile * bytes;
  for (unsigned i = 0; i < bytes; i++)
    if (got[i] != expected[i])
      fail_msg("op %u (%u, %u) in %s x %s out %s %s tile %u byte %u: %02x, expected %02x", c->op, c->p, c->q,
               num_format_name(c->in0), num_format_name(c->in1), num_format_name(c->out), c->wide ? "Dst32" : "Dst16", tile,
               i, got[i], expected[i]);
}

static void unpack_inputs(const struct rig *r, const struct op_case *c, unsigned tile, struct golden_src *a,
                          struct golden_src *b) {
  golden_unpack(c->in0, c->wide, r->t->l1 + IN0 + tile * golden_tile_bytes(c->in0), a);
  golden_unpack(c->in1, c->wide, r->t->l1 + IN1 + tile * golden_tile_bytes(c->in1), b);
}

static void golden_eltwise(const struct op_case *c, const struct golden_src *a, const struct golden_src *b,
                           struct golden_dst *dst) {
  unsigned phases = c->p == 2 && c->fidelity ? c->fidelity : 1;
  for (unsigned phase = 0; phase < phases; phase++)
    for (unsigned i = 0; i < 1024; i++) {
      struct num_fpu_mode mode = golden_mode(c->in0, c->in1, c->wide, phase);
      unsigned row = i / 32, column = i % 32;
      unsigned brow = c->q == BCAST_ROW || c->q == BCAST_SCALAR ? 0 : row,
               bcolumn = c->q == BCAST_COL || c->q == BCAST_SCALAR ? 0 : column;
      uint32_t x = a->datum[face_row(row, column)][column % 16], y = b->datum[face_row(brow, bcolumn)][bcolumn % 16];
      uint32_t *d = &dst->value[face_row(row, column)][column % 16];
      *d = c->p == 2 ? num_fpu_mul(x, y, *d, &mode) : num_fpu_add(x, y, c->p == 1, 0, &mode);
    }
}

/* Runs twice: the second run accumulates onto the first. */
static void golden_eltwise_onto(const struct op_case *c, const struct golden_src *a, const struct golden_src *b,
                                struct golden_dst *dst) {
  for (unsigned i = 0; i < 2 * 1024; i++) {
    struct num_fpu_mode mode = golden_mode(c->in0, c->in1, c->wide, 0);
    unsigned row = face_row(i / 32 % 32, i % 32);
    uint32_t *d = &dst->value[row][i % 16];
    *d = num_fpu_add(a->datum[row][i % 16], b->datum[row][i % 16], c->p == 1, *d, &mode);
  }
}

static void test_eltwise(void **state) {
  (void)state;
  for (unsigned type = 0; type < 3; type++)
    for (unsigned broadcast = 0; broadcast < 4; broadcast++)
      for (unsigned wide = 0; wide < 2; wide++) {
        struct op_case c = {
            OP_ELTWISE, type, broadcast, NUM_BF16, NUM_BF16, wide ? NUM_FP32 : NUM_BF16, broadcast ? 4u : 2u, wide, false, 0,
            0,          3,    0,         0,        false};
        struct rig *r = run_op(&c, type != 1, fill_random);
        for (unsigned tile = 0; tile < c.tiles; tile++) {
          struct golden_src a, b;
          struct golden_dst dst;
          memset(&dst, 0, sizeof dst);
          unpack_inputs(r, &c, tile, &a, &b);
          golden_eltwise(&c, &a, &b, &dst);
          check_tile(r, &c, tile, &dst);
        }
        rig_free(r);
      }
}

/* Operands from Dst, accumulation onto Dst, and copies that broadcast a column, row or number: same results as the operations they replace. */
static void check_like_eltwise(const struct op_case *c, unsigned type, unsigned broadcast, bool swapped, unsigned times) {
  struct rig *r = run_op(c, true, fill_random);
  struct op_case like = *c;
  like.p = type;
  like.q = broadcast;
  for (unsigned tile = 0; tile < c->tiles; tile++) {
    struct golden_src a, b;
    struct golden_dst dst;
    memset(&dst, 0, sizeof dst);
    unpack_inputs(r, c, tile, &a, &b);
    if (c->op == OP_REPEAT) {
      b = a;
      memset(&a, 0, sizeof a);
    }
    if (times == 2) golden_eltwise_onto(&like, &a, &b, &dst);
    else golden_eltwise(&like, swapped ? &b : &a, swapped ? &a : &b, &dst);
    check_tile(r, c, tile, &dst);
  }
  rig_free(r);
}

static void test_operands_from_dst(void **state) {
  (void)state;
  for (unsigned i = 0; i < 12; i++) {
    unsigned type = i % 3, to_srcb = i / 3 % 2, wide = i / 6;
    struct op_case c = {OP_REUSE, type, to_srcb, NUM_BF16, NUM_BF16, wide ? NUM_FP32 : NUM_BF16, 4, wide, false, 0,
                        0,        3,    0,       0,        false};
    check_like_eltwise(&c, type, 0, to_srcb, 1);
  }
  for (unsigned broadcast = 0; broadcast < 4; broadcast++) {
    struct op_case c = {OP_REPEAT, 0, broadcast, NUM_BF16, NUM_BF16, NUM_BF16, 0, false, false, 0, 0, 3, 0, 0, false};
    check_like_eltwise(&c, 0, broadcast, false, 1);
  }
  for (unsigned type = 0; type < 2; type++) {
    struct op_case c = {OP_ONTO, type, 0, NUM_BF16, NUM_BF16, NUM_FP32, 0, true, false, 0, 0, 2, 0, 0, false};
    check_like_eltwise(&c, type, 0, false, 2);
  }
}

/* A copy in a 16-bit Dst keeps every bit; transposed, element (i, j) comes from (j, i). */
static void test_copy_and_transpose(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    struct op_case c = {
        i & 1 ? OP_TRANSPOSE : OP_COPY, 0, 0, NUM_BF16, NUM_BF16, NUM_BF16, 0, i & 2, false, 0, 0, 3, 0, 0, false};
    struct rig *r = run_op(&c, true, fill_random);
    const uint8_t *in = r->t->l1 + IN0, *out = r->t->l1 + OUT;
    for (unsigned n = 0; n < 3 * 1024; n++) {
      unsigned row = n / 32 % 32, column = n % 32, tile = n / 1024 * 2048;
      unsigned from = i & 1 ? 16 * face_row(column, row) + row % 16 : 16 * face_row(row, column) + column % 16;
      unsigned to = 16 * face_row(row, column) + column % 16;
      assert_memory_equal(out + tile + 2 * to, in + tile + 2 * from, 2);
    }
    rig_free(r);
  }
}

/* Blocks with reuse of in0 (ct >= rt) and of in1 (rt > ct). */
static void test_matmul_block(void **state) {
  (void)state;
  static const unsigned shapes[][2] = {{1, 1}, {3, 1}, {1, 3}, {2, 2}, {4, 2}, {2, 4}};
  for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    unsigned ct = shapes[i][0], rt = shapes[i][1];
    struct op_case c = {OP_BLOCK, ct, rt, NUM_BF16, NUM_BFP8, NUM_BF16, i & 1 ? 3 : 0, false, false, 0, 0, 2, 0, 0, false};
    struct rig *r = run_op(&c, true, fill_random);
    for (unsigned n = 0; n < 2 * ct * rt; n++) {
      unsigned pass = n / (ct * rt), row = n / ct % rt, column = n % ct;
      struct golden_src in0, in1;
      struct golden_dst dst;
      memset(&dst, 0, sizeof dst);
      golden_unpack(c.in0, false, r->t->l1 + IN0 + (pass * rt + row) * golden_tile_bytes(c.in0), &in0);
      golden_unpack(c.in1, false, r->t->l1 + IN1 + (pass * ct + column) * golden_tile_bytes(c.in1), &in1);
      golden_matmul(c.in0, c.in1, false, c.fidelity, &in0, &in1, &dst);
      check_tile(r, &c, n, &dst);
    }
    rig_free(r);
  }
}

/* Row-major rows of 32 wt numbers to tiles, and back. */
static void test_tilize(void **state) {
  (void)state;
  for (unsigned wt = 1; wt <= 8; wt = wt * 2 + (wt == 2))
    for (unsigned back = 0; back < 2; back++) {
      struct op_case c = {
          back ? OP_UNTILIZE : OP_TILIZE, wt, 0, NUM_BF16, NUM_BF16, NUM_BF16, 0, false, false, 0, 0, 2, 0, 0, false};
      struct rig *r = run_op(&c, true, fill_random);
      const uint8_t *in = r->t->l1 + IN0, *out = r->t->l1 + OUT;
      for (unsigned n = 0; n < 2 * 32 * 32 * wt; n++) {
        unsigned block = n / (1024 * wt) * 1024 * wt, row = n / (32 * wt) % 32, column = n % (32 * wt);
        unsigned tiled = block + column / 32 * 1024 + 16 * face_row(row, column % 32) + column % 16;
        assert_memory_equal(out + 2 * (back ? n : tiled), in + 2 * (back ? tiled : n), 2);
      }
      rig_free(r);
    }
}

/* ReLU: copies keep positive numbers and zero the others. Accumulation: the output changes from x to x + copy, exactly for
 * small integers. */
static void test_pack_relu(void **state) {
  (void)state;
  struct op_case c = {OP_COPY, 0, 0, NUM_BF16, NUM_BF16, NUM_BF16, 0, false, false, 1, 0, 2, 0, 0, false};
  struct rig *r = run_op(&c, true, fill_random);
  for (unsigned i = 0; i < 2048; i++) {
    uint16_t in, out;
    memcpy(&in, r->t->l1 + IN0 + 2 * i, 2);
    memcpy(&out, r->t->l1 + OUT + 2 * i, 2);
    assert_int_equal(out, in & 0x8000 ? 0 : in);
  }
  rig_free(r);
}

static uint16_t bf16_of(int n) {
  float f = (float)n;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return (uint16_t)(bits >> 16);
}

static void fill_integers(struct rig *r, const struct op_case *c) {
  (void)c;
  for (unsigned i = 0; i < 2048; i++) {
    uint16_t in = bf16_of((int)(i % 61) - 30), out = bf16_of((int)(i % 47) - 20);
    memcpy(r->t->l1 + IN0 + 2 * i, &in, 2);
    memcpy(r->t->l1 + OUT + 2 * i, &out, 2);
  }
}

static void test_pack_accumulate(void **state) {
  (void)state;
  struct op_case c = {OP_COPY, 0, 0, NUM_BF16, NUM_BF16, NUM_BF16, 0, false, false, 0, 1, 2, 0, 0, false};
  struct rig *r = run_op(&c, true, fill_integers);
  for (unsigned i = 0; i < 2048; i++) {
    uint16_t out;
    memcpy(&out, r->t->l1 + OUT + 2 * i, 2);
    assert_int_equal(out, bf16_of((int)(i % 61) - 30 + (int)(i % 47) - 20));
  }
  rig_free(r);
}

/* The vector unit's functions against libm, in FP32. */
static double reference(unsigned function, double x) {
  double s = 1 / (1 + exp(-x));
  switch (function) {
    case 0: return exp(x);
    case 1: return 1 / x;
    case 2: return sqrt(x);
    case 3: return 1 / sqrt(x);
    case 4: return s;
    case 5: return tanh(x);
    case 6: return 0.5 * x * erfc(-x / sqrt(2));
    case 7: return x * s;
    case 8: return x > 0 ? x : 0;
    case 9: return fabs(x);
    case 10: return x * x;
    default: return -x;
  }
}

static double argument(unsigned function, unsigned i) {
  double x = ((double)i - 1023.5) / 128; /* -8 to 8 */
  return function >= 1 && function <= 3 ? exp(fabs(x)) * (function == 1 && i & 1 ? -1 : 1) : x;
}

static void fill_arguments(struct rig *r, const struct op_case *c) {
  for (unsigned i = 0; i < 2048; i++) {
    /* SrcA holds TF32: thirteen bits are dropped */
    float x = (float)argument(c->p, i);
    uint32_t bits;
    memcpy(&bits, &x, 4);
    bits &= ~0x1fffu;
    memcpy(r->t->l1 + IN0 + 4 * i, &bits, 4);
  }
}

static void test_sfpu(void **state) {
  (void)state;
  static const char *const names[] = {"exp",  "recip", "sqrt", "rsqrt", "sigmoid", "tanh",
                                      "gelu", "silu",  "relu", "abs",   "square",  "negative"};
  for (unsigned function = 0; function < 12; function++) {
    struct op_case c = {OP_SFPU, function, 0, NUM_FP32, NUM_FP32, NUM_FP32, 0, true, false, 0, 0, 2, 0, 0, false};
    struct rig *r = run_op(&c, true, fill_arguments);
    double worst = 0;
    for (unsigned i = 0; i < 2048; i++) {
      float x, y;
      memcpy(&x, r->t->l1 + IN0 + 4 * i, 4);
      memcpy(&y, r->t->l1 + OUT + 4 * i, 4);
      double expected = reference(function, x), scale = fabs(expected) > 1e-3 || function < 4 ? fabs(expected) : 1e-3;
      double error = scale > 0 ? fabs((double)y - expected) / scale : fabs((double)y);
      if (!(error <= worst)) worst = error;
    }
    print_message("%-9s worst error %.1e\n", names[function], worst);
    assert_true(worst < 2e-6);
    rig_free(r);
  }
}

/* In a 16-bit Dst: the argument is representable in the format, the result is truncated to it. */
static void fill_narrow_arguments(struct rig *r, const struct op_case *c) {
  for (unsigned i = 0; i < 2048; i++) {
    int exponent, bits = c->in0 == NUM_FP16 ? 11 : 8;
    double m = frexp(argument(c->p, i), &exponent), x = ldexp(trunc(ldexp(m, bits)), exponent - bits);
    uint32_t datum = c->in0 == NUM_FP16 ? number_fp16_bits(x) : number_float_bits(x) >> 16;
    number_bits(r->t->l1 + IN0, i, 2, datum);
  }
}

static void test_sfpu_narrow(void **state) {
  (void)state;
  for (unsigned i = 0; i < 24; i++) {
    unsigned format = i < 12 ? NUM_BF16 : NUM_FP16;
    struct op_case c = {OP_SFPU, i % 12, 0, format, format, format, 0, false, false, 0, 0, 2, 0, 0, false};
    struct rig *r = run_op(&c, true, fill_narrow_arguments);
    for (unsigned n = 0; n < 2048; n++) {
      double x = number_get(format, r->t->l1 + IN0, n), y = number_get(format, r->t->l1 + OUT, n), want = reference(c.p, x);
      double error = fabs(y - want), unit = format == NUM_FP16 ? 1.0 / 1024 : 1.0 / 128;
      if (!(error <= fabs(want) * unit + 6.2e-5)) fail_msg("function %u of %g: %g, expected %g", c.p, x, y, want);
    }
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matmul_bf16),
      cmocka_unit_test(test_matmul_formats),
      cmocka_unit_test(test_matmul_depth),
      cmocka_unit_test(test_matmul_throttle),
      cmocka_unit_test(test_three_tiles_overlap),
      cmocka_unit_test(test_matmul_block),
      cmocka_unit_test(test_eltwise),
      cmocka_unit_test(test_operands_from_dst),
      cmocka_unit_test(test_copy_and_transpose),
      cmocka_unit_test(test_tilize),
      cmocka_unit_test(test_pack_relu),
      cmocka_unit_test(test_pack_accumulate),
      cmocka_unit_test(test_sfpu),
      cmocka_unit_test(test_sfpu_narrow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
