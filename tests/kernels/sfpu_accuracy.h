/* Errors of one rounded function over one of its ranges, for docs/reference/sfpu-accuracy.md: arguments spread over the range, magnitudes down
 * to 1e-30 where the range holds zero, critical points (ends, powers of two, multiples of a half, and the numbers beside them), and then the
 * numbers around the worst arguments so far, because the largest error is where the polynomial's and the roundings' errors meet. In BFLOAT16 a
 * function of one operand gets every number of the range. */
#ifndef TESSERA_TESTS_SFPU_ACCURACY_H
#define TESSERA_TESTS_SFPU_ACCURACY_H

#include "sfpu_run.h"

enum { PARTS = 64, BATCH = 3 * TILE }; /* half of the parts are of the range, half of the magnitudes */

struct argument {
  uint32_t a, b, c;
};

struct accuracy {
  double max, sum;
  unsigned counted; /* arguments of the mean: those spread over the range */
  struct argument at;
};

struct meter {
  const struct float_row *row;
  const struct range *range;
  bool narrow, counting;
  uint32_t seed;
  unsigned fill;
  struct run x;
  struct accuracy *result;
  struct {
    double error;
    struct argument at;
  } worst[PARTS]; /* one for each part of the arguments, so that they are not all in one place */
  unsigned part;
};

