/* GMPOOL: per column the maximum of 16 SrcA rows and a Dst row, with the partial argmax. ISA: GMPOOL.md, functional model.
 *
 * SrcA is scaled by powers of two first: row i by the exponent of SrcB[row][i]. Numbers compare as sign and magnitude with a
 * nine-bit exponent; the result is written back less the exponent of 1.0, so a scale other than 1.0 wraps. */
#include "tensix/unit/matrix/access.h"

struct datum {
  uint32_t sign;
  uint32_t exponent; /* 9 bits */
  uint32_t mantissa; /* or magnitude, 10 bits */
};

enum dst_style { DST_BF16, DST_FP16, DST_TF32, DST_INT32 };

static enum dst_style dst_style(const struct tx_matrix_setup *setup, bool argmax) {
  switch (setup->style) {
    case TX_STYLE_INT8: return DST_INT32;
    case TX_STYLE_TF32: return argmax ? DST_INT32 : setup->wide ? DST_TF32 : DST_BF16;
    case TX_STYLE_FP16: return setup->wide && !argmax ? DST_TF32 : DST_FP16;
    default: return setup->wide && !argmax ? DST_TF32 : DST_BF16;
  }
}

/* `bits` is a Dst datum as stored; a 16-bit one is in the high half. */
static struct datum read_dst(uint32_t bits, enum dst_style style) {
  struct datum d = {.sign = bits >> 31};
  switch (style) {
    case DST_INT32: /* 19 bits of magnitude: low half, then the low bits of its middle part */
      d.mantissa = bits & 0x3ffu;
      d.exponent = (bits >> 10 & 0x3fu) + ((bits >> 24 & 7u) << 6);
      break;
    case DST_FP16:
      d.exponent = (bits >> 16 & 0x1fu) + 15u;
      d.mantissa = bits >> 21 & 0x3ffu;
      break;
    default:
      d.exponent = (bits >> 16 & 0xffu) + 127u;
      d.mantissa = (bits >> 24 & 0x7fu) << 3;
      if (style == DST_TF32) d.mantissa += bits >> 13 & 7u;
  }
  return d;
}

static uint32_t write_dst(struct datum d, enum dst_style style) {
  switch (style) {
    case DST_INT32: return d.sign << 31 | (d.exponent & 7u) << 10 | d.mantissa;
    case DST_FP16:
      if ((d.exponent & 0x3fu) == 0) return 0;
      return d.sign << 31 | d.mantissa << 21 | ((d.exponent - 15u) & 0x1fu) << 16;
    default:
      if (d.exponent == 0) return 0;
      return d.sign << 31 | (d.mantissa & 0x3f8u) << 21 | ((d.exponent - 127u) & 0xffu) << 16 |
             (style == DST_TF32 ? (d.mantissa & 7u) << 13 : 0);
  }
}

static struct datum scaled(uint32_t a, uint32_t b, enum tx_style style) {
  if ((b & 0xffu) == 0) return (struct datum){1, 0x1ff, 0x3ff}; /* minus infinity */
  if ((a & 0xffu) == 0) return (struct datum){0, 0, 0};
  struct datum d = {.sign = a >> 18 & 1u, .mantissa = a >> 8 & 0x3ffu};
  switch (style) {
    case TX_STYLE_INT8: d.exponent = 0; break;
    case TX_STYLE_FP16: d.exponent = (a & 0x1fu) + (b & 0x1fu); break;
    case TX_STYLE_TF32: d.exponent = (a & 0xffu) + (b & 0xffu); break;
    default: d.exponent = (a & 0xffu) + (b & 0xffu); d.mantissa &= 0x3f8u;
  }
  return d;
}

static int32_t comparable(struct datum d) {
  int32_t magnitude = (int32_t)(d.exponent << 10) + (int32_t)d.mantissa;
  return d.sign ? -magnitude : magnitude;
}

/* One column. Returns the new Dst datum as stored. */
static uint32_t pool_column(uint32_t dst, const uint32_t a[16], const uint32_t b[16], enum tx_style style, enum dst_style to,
                            bool argmax) {
  static const uint8_t index_of_row[8] = {0, 3, 6, 1, 4, 7, 2, 5};
  struct datum max = read_dst(dst, to);
  uint32_t index = dst & 0xffu, phase = (dst + 0x100u) & 0xf00u;
  for (unsigned visit = 0; visit < 16; visit++) {
    unsigned i = visit < 8 ? visit ^ 4u : visit;
    struct datum x = scaled(a[i], b[i], style);
    if (comparable(x) < comparable(max)) continue;
    max = x;
    if (i < 8) index = (phase >> 4) + index_of_row[i];
  }
  if (!argmax) return write_dst(max, to);
  uint32_t indices = phase | (index & 0xffu);
  return to == DST_INT32 ? indices : write_dst(max, to) | indices;
}

