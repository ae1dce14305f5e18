/* SFPLOAD, SFPLOADI, SFPSTORE: between Dst and LReg, 32 datums of the even or odd columns of four rows, with conversion.
 * ISA: SFPLOAD.md, SFPSTORE.md (Blackhole), SFPLOADI.md.
 *
 *   address   9        2   1     0
 *           +-----------+-----+---+
 *           | rows      | odd |   |      row = address & ~3 + lane / 8, column = lane % 8 * 2 + odd
 *           +-----------+-----+---+                                                                                      */
#include "tensix/unit/vector/loadstore.h"

#include <stddef.h>
#include <string.h>

#include "sim/keep.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/rwc.h"
#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/exec.h"
#include "tensix/unit/vector/flags.h"
#include "tensix/unit/vector/round.h"

enum tx_vector_format {
  FMT_SRCB,
  FMT_FP16,
  FMT_BF16,
  FMT_FP32,
  FMT_INT32,
  FMT_INT8,
  FMT_UINT16,
  FMT_HI16,
  FMT_INT16,
  FMT_LO16,
  FMT_INT32_ALL,
  FMT_ZERO,
  FMT_INT32_SM,
  FMT_INT8_COMP,
  FMT_LO16_ONLY,
  FMT_HI16_ONLY,
};

/* Formats with 8-bit exponents, and integers: FP32, TF32, BF16, BFP8, BFP4, INT32, INT16, BFP2. */
#define BF16_FAMILY 0x83f1u /* codes 0, 4..9, 15 */

static unsigned resolve_format(const struct tx_tile *t, unsigned thread, unsigned mode) {
  if (mode != FMT_SRCB) return mode;
  if (TX_CFG_GET(t, thread, ALU_ACC_CTRL_SFPU_Fp32_enabled)) return FMT_FP32;
  uint32_t code = TX_CFG_GET(t, thread, ALU_FORMAT_SPEC_REG_SrcB_override)
                      ? TX_CFG_GET(t, thread, ALU_FORMAT_SPEC_REG_SrcB_val)
                      : TX_CFG_GET(t, thread, ALU_FORMAT_SPEC_REG1_SrcB);
  if (TX_THREAD_CFG_GET(t, thread, SFPU_DEST_FMT_Enable)) code = TX_THREAD_CFG_GET(t, thread, SFPU_DEST_FMT_Base);
  return BF16_FAMILY >> code & 1u ? FMT_BF16 : FMT_FP16;
}

/* In mode INT32_ALL the stack pointer replaces the Dst counter; a load decrements it before, a store increments it after. */
static uint16_t address_of(struct tx_tile *t, unsigned thread, const struct tx_vop *op, unsigned mode) {
  struct tx_rwc *rwc = sim_keep(&t->rwc[thread]);
  uint32_t step = TX_THREAD_CFG_GET(t, thread, SFPU_STACK_Incr), stack_mode = mode == FMT_INT32_ALL;
  uint32_t address = op->imm + TX_THREAD_CFG_GET(t, thread, DEST_TARGET_REG_CFG_MATH_Offset);
  uint32_t dst = rwc->dst + TX_CFG_GET(t, thread, DEST_REGW_BASE_Base);
  bool is_store = op->opcode == TX_SFPSTORE;
  if (stack_mode && !is_store && rwc->sp) rwc->sp = (uint16_t)((rwc->sp - step) & 0x3ffu);
  uint32_t sp = rwc->sp + TX_CFG_GET(t, thread, DEST_SP_BASE_Base);
  address += stack_mode ? sp + (dst & 3u) : dst + (sp & 3u);
  if (stack_mode && is_store) rwc->sp = (uint16_t)((rwc->sp + step) & 0x3ffu);
  return (uint16_t)(address & 0x3ffu);
}

static bool is_wide(unsigned mode, bool is_store) {
  switch (mode) {
    case FMT_FP32:
    case FMT_INT32:
    case FMT_INT32_ALL:
    case FMT_INT32_SM: return true;
    case FMT_HI16:
    case FMT_LO16: return is_store;
    default: return false;
  }
}

static void report_deprecated(struct tx_vexec *x, unsigned mode) {
  if (mode == FMT_INT32_SM || mode == FMT_INT8_COMP)
    tx_diag(x->t, TX_DIAG_SFPU_DEPRECATED_MODE, "mode %u no longer converts from two's complement", mode);
}

