/* The request patterns of noc_figures.def as programs for BRISC, on a p150 whose fused-off columns are those of the measured card.
 *
 * A master issues its requests receiver by receiver, then waits for all answers. Requests of more than 16384 bytes are issued in pieces. The core's work
 * around a request (addresses, counters) is a number of additions: it is chosen from small requests of the same kind, so rows that only the
 * core's loop bounds do not judge the network. */
#ifndef TESSERA_TESTS_SILICON_NOC_PATTERNS_H
#define TESSERA_TESTS_SILICON_NOC_PATTERNS_H

#include "../chip_flow.h"

enum noc_pattern {
  ONE_TO_ONE,
  ONE_FROM_ONE,
  ONE_TO_ALL,
  ONE_FROM_ALL,
  ALL_TO_ALL,
  ALL_FROM_ALL,
  ONE_TO_ROW,
  ROW_TO_ROW,
  ONE_TO_COLUMN,
  COLUMN_TO_COLUMN
};
enum noc_mechanism { UNICAST, MULTICAST, LINKED };
enum noc_memory { L1, DRAM_INTERLEAVED, DRAM_SHARDED };

#define NOC_SIZES 11u /* 64, 128 ... 65536 bytes */
struct noc_figures {
  enum noc_pattern pattern;
  enum noc_mechanism mechanism;
  enum noc_memory memory;
  unsigned receivers, same_axis, stateful, loopback, requests;
  double cycles[NOC_SIZES];
};

static const struct noc_figures noc_figures[] = {
#define NOC_FIGURES(pattern, mechanism, memory, receivers, axis, stateful, loopback, requests, ...) \
  {pattern, mechanism, memory, receivers, axis, stateful, loopback, requests, {__VA_ARGS__}},
#include "noc_figures.def"
#undef NOC_FIGURES
};
#define NOC_GROUPS (sizeof noc_figures / sizeof *noc_figures)

/* --- places --- */

#define CARD_COLUMNS 11u /* of the 12 good ones, the last is the dispatcher's */
#define CARD_ROWS 10u
#define MASTERS_MAX (CARD_COLUMNS * CARD_ROWS)

struct places {
  unsigned count;
  uint32_t xy[MASTERS_MAX]; /* translated */
};

static inline uint32_t logical_xy(unsigned column, unsigned row) {
  return rig_xy(column < 7 ? 1 + column : 3 + column, 2 + row);
}

static inline void add_rectangle(struct places *p, unsigned columns, unsigned rows, uint32_t without) {
  for (unsigned y = 0; y < rows; y++)
    for (unsigned x = 0; x < columns; x++)
      if (logical_xy(x, y) != without) p->xy[p->count++] = logical_xy(x, y);
}

struct noc_layout {
  struct places masters, receivers;
  unsigned columns, rows; /* of the receivers' rectangle, from logical (0, 0) */
  unsigned noc;
  bool read;
};

static inline bool noc_reads(const struct noc_figures *f) {
  return f->pattern == ONE_FROM_ONE || f->pattern == ONE_FROM_ALL || f->pattern == ALL_FROM_ALL;
}

static inline void rectangle_of(const struct noc_figures *f, unsigned *columns, unsigned *rows) {
  unsigned side = f->receivers >= 109 ? 0 : f->receivers == 64 ? 8 : f->receivers == 25 ? 5 : f->receivers == 9 ? 3 : 2;
  *columns = side ? side : CARD_COLUMNS;
  *rows = side ? side : CARD_ROWS;
  if (f->pattern == ONE_TO_ROW || f->pattern == ROW_TO_ROW) *columns = CARD_COLUMNS, *rows = 1;
  if (f->pattern == ONE_TO_COLUMN || f->pattern == COLUMN_TO_COLUMN) *columns = 1, *rows = CARD_ROWS;
}

