/* Data of operations. Elementwise arithmetic runs in double and is rounded once to the tile's format (for f32
 * that is the correctly rounded result); a matrix product of floats accumulates in f32 in order of k, of integers
 * exactly. */
#include "pto/runtime/data.h"

#include <math.h>
#include <string.h>

#include "pto/runtime/tile.h"

/* Index of an element by row and column, from 0. */
static uint64_t place(const struct pto_ref *r, uint32_t row, uint32_t col) {
  uint64_t at = (uint64_t)row * r->row_stride;
  if (!r->block_cols) return at + (uint64_t)col * r->col_stride;
  return at + (uint64_t)(col / r->block_cols) * r->block_stride + (uint64_t)(col % r->block_cols) * r->col_stride;
}

static double get(const struct pto_ref *r, const uint8_t *bytes, uint32_t row, uint32_t col) {
  uint64_t at = place(r, row, col);
  return pto_dtype_load(r->dtype, bytes + at * pto_dtype_bytes(r->dtype));
}

static void put(const struct pto_ref *r, uint8_t *bytes, uint32_t row, uint32_t col, double value) {
  uint64_t at = place(r, row, col);
  pto_dtype_store(r->dtype, bytes + at * pto_dtype_bytes(r->dtype), value);
}

static void copy(const struct pto_machine *m, const struct pto_ref *dst, const struct pto_ref *src, bool accumulate) {
  const uint8_t *from = pto_ref_bytes(m, src);
  uint8_t *to = pto_ref_bytes(m, dst);
  uint32_t rows = dst->rows < src->rows ? dst->rows : src->rows, cols = dst->cols < src->cols ? dst->cols : src->cols;
  unsigned size = pto_dtype_bytes(src->dtype);
  bool plain = dst->dtype == src->dtype && dst->col_stride == 1 && src->col_stride == 1 && !accumulate && !dst->block_cols &&
               !src->block_cols;
  for (uint32_t r = 0; r < rows; r++) {
    if (plain) {
      memmove(to + (uint64_t)r * dst->row_stride * size, from + (uint64_t)r * src->row_stride * size, (size_t)cols * size);
      continue;
    }
    for (uint32_t c = 0; c < cols; c++) put(dst, to, r, c, get(src, from, r, c) + (accumulate ? get(dst, to, r, c) : 0));
  }
}

/* Fixpipe: conversion, scale and relu of data that leaves the accumulator. */
static void fixpipe(const struct pto_machine *m, const struct pto_instr *i, const struct pto_ref *dst,
                    const struct pto_ref *src, const struct pto_ref *scales, uint32_t first_col) {
  const uint8_t *from = pto_ref_bytes(m, src), *scale_bytes = i->quant == PTO_VDEQF16 ? pto_ref_bytes(m, scales) : NULL;
  uint8_t *to = pto_ref_bytes(m, dst);
  for (uint32_t r = 0; r < dst->rows && r < src->rows; r++)
    for (uint32_t c = 0; c < dst->cols && c < src->cols; c++) {
      double value = get(src, from, r, c);
      if (i->quant == PTO_DEQF16) value *= i->number;
      if (scale_bytes) value *= get(scales, scale_bytes, 0, first_col + c);
      if (i->relu && value < 0) value = 0;
      if (i->atomic_add) value += get(dst, to, r, c);
      put(dst, to, r, c, value);
    }
}

static void move_out(const struct pto_machine *m, const struct pto_instr *i, const struct pto_ref *dst,
                     const struct pto_ref *src, const struct pto_ref *scales, uint32_t first_col) {
  if (i->quant || i->relu || i->atomic_add) fixpipe(m, i, dst, src, scales, first_col);
  else copy(m, dst, src, false);
}

/* A5, Cube to UB: the accumulator's halves go to the two Vector cores at once. */
static void push_to_ub(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item) {
  for (unsigned lane = 0; lane < 2; lane++) {
    if (!(item->dst.lanes >> lane & 1u)) continue;
    struct pto_ref src = item->src[0], dst = item->dst;
    uint32_t first_col = 0;
    dst.core = (uint8_t)(PTO_AIV0 + lane);
    if (lane == 1 && item->dst.lanes == 3) {
      bool rows = item->split == PTO_UP_DOWN || item->split == PTO_UP_DOWN_ODD;
      bool cols = item->split == PTO_LEFT_RIGHT || item->split == PTO_LEFT_RIGHT_ODD;
      uint32_t half = rows ? (src.rows + 1) / 2 : (src.cols + 1) / 2;
      src.addr += (uint64_t)(rows ? half * src.row_stride : cols ? half : 0) * pto_dtype_bytes(src.dtype);
      if (rows) dst.rows = src.rows = src.rows - half;
      if (cols) dst.cols = dst.row_stride = src.cols = src.cols - half;
      first_col = cols ? half : 0;
    }
    move_out(m, i, &dst, &src, &item->src[1], first_col);
  }
}

