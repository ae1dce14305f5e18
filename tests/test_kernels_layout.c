/* Operations of the kernel library that only move numbers: copy, transpose, tilize, untilize, in every format and both
 * widths of Dst, through SrcA and straight into Dst. Each number's position and value are calculated here and in
 * tests/kernels/layout.h, from the drawings in docs/reference/tiles.md. */
#include "kernels/numbers.h"
#include "kernels/op_case.h"

/* Integers up to this one survive in SrcA and in a 16-bit Dst. */
static int limit_of(unsigned format) {
  switch (format) {
    case NUM_FP8:
    case NUM_BFP4:
    case NUM_BFP4A: return 7;
    case NUM_BFP2:
    case NUM_BFP2A: return 1;
    default: return 127;
  }
}

static int value_at(unsigned format, unsigned tile, unsigned place) {
  uint64_t seed = 1024 * tile + place;
  if (format == NUM_INT16) return (int)(rig_random(&seed) & (place % 3 ? 0xffffu : 0xff00u)); /* low bytes of 0 too */
  return (int)(rig_random(&seed) % (unsigned)(2 * limit_of(format) + 1)) - limit_of(format);
}

static void fill_integers(struct rig *r, const struct op_case *c) {
  for (unsigned tile = 0; tile < 16; tile++)
    for (unsigned i = 0; i < 1024; i++)
      number_put(c->in0, r->t->l1 + IN0 + tile * golden_tile_bytes(c->in0), i, value_at(c->in0, tile, i), 0);
}

static const char *const op_names[] = {"eltwise", "copy", "transpose", "reduce", "sfpu", "block", "tilize", "untilize"};

static void check_integers(const struct op_case *c, bool timing) {
  struct rig *r = run_op(c, timing, fill_integers);
  for (unsigned n = 0; n < c->tiles * (c->p ? c->p : 1) * 1024; n++) {
    unsigned from = source_of(c->op, c->p, n / 1024, n % 1024);
    double want = value_at(c->in0, from / 1024, from % 1024);
    double got = number_get(c->out, r->t->l1 + OUT + n / 1024 * golden_tile_bytes(c->out), n % 1024);
    if (got != want)
      fail_msg("%s of %s, width %u, Dst%s%s%s, page %u place %u: %g, expected %g", op_names[c->op], num_format_name(c->in0),
               c->p, c->wide ? "32" : "16", c->full ? " whole" : "", c->to_dst ? " directly" : "", n / 1024, n % 1024, got,
               want);
  }
  rig_free(r);
}

static const unsigned formats[] = {NUM_BF16, NUM_TF32,  NUM_FP32,  NUM_FP16,  NUM_FP8,  NUM_BFP8,  NUM_BFP4,
                                   NUM_BFP2, NUM_BFP8A, NUM_BFP4A, NUM_BFP2A, NUM_INT8, NUM_INT32, NUM_INT16};

static unsigned out_format(unsigned in, bool wide) {
  if (in == NUM_INT8 || in == NUM_INT32) return NUM_INT32;
  if (in == NUM_INT16) return NUM_INT16;
  return wide ? NUM_FP32 : golden_is_fp16(in) ? NUM_FP16 : NUM_BF16;
}

static void check_widths(unsigned op, unsigned format, bool wide) {
  if ((format == NUM_INT8 || format == NUM_INT32) && !wide) return; /* integers need a 32-bit Dst */
  if (op == OP_TILIZE && num_format_is_block(format)) return;       /* refused: test_refused */
  bool rows = op == OP_TILIZE || op == OP_UNTILIZE;
  for (unsigned wt = rows; wt <= (rows ? 8 : 0); wt += wt == 4 ? 4 : 1) {
    bool full = wt == (wide ? 8 : 16) || (wt & 1);
    if (wt > (wide ? 4u : 8u) && !full) continue;
    struct op_case c = {op, wt, 0, format, format, out_format(format, wide), 0, wide, full, 0, 0, rows ? 2 : 3, 0, 0, false};
    check_integers(&c, wt != 2);
  }
}

static void test_integers_of_every_format(void **state) {
  (void)state;
  static const unsigned ops[] = {OP_COPY, OP_TRANSPOSE, OP_TILIZE, OP_UNTILIZE};
  for (unsigned i = 0; i < 4; i++)
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
      for (unsigned wide = 0; wide < 2; wide++) check_widths(ops[i], formats[f], wide);
}

/* --- 32 bits unpacked directly into Dst: every bit is kept --- */

static uint32_t bits_at(unsigned format, unsigned n) {
  uint64_t seed = n + 1000000;
  uint32_t bits = (uint32_t)rig_random(&seed);
  if (format == NUM_INT32) return bits << 1 ? bits : 0; /* no -0 */
  uint32_t exponent = bits >> 23 & 0xffu;               /* the packer changes numbers with exponent 0 or 255 */
  return exponent == 0 || exponent == 255 ? bits ^ 0x40000000u : bits;
}

static void fill_bits(struct rig *r, const struct op_case *c) {
  for (unsigned n = 0; n < 16 * 1024; n++) number_bits(r->t->l1 + IN0, n, 4, bits_at(c->in0, n));
}