/* The master of a pattern with one: outside the rectangle unless it loops back or fills the grid. */
static inline uint32_t one_master(const struct noc_figures *f, unsigned columns) {
  bool inside = f->mechanism == UNICAST ? f->pattern != ONE_TO_ALL || f->receivers >= 109 : f->loopback;
  if (inside) return logical_xy(0, 0);
  if (f->pattern == ONE_TO_ROW) return logical_xy(0, 1);
  return logical_xy(columns, 0);
}

/* Masters of a pattern with many: the receivers themselves, or the row or column beside them. */
static inline void many_masters(const struct noc_figures *f, struct noc_layout *l) {
  bool beside = f->mechanism != UNICAST && !f->loopback;
  for (unsigned y = 0; y < l->rows; y++)
    for (unsigned x = 0; x < l->columns; x++)
      l->masters.xy[l->masters.count++] = logical_xy(x + (beside && l->columns == 1), y + (beside && l->rows == 1));
}

/* DRAM controllers by port 0, in translated coordinates. */
static inline uint32_t dram_xy(unsigned bank) { return rig_xy(17 + bank / 4, 12 + 3 * (bank % 4)); }

static inline void dram_layout(const struct noc_figures *f, struct noc_layout *l) {
  bool all = f->pattern == ALL_TO_ALL || f->pattern == ALL_FROM_ALL;
  add_rectangle(&l->masters, all ? CARD_COLUMNS : 1, all ? CARD_ROWS : 1, 0);
  l->noc = 0;
}

static inline struct noc_layout noc_layout(const struct noc_figures *f) {
  struct noc_layout l = {.read = noc_reads(f)};
  l.noc = l.read ? 1 : 0;
  if (f->memory != L1) {
    dram_layout(f, &l);
    return l;
  }
  rectangle_of(f, &l.columns, &l.rows);
  if (f->pattern == ONE_TO_ONE || f->pattern == ONE_FROM_ONE) {
    l.masters = (struct places){1, {logical_xy(0, 0)}};
    l.receivers = (struct places){1, {f->same_axis ? logical_xy(0, 1) : logical_xy(1, 1)}};
  } else if (f->pattern == ALL_TO_ALL || f->pattern == ALL_FROM_ALL || f->pattern == ROW_TO_ROW ||
             f->pattern == COLUMN_TO_COLUMN) {
    many_masters(f, &l);
    add_rectangle(&l.receivers, l.columns, l.rows, 0);
  } else {
    uint32_t master = one_master(f, l.columns);
    l.masters = (struct places){1, {master}};
    add_rectangle(&l.receivers, l.columns, l.rows, f->mechanism == UNICAST ? master : 0);
  }
  return l;
}

/* --- the program of a master --- */

#define NOC_TABLE 0x8000u /* coordinates of the receivers, in the order of the requests */
#define NOC_SOURCE 0x20000u
#define NOC_TARGET 0x60000u

/* Additions per request: the vendor's loop as compiled, from rows of 64 bytes. */
static inline unsigned noc_padding(const struct noc_figures *f) {
  if (f->memory == DRAM_SHARDED) return noc_reads(f) ? 2 : 6;
  if (f->memory == DRAM_INTERLEAVED) return noc_reads(f) ? 3 : 7;
  if (noc_reads(f) && f->requests == f->receivers) return f->stateful ? 16 : 8; /* the inner loop ends after one request */
  if (noc_reads(f)) return f->stateful ? 16 : 15;
  return f->stateful ? 2 : 3;
}

/* And per run of requests to one receiver. */
static inline unsigned noc_run_padding(const struct noc_figures *f) {
  return noc_reads(f) || f->memory != L1 || f->mechanism != UNICAST ? 0 : f->stateful ? 20 : 14;
}

struct noc_job {
  const struct noc_figures *figures;
  const struct noc_layout *layout;
  uint32_t bytes, pieces, self;
  uint32_t first_bank;
};