static void decode(const struct pto_machine *m, const struct pto_ref *r, double *out) {
  const uint8_t *bytes = pto_ref_bytes(m, r);
  for (uint32_t row = 0; row < r->rows; row++)
    for (uint32_t col = 0; col < r->cols; col++) out[(size_t)row * r->cols + col] = get(r, bytes, row, col);
}

/* sum[col] += x * y[col], rounded to f32 after every step, as the accumulator is. */
typedef double four_doubles __attribute__((vector_size(32)));
typedef float four_floats __attribute__((vector_size(16)));
static void add_scaled(float *sum, double x, const double *y, uint32_t count) {
  uint32_t col = 0;
  for (; col + 4 <= count; col += 4) {
    four_doubles factors;
    four_floats sums;
    memcpy(&factors, y + col, sizeof factors);
    memcpy(&sums, sum + col, sizeof sums);
    sums = __builtin_convertvector(__builtin_convertvector(sums, four_doubles) + x * factors, four_floats);
    memcpy(sum + col, &sums, sizeof sums);
  }
  for (; col < count; col++) sum[col] = (float)((double)sum[col] + x * y[col]);
}

static void matmul(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item) {
  const struct pto_ref *a = &item->src[0], *b = &item->src[1], *c = &item->src[2], *d = &item->dst;
  double *left = m->scratch, *right = left + PTO_SCRATCH, *row_sum = right + PTO_SCRATCH;
  float *sum = (float *)row_sum; /* sums of floats; sums of integers are exact in double */
  uint8_t *out = pto_ref_bytes(m, d);
  const uint8_t *third = i->op == PTO_OP_MATMUL ? NULL : pto_ref_bytes(m, c);
  bool integers = a->dtype >= PTO_I32;
  uint32_t depth = a->cols < b->rows ? a->cols : b->rows;
  decode(m, a, left);
  decode(m, b, right);
  for (uint32_t r = 0; r < a->rows && r < d->rows; r++) {
    for (uint32_t col = 0; col < b->cols; col++) {
      double start = !third ? 0 : get(c, third, i->op == PTO_OP_MATMUL_BIAS ? 0 : r, col);
      if (integers) row_sum[col] = start;
      else sum[col] = (float)start;
    }
    for (uint32_t k = 0; k < depth; k++) {
      double x = left[(size_t)r * a->cols + k];
      const double *y = right + (size_t)k * b->cols;
      if (!integers) add_scaled(sum, x, y, b->cols);
      else
        for (uint32_t col = 0; col < b->cols; col++) row_sum[col] += x * y[col];
    }
    for (uint32_t col = 0; col < b->cols && col < d->cols; col++)
      put(d, out, r, col, integers ? row_sum[col] : (double)sum[col]);
  }
}

static double binary(unsigned op, double x, double y) {
  switch (op) {
    case PTO_OP_TADD:
    case PTO_OP_TADDS: return x + y;
    case PTO_OP_TSUB:
    case PTO_OP_TSUBS:
    case PTO_OP_ROWEXPAND_SUB: return x - y;
    case PTO_OP_TMUL:
    case PTO_OP_TMULS:
    case PTO_OP_ROWEXPAND_MUL:
    case PTO_OP_COLEXPAND_MUL: return x * y;
    case PTO_OP_TDIV:
    case PTO_OP_TDIVS:
    case PTO_OP_ROWEXPAND_DIV: return x / y;
    case PTO_OP_TMAX:
    case PTO_OP_TMAXS: return x > y ? x : y;
    case PTO_OP_TMIN:
    case PTO_OP_TMINS: return x < y ? x : y;
    default: return x;
  }
}

static double unary(unsigned op, double x, double number) {
  switch (op) {
    case PTO_OP_TEXP: return exp(x);
    case PTO_OP_TRELU: return x > 0 ? x : 0;
    case PTO_OP_TNEG: return -x;
    case PTO_OP_TSQRT: return sqrt(x);
    case PTO_OP_TFILL: return number;
    default: return binary(op, x, number); /* operations with a scalar, and conversion */
  }
}