#define TILE_ROWS 64u /* of Dst, four faces of 16 rows */

/* Physical row, and the Dst columns of the eight lanes of a row. */
struct place {
  unsigned row[4];
  uint8_t column[8];
  uint8_t regular; /* the even columns, or the odd ones: 1 + which */
};

static struct place place_of(const struct tx_vexec *x, uint16_t address, bool wide, uint32_t exchange) {
  struct place p;
  struct tx_dst_map map = tx_dst_map(x->t);
  for (unsigned r = 0; r < 4; r++) {
    unsigned row = (address & 0x3fcu) + r;
    p.row[r] = wide ? tx_dst_map32(map, row) : tx_dst_map16(map, row);
  }
  p.regular = x->v->config_any & exchange ? 0 : (uint8_t)(1 + (address >> 1 & 1u));
  for (unsigned c = 0; c < 8; c++) p.column[c] = (uint8_t)(c * 2 + ((address & 2u) || (x->v->lane_config[c] & exchange)));
  return p;
}

/* --- load --- */

/* The state of a row of which only the columns of this place were written; a place without one set of columns has none. */
static uint8_t half_of(const struct place *p) {
  return p->regular ? (uint8_t)(p->regular == 1 ? TX_DST_EVEN : TX_DST_ODD) : (uint8_t)TX_DST_STATES;
}

/* Is a row of the tile defined which this row is in? Dst's remaps keep rows within their tile. */
static bool tile_is_written(const struct tx_dst *dst, unsigned row, bool wide) {
  unsigned rows = wide ? 2 * TILE_ROWS : TILE_ROWS, first = row & ~(rows - 1u);
  for (unsigned r = first; r < first + rows; r++)
    if (tx_dst_is_whole(dst->valid[r])) return true;
  return false;
}

/* A function of the vector unit that takes whole tiles also takes the faces that a reduction left undefined. The kernel may have no use
 * for them, so that is a warning. A tile without a defined row is an error. */
static void report_undefined(struct tx_vexec *x, unsigned row, bool wide, uint8_t state) {
  enum tx_diag_id id = tile_is_written(&x->t->dst, row, wide) ? TX_DIAG_DST_PARTIAL_READ : TX_DIAG_DST_UNDEFINED_READ;
  if (x->op->opcode == TX_SFPLOADMACRO && x->op->vd < 8) { /* reported where it is used */
    x->v->undefined |= 1u << x->op->vd << (id == TX_DIAG_DST_PARTIAL_READ ? TX_UNDEFINED_PARTIAL : 0);
    return;
  }
  if (state == TX_DST_UNDEFINED) tx_diag(x->t, id, "SFPLOAD from row %u, cleared and not written since", row);
  else
    tx_diag(x->t, id, "SFPLOAD from row %u: only its %s columns were written since it was cleared", row,
            state == TX_DST_EVEN ? "even" : "odd");
}

static void report_row(struct tx_vexec *x, const struct place *p, unsigned row, bool wide, uint32_t lanes) {
  const struct tx_dst *dst = &x->t->dst;
  uint8_t state = dst->valid[row];
  if (!lanes) return;
  if (!tx_dst_is_whole(state) && state != half_of(p)) report_undefined(x, row, wide, state);
  if (x->t->timing && (dst->fpu_until[row / 8] > tx_now(x->t) || dst->mov_until[row / 8] > tx_now(x->t)))
    tx_diag(x->t, TX_DIAG_DST_READ_TOO_SOON, "SFPLOAD from row %u: leave three instructions after the matrix unit's write",
            row);
}

/* Every second datum of a row: a pair of them is a word. */
static void every_second(const uint16_t *row, unsigned odd, uint32_t *out) {
  uint32_t pairs[8];
  memcpy(pairs, row, sizeof pairs);
  for (unsigned c = 0; c < 8; c++) out[c] = pairs[c] >> 16 * odd & 0xffffu;
}

static void put_every_second(uint16_t *row, unsigned odd, const uint32_t *in) {
  uint32_t pairs[8];
  memcpy(pairs, row, sizeof pairs);
  for (unsigned c = 0; c < 8; c++) pairs[c] = (pairs[c] & ~(0xffffu << 16 * odd)) | (in[c] & 0xffffu) << 16 * odd;
  memcpy(row, pairs, sizeof pairs);
}