/* The table: one entry per run of requests to the same receiver, and the requests of a run. */
static inline uint32_t noc_put_table(struct chip *c, unsigned tile, const struct noc_job *job, uint32_t *runs) {
  const struct noc_figures *f = job->figures;
  const struct places *r = &job->layout->receivers;
  if (f->memory == DRAM_SHARDED) {
    rig_put(c, tile, NOC_TABLE, dram_xy(job->first_bank));
    *runs = 1;
    return f->requests * job->pieces;
  }
  if (f->memory == DRAM_INTERLEAVED) {
    for (uint32_t i = 0; i < f->requests; i++) rig_put(c, tile, NOC_TABLE + 4 * i, dram_xy((job->first_bank + i) % 8));
    *runs = f->requests;
    return job->pieces;
  }
  if (f->mechanism != UNICAST) {
    uint32_t corner = logical_xy(job->layout->columns - 1, job->layout->rows - 1), start = logical_xy(0, 0);
    rig_put(c, tile, NOC_TABLE, corner | start << 12);
    *runs = 1;
    return f->requests * job->pieces;
  }
  for (unsigned i = 0; i < r->count; i++) rig_put(c, tile, NOC_TABLE + 4 * i, r->xy[i]);
  *runs = r->count;
  return f->requests / r->count * job->pieces;
}

static inline uint32_t noc_ctrl(const struct noc_figures *f, bool read) {
  if (read) return 0x90;
  if (f->mechanism == UNICAST) return 0x92;
  return 0x81B2u | (f->mechanism == LINKED ? 0x40u : 0) | (f->loopback ? 0x20000u : 0);
}

static inline void noc_poll(struct code *c) {
  unsigned poll = c->count;
  lw(c, T0, A0, 0x40);
  bne(c, T0, ZERO, poll);
}

/* A request: poll the initiator, write its registers, count. */
static inline void noc_request(struct code *c, const struct noc_figures *f, bool read) {
  noc_poll(c);
  for (unsigned i = 0; i < noc_padding(f); i++) addi(c, T2, T2, 1);
  sw(c, A1, A0, 0x1c);
  sw(c, A2, A0, 0x00);
  sw(c, A3, A0, 0x0c);
  if (!f->stateful) sw(c, A4, A0, read ? 0x08 : 0x14);
  if (!f->stateful) sw(c, A5, A0, 0x20);
  sw(c, A6, A0, 0x40);
  lw(c, T1, SP, 0);
  addi(c, T1, T1, 1);
  sw(c, T1, SP, 0);
}

/* A run of S0 requests. */
static inline void noc_run_of(struct code *c, const struct noc_figures *f, bool read) {
  if (f->stateful) {
    noc_poll(c);
    sw(c, A4, A0, read ? 0x08 : 0x14);
    sw(c, A5, A0, 0x20);
  }
  unsigned top = c->count;
  noc_request(c, f, read);
  addi(c, S0, S0, 0xfff);
  bne(c, S0, ZERO, top);
}