static void elementwise(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item) {
  const struct pto_ref *d = &item->dst, *x = &item->src[0], *y = &item->src[1];
  uint8_t *out = pto_ref_bytes(m, d);
  const uint8_t *xs = item->ref_count > 1 ? pto_ref_bytes(m, x) : NULL,
                *ys = item->ref_count > 2 ? pto_ref_bytes(m, y) : NULL;
  bool by_row = i->op >= PTO_OP_ROWEXPAND_SUB && i->op <= PTO_OP_ROWEXPAND_DIV, by_col = i->op == PTO_OP_COLEXPAND_MUL;
  uint32_t rows = d->rows, cols = d->cols; /* the part that is valid in all operands */
  if (xs && x->rows < rows) rows = x->rows;
  if (xs && x->cols < cols) cols = x->cols;
  if (ys && !by_col && y->rows < rows) rows = y->rows;
  if (ys && !by_row && y->cols < cols) cols = y->cols;
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < cols; c++) {
      double value = xs ? get(x, xs, r, c) : 0;
      value = ys ? binary(i->op, value, get(y, ys, by_col ? 0 : r, by_row ? 0 : c)) : unary(i->op, value, i->number);
      put(d, out, r, c, value);
    }
}

static void reduce_rows(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item) {
  const struct pto_ref *d = &item->dst, *x = &item->src[0];
  const uint8_t *xs = pto_ref_bytes(m, x);
  for (uint32_t r = 0; r < d->rows && r < x->rows; r++) {
    double value = get(x, xs, r, 0);
    for (uint32_t c = 1; c < x->cols; c++) {
      double next = get(x, xs, r, c);
      value = i->op == PTO_OP_ROWSUM ? (double)(float)(value + next) : next > value ? next : value;
    }
    put(d, pto_ref_bytes(m, d), r, 0, value);
  }
}

/* (q - offset[row]) * scale[row]; scale and offset are column vectors. */
static void dequant(const struct pto_machine *m, const struct pto_item *item) {
  const struct pto_ref *d = &item->dst, *q = &item->src[0], *s = &item->src[1], *o = &item->src[2];
  const uint8_t *qs = pto_ref_bytes(m, q), *ss = pto_ref_bytes(m, s), *os = item->ref_count > 3 ? pto_ref_bytes(m, o) : NULL;
  for (uint32_t r = 0; r < d->rows && r < q->rows && r < s->rows && (!os || r < o->rows); r++) {
    double scale = get(s, ss, r, 0), offset = os ? get(o, os, r, 0) : 0;
    for (uint32_t c = 0; c < d->cols && c < q->cols; c++)
      put(d, pto_ref_bytes(m, d), r, c, (double)(float)(get(q, qs, r, c) - offset) * scale);
  }
}

/* Clears the whole tile, not only its valid part. */
static void clear(const struct pto_machine *m, unsigned core, int tile) {
  struct pto_ref ref = pto_tile_ref(m, core, tile);
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  uint8_t *bytes = pto_ref_bytes(m, &ref);
  if (!t->bound) memset(bytes, 0, (size_t)t->rows * t->cols * pto_dtype_bytes(t->dtype));
}

void pto_do_work(struct pto_machine *m, unsigned core, const struct pto_item *item) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  bool product = i->op >= PTO_OP_MATMUL && i->op <= PTO_OP_MATMUL_BIAS;
  m->elements += (uint64_t)item->dst.rows * item->dst.cols * (product ? item->src[0].cols : 16u);
  switch (i->op) {
    case PTO_OP_TPUSH:
      if (item->dst.loc == PTO_VEC) push_to_ub(m, i, item);
      else move_out(m, i, &item->dst, &item->src[0], &item->src[1], 0);
      break;
    case PTO_OP_STORE: move_out(m, i, &item->dst, &item->src[0], &item->src[1], 0); break;
    case PTO_OP_LOAD:
      if (i->pad_zero) clear(m, core, i->dst);
      copy(m, &item->dst, &item->src[0], false);
      break;
    case PTO_OP_TPOP:
    case PTO_OP_MOV:
    case PTO_OP_EXTRACT:
    case PTO_OP_INSERT: copy(m, &item->dst, &item->src[0], false); break;
    case PTO_OP_MATMUL:
    case PTO_OP_MATMUL_ACC:
    case PTO_OP_MATMUL_BIAS: matmul(m, i, item); break;
    case PTO_OP_ROWMAX:
    case PTO_OP_ROWSUM: reduce_rows(m, i, item); break;
    case PTO_OP_DEQUANT: dequant(m, item); break;
    case PTO_OP_COMPUTE: break;
    default: elementwise(m, i, item); break;
  }
}