static void gather(struct tx_vexec *x, const struct place *p, bool wide, uint32_t lanes, tx_row raw) {
  for (unsigned r = 0; r < 4; r++) {
    report_row(x, p, p->row[r], wide, lanes >> r * 8 & 0xffu);
    if (!x->t->dst.valid[p->row[r]]) {
      memset(raw + r * 8, 0, 8 * sizeof raw[0]);
      continue;
    }
    const uint16_t *high = x->t->dst.bits[p->row[r]], *low = x->t->dst.bits[(p->row[r] + 8) & 0x3ffu];
    if (p->regular && !wide) {
      every_second(high, p->regular - 1u, raw + r * 8);
      continue;
    }
    for (unsigned c = 0; c < 8; c++)
      raw[r * 8 + c] = wide ? (uint32_t)high[p->column[c]] << 16 | low[p->column[c]] : high[p->column[c]];
  }
}

#define EACH(value) \
  for (unsigned l = 0; l < TX_LANES; l++) out[l] = (value)
#define RAW raw[l]

/* Storage order to FP32: sign, mantissa (7), exponent (8). */
static uint32_t decode32(uint32_t raw) {
  return (raw & 0x8000ffffu) | (raw >> 16 & 0xffu) << 23 | (raw >> 24 & 0x7fu) << 16;
}

static uint32_t decode_fp16(uint32_t raw, uint32_t has_infinity) {
  uint32_t sign = (raw & 0x8000u) << 16, mantissa = raw >> 5 & 0x3ffu, exponent = raw & 31u;
  if (has_infinity && exponent == 31u && mantissa == 0x3ffu) return sign | 0x7f800000u;
  return sign | (exponent ? exponent + 112u : 0u) << 23 | mantissa << 13;
}

static void decode(struct tx_vexec *x, unsigned mode, const tx_row raw, const uint32_t *old, tx_row out) {
  uint32_t infinities = mode == FMT_FP16 ? tx_vector_config_lanes(x->v, TX_LANE_CONFIG_FP16A_INF) : 0;
  switch (mode) {
    case FMT_FP16: EACH(decode_fp16(RAW, infinities >> l & 1u)); break;
    case FMT_BF16: EACH(decode32(RAW << 16)); break;
    case FMT_INT8: EACH((RAW & 0x8000u) << 16 | (RAW >> 5 & 0xffu)); break;
    case FMT_INT8_COMP: EACH((RAW & 0x8000u) << 16 | (RAW >> 5 & 0x3ffu)); break;
    case FMT_INT16: EACH((RAW & 0x8000u) << 16 | (RAW & 0x7fffu)); break;
    case FMT_UINT16:
    case FMT_LO16: EACH(RAW); break;
    case FMT_HI16: EACH(RAW << 16); break;
    case FMT_LO16_ONLY: EACH((old[l] & 0xffff0000u) | RAW); break;
    case FMT_HI16_ONLY: EACH(RAW << 16 | (old[l] & 0xffffu)); break;
    case FMT_ZERO: EACH(0); break;
    default: EACH(decode32(RAW)); break;
  }
}

/* With both flags a load into LReg 0..3 also writes the source index of each datum to LReg 4..7. */
static void capture_index(struct tx_vexec *x, uint16_t address, const struct place *p, uint32_t lanes) {
  lanes &=
      tx_vector_config_lanes(x->v, TX_LANE_CONFIG_DEST_INDEX) & tx_vector_config_lanes(x->v, TX_LANE_CONFIG_CAPTURE_INDEX);
  if (x->op->vd >= 4 || !lanes) return;
  uint32_t *out = tx_vector_out(x, x->op->vd + 4u);
  for (unsigned l = 0; l < TX_LANES; l++)
    if (lanes >> l & 1u) out[l] = ((address & 0x3fcu) + l / 8) << 4 | p->column[l % 8];
}