static inline void noc_load(struct chip *chip, const struct noc_job *job) {
  const struct noc_figures *f = job->figures;
  bool read = job->layout->read, linked = f->mechanism == LINKED;
  struct code c = {.count = 0};
  unsigned tile = rig_tile_at(chip, job->self & 63u, job->self >> 6);
  uint32_t runs, each = noc_put_table(chip, tile, job, &runs), niu = rig_niu(job->layout->noc);
  uint32_t answers = runs * each * (f->mechanism == UNICAST ? 1 : job->layout->receivers.count);
  uint32_t register_of_answers = read ? 0x208 : 0x204;
  li(&c, T0, 1u << 18 | 1u << 3); /* cfg0 as firmware sets it */
  emit(&c, 0x7c02a073);
  li(&c, SP, 0xffb00000u);
  li(&c, A0, niu + (read ? 0x800 : 0));
  li(&c, A1, noc_ctrl(f, read));
  li(&c, A2, NOC_SOURCE);
  li(&c, A3, f->loopback ? NOC_SOURCE : NOC_TARGET);
  li(&c, A5, job->bytes);
  li(&c, A6, 1);
  li(&c, A7, job->self);
  li(&c, S2, answers);
  li(&c, S3, niu);
  li(&c, S4, 0xffb12000u);
  li(&c, S5, NOC_TABLE);
  li(&c, S6, runs);
  li(&c, S7, each - (linked ? job->pieces : 0)); /* the last request, in all its pieces, ends the linked transaction */
  sw(&c, A7, A0, read ? 0x14 : 0x08);
  lw(&c, T1, SP, 0); /* local RAM is usable only after its clearing has ended */
  addi(&c, T1, T1, 0);
  lw(&c, S1, S4, 0x1f0);
  unsigned next = c.count;
  lw(&c, A4, S5, 0);
  addi(&c, S5, S5, 4);
  addi(&c, S0, S7, 0);
  for (unsigned i = 0; i < noc_run_padding(f); i++) addi(&c, T2, T2, 1);
  if (!linked || each > job->pieces) noc_run_of(&c, f, read);
  addi(&c, S6, S6, 0xfff);
  bne(&c, S6, ZERO, next);
  if (linked) {
    li(&c, A1, noc_ctrl(f, read) & ~0x40u);
    li(&c, S0, job->pieces);
    noc_run_of(&c, f, read);
  }
  unsigned barrier = c.count;
  lw(&c, T0, S3, register_of_answers);
  bne(&c, T0, S2, barrier);
  lw(&c, T1, S4, 0x1f0);
  sub(&c, T1, T1, S1);
  li(&c, T2, RESULT);
  sw(&c, T1, T2, 0);
  emit(&c, 0x00100073); /* ebreak */
  for (unsigned i = 0; i < c.count; i++) rig_put(chip, tile, 4 * i, c.words[i]);
  tx_core_start(chip_tensix(chip, tile), TX_CORE_BRISC, 0);
}

static inline int noc_by_size(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The columns 7 and 10 of the measured card are fused off. */
static inline struct chip *noc_card(void) {
  const char *why = NULL;
  struct chip_config config = {.harvest = chip_product_find("p150")->harvest, .timing = true, .threads = 1};
  config.harvest.tensix = 0x3000;
  struct chip *c = chip_create(&config, &why);
  assert_non_null(c);
  return c;
}

/* Cycles in the median of the masters. */
static inline double noc_here(const struct noc_figures *f, unsigned size) {
  struct noc_layout l = noc_layout(f);
  struct chip *c = noc_card();
  uint32_t bytes = 64u << size, cycles[MASTERS_MAX];
  for (unsigned i = 0; i < l.masters.count; i++) {
    struct noc_job job = {f, &l, .self = l.masters.xy[i], .first_bank = i % 8};
    job.bytes = bytes < NOC_PACKET_BYTES ? bytes : NOC_PACKET_BYTES;
    job.pieces = (bytes + NOC_PACKET_BYTES - 1) / NOC_PACKET_BYTES;
    noc_load(c, &job);
  }
  enum chip_end end = chip_run(c, UINT64_C(1000000000));
  if (chip_fault(c, NULL)) fail_msg("%s", chip_fault(c, NULL)->why);
  assert_true(end == CHIP_END_DONE || end == CHIP_END_BLOCKED);
  for (unsigned i = 0; i < l.masters.count; i++) {
    cycles[i] = rig_get(c, rig_tile_at(c, l.masters.xy[i] & 63u, l.masters.xy[i] >> 6), RESULT);
    assert_int_not_equal(cycles[i], 0);
  }
  chip_destroy(c);
  qsort(cycles, l.masters.count, sizeof *cycles, noc_by_size);
  unsigned n = l.masters.count;
  return (cycles[(n - 1) / 2] + cycles[n / 2]) / 2.0;
}

/* Packets of a row, answers included: what it costs to simulate. */
static inline uint64_t noc_packets(const struct noc_figures *f, unsigned size) {
  struct noc_layout l = noc_layout(f);
  uint64_t pieces = size > 8 ? 1u << (size - 8) : 1;
  return (uint64_t)l.masters.count * f->requests * pieces * (f->mechanism == UNICAST ? 2 : 2 * l.receivers.count);
}

#endif