static void check_bits(const struct op_case *c, bool timing, uint32_t flipped) {
  struct rig *r = run_op(c, timing, fill_bits);
  for (unsigned n = 0; n < c->tiles * (c->op >= OP_TILIZE ? c->p : 1) * 1024; n++) {
    uint32_t got, want = bits_at(c->in0, source_of(c->op, c->p, n / 1024, n % 1024)) ^ flipped;
    memcpy(&got, r->t->l1 + OUT + 4 * n, 4);
    if (got != want)
      fail_msg("%s of %s, width %u, Dst%s, number %u: %08x, expected %08x", op_names[c->op], num_format_name(c->in0), c->p,
               c->full ? " whole" : "", n, got, want);
  }
  rig_free(r);
}

static void test_bits_through_dst(void **state) {
  (void)state;
  static const unsigned ops[] = {OP_COPY, OP_TRANSPOSE, OP_TILIZE, OP_UNTILIZE};
  static const unsigned wide_formats[] = {NUM_INT32, NUM_FP32, NUM_TF32};
  for (unsigned i = 0; i < 4; i++)
    for (unsigned f = 0; f < 3; f++)
      for (unsigned k = 0; k < 6; k++) {
        unsigned wt = ops[i] >= OP_TILIZE ? 1 + k % 4 : 0, format = wide_formats[f];
        unsigned out = format == NUM_INT32 ? NUM_INT32 : NUM_FP32;
        struct op_case c = {ops[i], wt, 0, format, format, out, 0, true, k & 1, 0, 0, 3, 0, 0, format != NUM_INT32};
        check_bits(&c, k > 1, 0);
      }
}

/* The operand of a function of the vector unit: TF32 when it comes through SrcA, otherwise all of FP32. */
static void test_sfpu_sees_all_bits(void **state) {
  (void)state;
  enum { NEGATIVE = 11 };
  struct op_case c = {OP_SFPU, NEGATIVE, 0, NUM_FP32, NUM_FP32, NUM_FP32, 0, true, false, 0, 0, 3, 0, 0, true};
  check_bits(&c, true, 0x80000000u);
}

/* Integers are not floats, but max(x, 0) gives the same bits: it uses all 31 bits of the magnitude. */
static void test_relu_of_integers(void **state) {
  (void)state;
  enum { RELU = 8 };
  struct op_case c = {OP_SFPU, RELU, 0, NUM_INT32, NUM_INT32, NUM_INT32, 0, true, false, 0, 0, 3, 0, 0, false};
  struct rig *r = run_op(&c, true, fill_bits);
  for (unsigned n = 0; n < 3 * 1024; n++) {
    uint32_t got, in = bits_at(NUM_INT32, n);
    memcpy(&got, r->t->l1 + OUT + 4 * n, 4);
    assert_int_equal(got, in >> 31 ? 0 : in);
  }
  rig_free(r);
}

/* --- bad use --- */

struct refusal {
  unsigned op, format;
  bool wide;
  unsigned dst; /* of a copy */
  bool to_dst;
  const char *words;
};

static void expect_refusal(const struct refusal *x) {
  static void (*const cores[])(void) = {ops_unpack, ops_math};
  struct launch l;
  struct rig *r = rig_new(true);
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, x->format, 2);
  buffer(&l, 1, IN1, x->format, 2);
  buffer(&l, 16, OUT, x->format == NUM_INT32 ? NUM_INT32 : NUM_BF16, 2);
  uint32_t args[] = {1, 0, 0, 4, 0, x->wide, 0, x->op, 0, 0, 0, 1, x->dst};
  memcpy(l.args, args, sizeof args);
  l.args[18] = x->to_dst;
  unsigned core = x->op == OP_SFPU || (x->op == OP_ELTWISE && x->format == NUM_INT16); /* which of them notices */
  record_kernel(r, core, cores[core], &l);
  if (!strstr(record_failure(), x->words)) fail_msg("said \"%s\", not \"%s\"", record_failure(), x->words);
  rig_free(r);
}

static void test_refused(void **state) {
  (void)state;
  static const struct refusal refusals[] = {
      {OP_COPY, NUM_INT32, false, 0, false, "INT32 is held by a 32-bit Dst only"},
      {OP_ELTWISE, NUM_INT32, true, 0, false, "SrcA and SrcB hold no INT32"},
      {OP_ELTWISE, NUM_INT16, false, 0, false, "the matrix unit copies and transposes UINT16, and computes nothing with it"},
      {OP_ELTWISE, NUM_INT16, true, 0, false, "the matrix unit copies and transposes UINT16, and computes nothing with it"},
      {OP_SFPU, NUM_INT32, true, 0, false, "only relu and the integer functions take integers"},
      {OP_TILIZE, NUM_BFP8, true, 0, false, "numbers that share exponents are not row-major"},
      {OP_TILIZE, NUM_BFP8, false, 0, false, "numbers that share exponents are not row-major"},
      {OP_COPY, NUM_FP32, true, 4, true, "tile %u does not fit into this part of Dst, which has tiles 0 to 3"},
      {OP_COPY, NUM_INT32, true, 7, false, "tile %u does not fit into this part of Dst, which has tiles 0 to 3"},
      {OP_COPY, NUM_FP32, false, 0, true, "UNPACK_TO_DST is for a 32-bit Dst"},
  };
  for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++) expect_refusal(&refusals[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers_of_every_format),
      cmocka_unit_test(test_bits_through_dst),
      cmocka_unit_test(test_sfpu_sees_all_bits),
      cmocka_unit_test(test_relu_of_integers),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