static void load_slowly(struct tx_vexec *x, unsigned mode, uint16_t address) {
  bool wide = is_wide(mode, false);
  uint32_t lanes = mode == FMT_INT32_ALL ? x->lanes : x->enabled;
  lanes &= ~tx_vector_config_lanes(x->v, TX_LANE_CONFIG_BLOCK_LOAD);
  struct place p = place_of(x, address, wide, TX_LANE_CONFIG_LOAD_ODD);
  tx_row raw, out;
  report_deprecated(x, mode);
  gather(x, &p, wide, mode == FMT_ZERO ? 0 : lanes, raw);
  decode(x, mode, raw, x->in[x->op->vd], out);
  struct tx_lane_args args = {.d = tx_vector_out(x, x->op->vd), .c = out, .mask = lanes};
  x->ops->fn[TX_LANE_FLIP](&args);
  capture_index(x, address, &p, lanes);
}

/* Every row is whole: four bytes from 1 to TX_DST_EVEN - 1. */
static bool rows_are_valid(const struct tx_dst *dst, unsigned row) {
  uint32_t valid;
  memcpy(&valid, &dst->valid[row], sizeof valid);
  return !((((valid - 0x01010101u) & ~valid) | (valid + (0x80u - TX_DST_EVEN) * 0x01010101u)) & 0x80808080u);
}

/* No map of rows changes the two lowest bits, so the four rows of an address are contiguous, as 32 pairs of datums. */
static unsigned first_row(const struct tx_tile *t, uint16_t address, bool wide) {
  struct tx_dst_map map = tx_dst_map(t);
  return wide ? tx_dst_map32(map, address & 0x3fcu) : tx_dst_map16(map, address & 0x3fcu);
}

static const uint32_t *pairs_of(const struct tx_dst *dst, unsigned row) { return (const void *)dst->bits[row]; }

/* Fast path of the frequent formats, from rows with nothing to report: reads Dst directly. false: the caller uses the general path. */
static bool load_plainly(struct tx_vexec *x, unsigned mode, uint16_t address) {
  const struct tx_dst *dst = &x->t->dst;
  bool wide = mode == FMT_FP32 || mode == FMT_INT32;
  if ((!wide && mode != FMT_BF16 && mode != FMT_UINT16) || x->v->config_any) return false;
  unsigned row = first_row(x->t, address, wide);
  if (!rows_are_valid(dst, row)) return false;
  if (x->t->timing && (dst->fpu_until[row / 8] > tx_now(x->t) || dst->mov_until[row / 8] > tx_now(x->t))) return false;
  struct tx_lane_args args = {.d = tx_vector_out(x, x->op->vd),
                              .a = pairs_of(dst, row),
                              .b = pairs_of(dst, (row + 8) & 0x3ffu),
                              .i = address & 2u ? 16 : 0,
                              .mask = x->enabled};
  x->ops->fn[wide ? TX_LANE_LOAD32 : mode == FMT_BF16 ? TX_LANE_LOAD_BF16 : TX_LANE_LOAD16](&args);
  return true;
}

uint16_t tx_vector_load(struct tx_vexec *x) {
  unsigned mode = resolve_format(x->t, x->thread, x->op->mod);
  uint16_t address = address_of(x->t, x->thread, x->op, mode);
  if (x->op->vd < 8 && !load_plainly(x, mode, address)) load_slowly(x, mode, address);
  tx_rwc_apply(x->t, x->thread, x->op->addr_mode, false);
  return address;
}

void tx_run_load(struct tx_vexec *x) { tx_vector_load(x); }

void tx_run_loadi(struct tx_vexec *x) {
  struct tx_loadi value;
  if (x->op->vd >= 8) return;
  if (!tx_loadi_value(x->op, &value)) {
    tx_fault(x->t, SIM_FAULT_UNDEFINED, "SFPLOADI.md", "SFPLOADI modifier %u is undefined", x->op->mod);
    return;
  }
  struct tx_lane_args args = {.d = tx_vector_out(x, x->op->vd),
                              .c = x->in[x->op->vd],
                              .i = value.keep,
                              .j = value.put,
                              .mask = x->enabled}; /* d = (c & i) | j */
  x->ops->fn[TX_LANE_KEEP_OR](&args);
}

/* --- store --- */

static uint32_t encode32(uint32_t x) { return (x & 0x8000ffffu) | (x >> 23 & 0xffu) << 16 | (x >> 16 & 0x7fu) << 24; }
static uint32_t flushed(uint32_t x) { return x & 0x7f800000u ? x : x & 0x80000000u; }