static void check_scale(struct tx_tile *t, const uint32_t b[16], enum tx_style style) {
  uint32_t one = style == TX_STYLE_FP16 ? 15u : 127u, other = 0;
  for (unsigned i = 0; i < 16; i++) other |= (b[i] & 0xffu) ^ one;
  if (style != TX_STYLE_INT8 && !other) return;
  for (unsigned i = 0; i < 16; i++) {
    if (style == TX_STYLE_INT8 ? (b[i] & 0xffu) != 0 : (b[i] & 0xffu) == one) continue;
    tx_diag(t, TX_DIAG_GMPOOL_SCALE, "exponent %u in column %u", b[i] & 0xffu, i);
    return;
  }
}

static void store(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t bits) {
  rows->high[i][column] = (uint16_t)(bits >> 16);
  if (rows->low[i]) rows->low[i][column] = (uint16_t)bits;
}

static uint32_t load(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t undefined) {
  if (!rows->defined[i]) return rows->low[i] ? undefined : undefined & 0xffff0000u;
  return (uint32_t)rows->high[i][column] << 16 | (rows->low[i] ? rows->low[i][column] : 0);
}

/* Floating point without argmax, by vector code: the order of comparisons does not matter, because a zero has no sign here. */
static bool pool_by_vectors(struct tx_tile *t, const struct tx_matrix_setup *setup, struct num_fpu_pool_job *job) {
  static const uint32_t dst[] = {
      [DST_BF16] = NUM_FPU_DST_BF16, [DST_FP16] = NUM_FPU_DST_FP16, [DST_TF32] = NUM_FPU_DST_FP32};
  const struct num_fpu_ops *ops = tx_matrix_ops(t);
  if (!ops->pool || setup->style == TX_STYLE_INT8) return false;
  job->mask_a = setup->style == TX_STYLE_BF16 ? 0x3f8u : 0x3ffu;
  job->dst = dst[dst_style(setup, false)];
  job->exp8 = setup->style != TX_STYLE_FP16;
  ops->pool(job);
  return true;
}

/* Four rows, of which only the first is read. */
static void use_rows(struct tx_tile *t, uint32_t row, bool wide, struct tx_cost *cost, struct num_fpu_rows *rows) {
  struct tx_dst_request request = {row, 1, 4, wide, TX_DST_READS | TX_DST_WRITES};
  struct num_fpu_rows first;
  if (tx_matrix_use_alike(t, &request, cost, rows)) return;
  tx_matrix_use_rows(t, &(struct tx_dst_request){row, 1, 1, wide, TX_DST_READS}, cost, &first);
  request.use = TX_DST_WRITES;
  tx_matrix_use_rows(t, &request, cost, rows);
}

void tx_exec_GMPOOL(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const struct tx_matrix_known *known = tx_matrix_know(t, thread);
  if (!known) return;
  const struct tx_matrix_setup setup = known->setup;
  bool argmax = TX_FIELD(word, GMPOOL, max_pool_index_en);
  if (argmax || TX_FIELD(word, GMPOOL, instr_mod19) != 1 || setup.style == TX_STYLE_FP16 || setup.style == TX_STYLE_INT8)
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "GMPOOL: instr_mod19 %u, argmax %u, format %u", TX_FIELD(word, GMPOOL, instr_mod19),
            argmax, setup.fmt_a);
  uint32_t row_a = tx_matrix_src_row(t, TX_SRCA, t->rwc[thread].srca, 0x30, 16);
  uint32_t row_b = tx_matrix_src_row(t, TX_SRCB, t->rwc[thread].srcb, 0x38, 8);
  uint32_t row = tx_matrix_dst_aligned(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, GMPOOL, dst)), 0x3fc, 4);
  const uint32_t(*a)[16] = (const uint32_t(*)[16])tx_matrix_bank(t, TX_SRCA)->datum;
  const uint32_t *b = tx_matrix_bank(t, TX_SRCB)->datum[row_b];
  tx_matrix_check_data(t, &setup, UINT64_C(0xffff) << row_a, UINT64_C(1) << row_b);
  check_scale(t, b, setup.style);
  struct num_fpu_pool_job job; /* without an initializer: use_rows sets its rows */
  struct num_fpu_rows *rows = &job.rows;
  use_rows(t, row, setup.wide, cost, rows);
  job.a = a + row_a;
  job.b = b;
  bool done = !argmax && pool_by_vectors(t, &setup, &job);
  for (unsigned column = 0; column < 16 && !done; column++) {
    uint32_t values[16];
    for (unsigned i = 0; i < 16; i++) values[i] = a[row_a + i][column];
    uint32_t old = load(rows, 0, column, 0xffffffffu); /* an undefined row is minus infinity here */
    store(rows, 0, column, pool_column(old, values, b, setup.style, dst_style(&setup, argmax), argmax));
    for (unsigned i = 1; i < 4; i++)
      store(rows, i, column, argmax && setup.wide ? (load(rows, i, column, 0xffffffffu) + 0x100u) & 0xf00u : 0);
  }
  tx_matrix_finish(t, thread, TX_FIELD(word, GMPOOL, clear_dvalid), TX_FIELD(word, GMPOOL, pool_addr_mode), cost);
}