static inline uint32_t hashed(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

static inline void meter_error(struct meter *m, double error, struct argument at) {
  if (error > m->worst[m->part].error) m->worst[m->part].error = error, m->worst[m->part].at = at;
  if (error > m->result->max) m->result->max = error, m->result->at = at;
  if (m->counting) m->result->sum += error, m->result->counted++;
}

static inline void meter_flush(struct meter *m) {
  struct run *x = &m->x;
  unsigned n = m->fill;
  if (n == 0) return;
  x->tiles = (n + TILE - 1) / TILE;
  for (unsigned i = n; i < x->tiles * TILE; i++) x->a[i] = x->a[0], x->b[i] = x->b[0], x->c[i] = x->c[0];
  run_function(x);
  for (unsigned i = 0; i < n; i++) {
    double want = m->row->value(from_bits(x->a[i]), from_bits(x->b[i]), from_bits(x->c[i]), from_bits(x->parameter[0]),
                                from_bits(x->parameter[1]), from_bits(x->parameter[2]));
    meter_error(m, ulp_error(x->result[i], want, m->narrow), (struct argument){x->a[i], x->b[i], x->c[i]});
  }
  m->fill = 0;
}

static inline bool in_range(const struct meter *m, uint32_t bits) {
  double x = from_bits(bits);
  return x >= (double)(float)m->range->low && x <= (double)(float)m->range->high;
}

static inline uint32_t in_format(const struct meter *m, uint32_t bits) {
  return m->narrow ? (bits + 0x8000u) & 0xffff0000u : bits;
}

/* An argument outside the range (beside its end, or of the other sign) is left out. */
static inline void meter_add(struct meter *m, uint32_t a, uint32_t b, uint32_t c) {
  if (m->narrow && a == 0x80000000u) a = 0; /* a 16-bit copy turns -0 into 0 */
  if (!in_range(m, a) || !in_range(m, b) || !in_range(m, c)) return;
  unsigned i = m->fill++;
  m->x.a[i] = a;
  m->x.b[i] = b;
  m->x.c[i] = c;
  if (m->fill == BATCH) meter_flush(m);
}

/* The number at share u of the range. */
static inline uint32_t number_at(const struct meter *m, double u) {
  const struct range *r = m->range;
  return in_format(m, to_bits(r->geometric ? r->low * pow(r->high / r->low, u) : r->low + (r->high - r->low) * u));
}

/* Any number of the range, for the second and third operand. */
static inline uint32_t other_number(const struct meter *m, uint32_t i) {
  return number_at(m, (hashed(i * 0x9e3779b9u + m->seed) + 0.5) * 0x1p-32);
}

static inline void meter_add_with_others(struct meter *m, uint32_t a, uint32_t i) {
  meter_add(m, a, other_number(m, 2 * i), other_number(m, 2 * i + 1));
}

/* Argument i of n belongs to one of half of the parts. */
static inline void meter_part(struct meter *m, unsigned i, unsigned n, unsigned first) {
  unsigned part = first + (unsigned)(i * (uint64_t)(PARTS / 2) / n);
  if (part == m->part) return;
  meter_flush(m);
  m->part = part;
}

static inline void meter_spread(struct meter *m, unsigned n) {
  m->counting = true;
  for (unsigned i = 0; i < n; i++) {
    meter_part(m, i, n, 0);
    meter_add_with_others(m, number_at(m, (i + hashed(i ^ m->seed << 20) * 0x1p-32) / n), i);
  }
  meter_flush(m);
  m->counting = false;
}

static inline void meter_magnitudes(struct meter *m, unsigned n) {
  double high = fmax(fabs(m->range->low), fabs(m->range->high));
  if (m->range->low > 0 || m->range->high < 0) return;
  for (unsigned i = 0; i < n; i++) {
    double u = (i + hashed(i ^ (m->seed + 1) << 20) * 0x1p-32) / n, x = high * pow(1e-30 / high, u);
    meter_part(m, i, n, PARTS / 2);
    meter_add_with_others(m, in_format(m, to_bits(i & 1 ? -x : x)), i);
  }
  meter_flush(m);
}

static inline void meter_beside(struct meter *m, double x, uint32_t i) {
  uint32_t bits = in_format(m, to_bits(x)), step = m->narrow ? 0x10000u : 1;
  for (unsigned k = 0; k < 5; k++) {
    uint32_t a = bits + (k - 2) * step;
    if ((a ^ bits) >> 31 || ((a & 0x7fffffffu) != 0 && (a & 0x7fffffffu) < 0x00800000u))
      continue; /* beyond zero, or below the normal numbers */
    meter_add_with_others(m, a, 5 * i + k);
  }
}

static inline void meter_critical(struct meter *m) {
  m->part = 0;
  meter_beside(m, m->range->low, 0);
  meter_beside(m, m->range->high, 1);
  meter_beside(m, 0, 2);
  for (int e = -100; e < 128; e++) {
    meter_beside(m, ldexp(1, e), (uint32_t)(300 + e));
    meter_beside(m, -ldexp(1, e), (uint32_t)(600 + e));
  }
  for (int i = -128; i <= 128; i++) meter_beside(m, i * 0.5, (uint32_t)(1200 + i));
  meter_flush(m);
}

static inline void meter_every_narrow(struct meter *m) {
  for (uint32_t high = 0; high < 0x10000u; high++) {
    uint32_t magnitude = high << 16 & 0x7fffffffu;
    if (magnitude && from_bits(magnitude) < 1e-30) continue;
    meter_add_with_others(m, high << 16, high);
  }
  meter_flush(m);
}

/* Numbers around the argument with the largest error of each part: every other one is a near neighbour, the others are up to 2^22 steps away,
 * so that the next search starts from a worse place. */
static inline void meter_around_worst(struct meter *m, unsigned n, uint32_t round) {
  for (m->part = 0; m->part < PARTS; m->part++) {
    struct argument at = m->worst[m->part].at;
    if (m->worst[m->part].error <= 0) continue;
    for (unsigned i = 0; i < n; i++) {
      uint32_t h = hashed(i * 3 + hashed(m->seed * 77 + round)), reach = 1u << (10 + h % 13);
      uint32_t step = i & 1 ? (hashed(h) & (2 * reach - 1)) - reach : i / 2 - n / 4;
      meter_add(m, at.a + step, i & 2 ? at.b : at.b + (h >> 4 & 0xfffu) - 0x800u,
                i & 4 ? at.c : at.c + (h >> 16 & 0xfffu) - 0x800u);
    }
    meter_flush(m);
  }
}

/* tiles: how many tiles of arguments are spread over the range; the whole measurement has a few times as many. */
static inline void measure_range(const struct float_row *row, unsigned range, bool narrow, unsigned tiles, uint32_t seed,
                                 struct accuracy *result) {
  static struct meter m;
  memset(&m, 0, sizeof m);
  memset(result, 0, sizeof *result);
  m.row = row;
  m.range = &row->range[range];
  m.narrow = narrow;
  m.seed = seed;
  m.result = result;
  m.x.function = row->function;
  m.x.format = m.x.out = narrow ? NUM_BF16 : NUM_FP32;
  for (unsigned i = 0; i < 3; i++) m.x.parameter[i] = to_bits(row->parameter[i]);
  if (row->function == F_power_iterative_tile) m.x.parameter[0] = (uint32_t)row->parameter[0];
  meter_spread(&m, tiles * TILE);
  if (narrow && tiles >= 16) meter_every_narrow(&m);
  if (narrow) return;
  meter_magnitudes(&m, tiles * TILE / 2);
  meter_critical(&m);
  for (uint32_t round = 0; round < 3; round++) meter_around_worst(&m, tiles * TILE / PARTS, round);
}

#endif