/* Truncated; too small: zero of its sign; too large, infinite or NaN: all ones. In storage order. */
static uint32_t encode_fp16(uint32_t x) {
  uint32_t sign = x >> 16 & 0x8000u, exponent = x >> 23 & 255u;
  if (exponent <= 112u) return sign;
  if (exponent > 112u + 31u) return sign | 0x7fffu;
  return sign | (x >> 13 & 0x3ffu) << 5 | (exponent - 112u);
}

static uint32_t encode_int8(uint32_t x) { return (x >> 16 & 0x8000u) | (x & 0x3ffu) << 5 | 16u; }

static void encode(unsigned mode, const uint32_t *in, tx_row out) {
#define IN in[l]
  switch (mode) {
    case FMT_FP16: EACH(encode_fp16(IN)); break;
    case FMT_BF16: EACH(encode32(flushed(IN)) >> 16); break;
    case FMT_FP32: EACH(encode32(flushed(IN))); break;
    case FMT_INT8:
    case FMT_INT8_COMP: EACH(encode_int8(IN)); break;
    case FMT_INT16: EACH((IN >> 16 & 0x8000u) | (IN & 0x7fffu)); break;
    case FMT_UINT16:
    case FMT_LO16_ONLY: EACH(IN & 0xffffu); break;
    case FMT_HI16_ONLY: EACH(IN >> 16); break;
    case FMT_LO16: EACH(IN << 16 | IN >> 16); break;
    case FMT_HI16: EACH(IN); break;
    case FMT_ZERO: EACH(0); break;
    default: EACH(encode32(IN)); break;
  }
#undef IN
}

/* The state of a row after a store. Two stores define a row, one for its even columns and one for the odd ones. */
static uint8_t state_after(struct tx_vexec *x, const struct place *p, unsigned row, uint32_t lanes) {
  uint8_t state = x->t->dst.valid[row], half = half_of(p);
  bool all = half != TX_DST_STATES && (lanes & 0xffu) == 0xffu;
  if (state == TX_DST_EVEN || state == TX_DST_ODD) return all && state != half ? (uint8_t)TX_DST_VALID : state;
  if (state != TX_DST_UNDEFINED) return TX_DST_VALID;
  if (all) return half;
  tx_diag(x->t, TX_DIAG_DST_PARTIAL_WRITE, "SFPSTORE to row %u, cleared and not written since: the rest of it is undefined",
          row);
  return TX_DST_VALID;
}

static void scatter_row(struct tx_vexec *x, const struct place *p, unsigned r, bool wide, uint32_t lanes,
                        const tx_row datum) {
  struct tx_dst *dst = &x->t->dst;
  unsigned row = p->row[r];
  dst->valid[row] = state_after(x, p, row, lanes);
  if (x->t->timing) dst->sfpu_until[row / 8] = tx_now(x->t) + TX_DST_SFPU_CYCLES;
  if (p->regular && !wide && (lanes & 0xffu) == 0xffu) {
    put_every_second(dst->bits[row], p->regular - 1u, datum + r * 8);
    return;
  }
  for (unsigned c = 0; c < 8; c++) {
    if (!(lanes >> c & 1u)) continue;
    uint32_t value = datum[r * 8 + c];
    dst->bits[row][p->column[c]] = (uint16_t)(wide ? value >> 16 : value);
    if (wide) dst->bits[(row + 8) & 0x3ffu][p->column[c]] = (uint16_t)value;
  }
}

static void store_slowly(struct tx_vexec *x, unsigned mode, uint16_t address) {
  bool wide = is_wide(mode, true);
  uint32_t lanes = mode == FMT_INT32_ALL ? x->lanes : x->enabled;
  lanes &= ~tx_vector_config_lanes(x->v, TX_LANE_CONFIG_BLOCK_STORE);
  struct place p = place_of(x, address, wide, TX_LANE_CONFIG_STORE_ODD);
  tx_row datum;
  report_deprecated(x, mode);
  encode(mode, x->in[x->op->vd], datum);
  for (unsigned r = 0; r < 4; r++)
    if (lanes >> r * 8 & 0xffu) scatter_row(x, &p, r, wide, lanes >> r * 8, datum);
}

static bool writes_every_row(uint32_t lanes) {
  return (lanes & 0xffu) && (lanes & 0xff00u) && (lanes & 0xff0000u) && lanes >> 24;
}

/* As load_plainly; every row gets at least one datum. */
static bool store_plainly(struct tx_vexec *x, unsigned mode, uint16_t address) {
  struct tx_dst *dst = &x->t->dst;
  uint32_t lanes = x->enabled;
  bool wide = mode == FMT_FP32 || mode == FMT_INT32;
  if ((!wide && mode != FMT_BF16 && mode != FMT_UINT16) || x->v->config_any) return false;
  unsigned row = first_row(x->t, address, wide);
  if (!writes_every_row(lanes) || !rows_are_valid(dst, row)) return false;
  memset(&dst->valid[row], TX_DST_VALID, 4);
  if (x->t->timing) dst->sfpu_until[row / 8] = tx_now(x->t) + TX_DST_SFPU_CYCLES;
  struct tx_lane_args args = {.d = (void *)dst->bits[row], .c = x->in[x->op->vd], .i = address & 2u ? 16 : 0, .mask = lanes};
  if (!wide) {
    x->ops->fn[mode == FMT_BF16 ? TX_LANE_STORE_BF16 : TX_LANE_STORE16](&args);
    return true;
  }
  args.j = mode == FMT_FP32 ? 0x7f800000u : 0;
  x->ops->fn[TX_LANE_STORE32](&args); /* no map of rows sets bit 3 of the high halves' row */
  return true;
}

void tx_run_store(struct tx_vexec *x) {
  unsigned mode = resolve_format(x->t, x->thread, x->op->mod);
  uint16_t address = x->scheduled ? x->address : address_of(x->t, x->thread, x->op, mode);
  if (!store_plainly(x, mode, address)) store_slowly(x, mode, address);
  if (!x->scheduled) tx_rwc_apply(x->t, x->thread, x->op->addr_mode, false);
}

/* --- as operations of the lanes --- */

enum tx_dst_plan_map { PLAN_WIDE = 1, PLAN_REMAP = 2, PLAN_SWIZZLE = 4 };
#define PLAN_OTHERS 0xffffffffu /* the address mode also changes other counters than Dst's */

static inline uint64_t plan_key(const struct tx_tile *t, unsigned thread) { return (t->config.version + 1) << 2 | thread; }

static uint32_t increment_of(const struct tx_tile *t, unsigned thread, unsigned addr_mode) {
  const uint16_t *cfg = t->config.thread_words[thread];
  const uint32_t dst = cfg[TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + addr_mode];
  const uint32_t others = cfg[TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + addr_mode] | (dst & ~0x3ffu) |
                          cfg[TX_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR + addr_mode];
  return others ? PLAN_OTHERS : dst;
}

/* false: not one of the frequent formats. */
static bool make_plan(struct tx_tile *t, unsigned thread, const struct tx_vector_word *word) {
  struct tx_vector_cache *cache = &t->unsaved.vector;
  struct tx_vector_word *w = &cache->words[word - cache->words];
  const uint32_t mode = resolve_format(t, thread, w->op.mod);
  const bool wide = mode == FMT_FP32 || mode == FMT_INT32, is_store = w->op.opcode == TX_SFPSTORE;
  const struct tx_dst_map map = tx_dst_map(t);
  if (!wide && mode != FMT_BF16 && mode != FMT_UINT16) return false;
  struct tx_dst_plan *p = &w->plan;
  if (is_store) p->op = wide ? TX_LANE_STORE32 : mode == FMT_BF16 ? TX_LANE_STORE_BF16 : TX_LANE_STORE16;
  else p->op = wide ? TX_LANE_LOAD32 : mode == FMT_BF16 ? TX_LANE_LOAD_BF16 : TX_LANE_LOAD16;
  p->j = mode == FMT_FP32 ? 0x7f800000u : 0;
  p->lreg = (uint32_t)(offsetof(struct tx_tile, vector) + offsetof(struct tx_vector, lreg) + w->op.vd * sizeof(tx_row));
  p->base = w->op.imm + TX_THREAD_CFG_GET(t, thread, DEST_TARGET_REG_CFG_MATH_Offset) +
            TX_CFG_GET(t, thread, DEST_REGW_BASE_Base) + (TX_CFG_GET(t, thread, DEST_SP_BASE_Base) & 3u);
  p->increment = increment_of(t, thread, w->op.addr_mode);
  p->map = (wide ? PLAN_WIDE : 0) | (map.remap ? PLAN_REMAP : 0) | (wide && map.swizzle ? PLAN_SWIZZLE : 0);
  p->key = plan_key(t, thread);
  return true;
}

static inline __attribute__((always_inline)) unsigned mapped_row(uint32_t bits, unsigned row) {
  const struct tx_dst_map map = {.remap = (bits & PLAN_REMAP) != 0, .swizzle = (bits & PLAN_SWIZZLE) != 0};
  return bits & PLAN_WIDE ? tx_dst_map32(map, row) : tx_dst_map16(map, row);
}

/* These functions call others only at their ends, so that they save no registers. */
static __attribute__((noinline)) bool step_all_counters(struct tx_tile *t, unsigned thread, unsigned addr_mode) {
  tx_rwc_apply(t, thread, addr_mode, false);
  return true;
}

/* The usual address mode only steps Dst's counter. Returns true. */
static inline bool step_counters(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, struct tx_rwc *rwc) {
  if (w->plan.increment == PLAN_OTHERS) return step_all_counters(t, thread, w->op.addr_mode);
  rwc->dst = (uint16_t)((rwc->dst + w->plan.increment) & 0x3ffu);
  return true;
}

static uint32_t row_offset(unsigned row) {
  return (uint32_t)(offsetof(struct tx_tile, dst) + offsetof(struct tx_dst, bits) + row * 2 * TX_DST_COLUMNS);
}

static __attribute__((noinline)) bool plan_load(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w,
                                                struct tx_lane_step *step) {
  return make_plan(t, thread, w) && tx_vector_load_step(t, thread, w, step);
}

bool tx_vector_load_step(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, struct tx_lane_step *step) {
  const struct tx_dst *dst = sim_keep(&t->dst);
  struct tx_rwc *rwc = sim_keep(&t->rwc[thread]);
  if (__builtin_expect(w->plan.key != plan_key(t, thread), 0)) return plan_load(t, thread, w, step);
  const uint32_t address = w->plan.base + rwc->dst;
  const unsigned row = w->plan.map ? mapped_row(w->plan.map, address & 0x3fcu) : address & 0x3fcu;
  if (!rows_are_valid(dst, row) || rwc->sp) return false;
  if (t->timing && (dst->fpu_until[row / 8] > tx_now(t) || dst->mov_until[row / 8] > tx_now(t))) return false;
  step->op = w->plan.op;
  step->d = w->plan.lreg;
  step->a = row_offset(row);
  step->b = step->a + TX_LANE_LOW_HALVES * (uint32_t)sizeof(uint32_t); /* of a wide datum: no map sets bit 3 of its row */
  step->i = (address & 2u) << 3;
  return step_counters(t, thread, w, rwc);
}

static __attribute__((noinline)) bool plan_store(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w,
                                                 uint32_t enabled, struct tx_lane_step *step) {
  return make_plan(t, thread, w) && tx_vector_store_step(t, thread, w, enabled, step);
}

bool tx_vector_store_step(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, uint32_t enabled,
                          struct tx_lane_step *step) {
  struct tx_dst *dst = sim_keep(&t->dst);
  struct tx_rwc *rwc = sim_keep(&t->rwc[thread]);
  if (__builtin_expect(w->plan.key != plan_key(t, thread), 0)) return plan_store(t, thread, w, enabled, step);
  const uint32_t address = w->plan.base + rwc->dst;
  const unsigned row = w->plan.map ? mapped_row(w->plan.map, address & 0x3fcu) : address & 0x3fcu;
  if (!rows_are_valid(dst, row) || rwc->sp || (enabled != TX_ALL_LANES && !writes_every_row(enabled))) return false;
  memset(&dst->valid[row], TX_DST_VALID, 4);
  if (t->timing) dst->sfpu_until[row / 8] = tx_now(t) + TX_DST_SFPU_CYCLES;
  step->op = w->plan.op;
  step->d = row_offset(row);
  step->c = w->plan.lreg;
  step->i = (address & 2u) << 3;
  step->j = w->plan.j;
  return step_counters(t, thread, w, rwc);
}
