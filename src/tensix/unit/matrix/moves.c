/* Moves between SrcA, SrcB and Dst. ISA: MOVA2D.md, MOVB2D.md, MOVD2A.md, MOVD2B.md, MOVB2A.md, MOVDBGA2D.md.
 *
 * A datum moves as bits, not as a number: 18 s | 17..8 mantissa | 7..0 exponent in Src, s | 7 or 10 | 8 or 5 in Dst. */
#include "tensix/regs/src.h"
#include "tensix/unit/matrix/access.h"

/* --- bits --- */

static uint32_t src_to_bf16(uint32_t x) { return (x & 0x40000u) >> 3 | (x & 0x3f800u) >> 3 | (x & 0xffu); }
static uint32_t src_to_fp16(uint32_t x) { return (x & 0x40000u) >> 3 | (x & 0x3ff00u) >> 3 | (x & 0x1fu); }
static uint32_t bf16_to_src(uint32_t x) { return (x & 0xff00u) << 3 | (x & 0xffu); }
static uint32_t fp16_to_src(uint32_t x) { return (x & 0xffe0u) << 3 | (x & 0x1fu); }
/* A 32-bit Dst datum holds TF32 as s | high mantissa 7 | exponent 8 | low mantissa 3 | 13 bits more. */
static uint32_t tf32_to_src(uint32_t x) { return bf16_to_src(x >> 16) | (x >> 13 & 7u) << 8; }

/* LaneConfig.BLOCK_DEST_MOV, written by SFPCONFIG, excludes single columns from moves. */
static bool blocked(const struct tx_tile *t, unsigned column) {
  return t->vector.lane_config[column / 2] & TX_LANE_CONFIG_BLOCK_MOV & 1u << (9 + (column & 1u));
}

/* --- Src to Dst --- */

struct to_dst {
  uint32_t src_row, src_step;
  uint32_t dst_row, rows;
  bool column0;
  bool low;        /* dest_32b_lo */
  uint32_t format; /* decides the style */
  uint32_t mask;   /* bits of the source datum that are used */
};

static bool flushes(const struct tx_tile *t, unsigned thread) {
  return !TX_CFG_GET(t, thread, ALU_ACC_CTRL_Zero_Flag_disabled_src);
}

static void write_column(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t x, const struct to_dst *m,
                         bool exp8) {
  uint32_t half = exp8 ? src_to_bf16(x) : src_to_fp16(x);
  if (m->format == NUM_TF32) {
    rows->high[i][column] = (uint16_t)half;
    rows->low[i][column] = (uint16_t)((x >> 8 & 7u) << 13);
  } else if (m->low) { /* the high half is kept; of an undefined row it is 0 */
    if (!rows->defined[i]) rows->high[i][column] = 0;
    rows->low[i][column] = (uint16_t)half;
  } else {
    rows->high[i][column] = (uint16_t)half;
  }
}

static bool any_blocked(const struct tx_tile *t) { return t->vector.config_any & TX_LANE_CONFIG_BLOCK_MOV; }

/* Whole rows of 16-bit datums into the high halves: the common case, by vector code. `job` has the rows of Dst. */
static bool move_whole_rows(struct tx_tile *t, enum tx_src_which which, const struct to_dst *m,
                            struct num_fpu_to_dst_job *job) {
  const struct num_fpu_ops *ops = tx_matrix_ops(t);
  if (!ops->to_dst || m->format == NUM_TF32 || m->low || any_blocked(t)) return false;
  tx_assert(m->src_row + (m->rows - 1) * m->src_step < TX_SRC_ROWS); /* it is aligned to its rows */
  job->mask = m->mask;
  job->column0 = m->column0;
  job->from = (const uint32_t(*)[16]) & tx_matrix_bank(t, which)->datum[m->src_row];
  job->step = m->src_step;
  ops->to_dst(job);
  return true;
}

static void move_to_dst(struct tx_tile *t, unsigned thread, enum tx_src_which which, const struct to_dst *m,
                        struct tx_cost *cost) {
  if (!tx_matrix_format_known(t, m->format)) return;
  if (m->format == NUM_TF32 && m->low) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "MOVA2D.md", "TF32 with dest_32b_lo: hardware erratum TEN-4245");
    return;
  }
  bool exp8 = !TX_THREAD_CFG_GET(t, thread, FP16A_FORCE_Enable) && tx_matrix_style(m->format) != TX_STYLE_FP16;
  bool flush = flushes(t, thread);
  struct num_fpu_to_dst_job job; /* without an initializer: tx_matrix_use_rows sets its rows */
  unsigned use = TX_DST_WRITES | TX_DST_BY_MOVE;
  /* A 32-bit Dst, and datums that pass as bits: a kernel transposes 32-bit numbers in two halves, as LLK's transpose_dest does. */
  if (!flush && TX_CFG_GET(t, thread, ALU_ACC_CTRL_Fp32_enabled)) use |= TX_DST_HALVES;
  struct tx_dst_request request = {m->dst_row, 1, m->rows, m->low || m->format == NUM_TF32, use};
  job.flush = flush;
  job.exp8 = exp8;
  tx_matrix_use_rows(t, &request, cost, &job.rows);
  if (move_whole_rows(t, which, m, &job)) return;
  for (unsigned i = 0; i < m->rows; i++) {
    const uint32_t *from = tx_matrix_bank(t, which)->datum[(m->src_row + i * m->src_step) & 63u];
    for (unsigned column = 0; column < 16; column++) {
      if (blocked(t, column)) continue;
      uint32_t x = from[m->column0 ? 0 : column];
      if (flush && !(x & 0xffu)) x = 0;
      write_column(&job.rows, i, column, x & m->mask, m, exp8);
    }
  }
}

/* The usual MOVA2D: eight aligned rows of datums with exponents of eight bits. false: no change. */
static inline bool move_block(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const struct num_fpu_ops *ops = tx_matrix_ops(t);
  const struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCA);
  const struct tx_matrix_moves *moves = tx_matrix_moves(t, thread);
  if (TX_FIELD(word, MOVA2D, instr_mod) != 2 || TX_FIELD(word, MOVA2D, dest_32b_lo) || !ops->to_rows) return false;
  if (any_blocked(t) || !bank->filled || moves->forced) return false;
  const uint32_t format = moves->format_a == TX_MATRIX_IMPLIED ? bank->format : moves->format_a,
                 src_row = (TX_FIELD(word, MOVA2D, src) + t->rwc[thread].srca) & 0x3fu;
  if (src_row & 7u || !tx_matrix_is_bf16(format)) return false;
  uint16_t(*to)[TX_DST_COLUMNS] = tx_matrix_moved_to(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, MOVA2D, dst)), 8, cost);
  if (!to) return false;
  t->matrix.srca_row = (uint8_t)src_row;
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVA2D, addr_mode), true);
  ops->to_rows((const uint32_t(*)[16]) & bank->datum[src_row], to, 8, moves->flush);
  return true;
}

/* Out of line: keeps the usual case short. */
__attribute__((noinline)) static void mova2d(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  bool eight = TX_FIELD(word, MOVA2D, instr_mod) & 2u;
  /* One row differs from eight, which golden values cover, by their number alone (ISA: MOVA2D.md). */
  if (TX_FIELD(word, MOVA2D, instr_mod) & 1u)
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "MOVA2D mode %u", TX_FIELD(word, MOVA2D, instr_mod));
  struct to_dst m = {.src_step = 1,
                     .rows = eight ? 8 : 1,
                     .low = TX_FIELD(word, MOVA2D, dest_32b_lo),
                     .format = tx_matrix_format_a(t, thread),
                     .mask = NUM_FPU_SRC_TF32};
  m.src_row = tx_matrix_src_row(t, TX_SRCA, TX_FIELD(word, MOVA2D, src) + t->rwc[thread].srca, eight ? 0x38 : 0x3f, m.rows);
  m.dst_row =
      tx_matrix_dst_aligned(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, MOVA2D, dst)), eight ? 0x3f8 : 0x3ff, m.rows);
  move_to_dst(t, thread, TX_SRCA, &m, cost);
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVA2D, addr_mode), true);
}

void tx_exec_MOVA2D(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (!move_block(t, thread, word, cost)) mova2d(t, thread, word, cost);
}
/* The same without the wait for SrcA (its row has none). */
void tx_exec_MOVDBGA2D(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  mova2d(t, thread, word, cost);
}

/* For MOVB2D and MOVD2B the style comes from "SrcA's" format, which on Blackhole is the implied one of the SrcB bank
 * while SrcA formats are implied (golden model; MOVD2B.md calls this not fully characterised). */
static uint32_t style_format_for_b(struct tx_tile *t, unsigned thread) {
  if (TX_THREAD_CFG_GET(t, thread, DISABLE_IMPLIED_SRCA_FMT_Base)) return tx_matrix_format_a(t, thread);
  const struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCB);
  if (!bank->filled) tx_diag(t, TX_DIAG_IMPLIED_FORMAT_UNSET, "SrcB bank %u", t->src.matrix_bank[TX_SRCB]);
  return bank->format;
}

/* The used bits of a SrcB datum depend on SrcB's own code (golden model; the page has no mask): FP16 drops the top of the
 * exponent, TF32 nothing, every other code the low mantissa bits. FP16 style with another code, which the golden model
 * rejects, passes the whole datum as the page describes. */
static uint32_t kept_bits_of_b(struct tx_tile *t, unsigned thread, uint32_t style) {
  switch (tx_matrix_format_b(t, thread)) {
    case NUM_FP16: return NUM_FPU_SRC_FP16;
    case NUM_TF32: return NUM_FPU_SRC_TF32;
    default: return style != NUM_FP16 && tx_matrix_style(style) == TX_STYLE_FP16 ? NUM_FPU_SRC_TF32 : NUM_FPU_SRC_BF16;
  }
}

/* movb2d_instr_mod: bit 0 column 0 to all columns, bit 1 one row to eight, bit 2 four rows. */
__attribute__((noinline)) static void movb2d(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  uint32_t mode = TX_FIELD(word, MOVB2D, movb2d_instr_mod);
  if (mode < 2 || mode > 5) tx_diag(t, TX_DIAG_UNTESTED_MODE, "MOVB2D mode %u", mode);
  bool low = TX_FIELD(word, MOVB2D, dest_32b_lo);
  if (low && TX_CFG_GET(t, thread, ALU_ACC_CTRL_Fp32_enabled))
    tx_diag(t, TX_DIAG_MOVB2D_LOW_FP32, "dest_32b_lo while Fp32_enabled is set");
  uint32_t rows = mode & 2u ? 8 : mode & 4u ? 4 : 1;
  uint32_t src_rows = mode & 2u ? 1 : rows;
  struct to_dst m = {.src_step = mode & 2u ? 0 : 1,
                     .rows = rows,
                     .column0 = mode & 1u,
                     .low = low,
                     .format = style_format_for_b(t, thread)};
  m.mask = kept_bits_of_b(t, thread, m.format);
  t->matrix.srca_row = t->rwc[thread].srca; /* inferred: the row for SHIFTXA */
  m.src_row = tx_matrix_src_row(t, TX_SRCB, TX_FIELD(word, MOVB2D, src) + t->rwc[thread].srcb, 0x40u - src_rows, src_rows);
  m.dst_row = tx_matrix_dst_aligned(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, MOVB2D, dst)), 0x400u - rows, rows);
  move_to_dst(t, thread, TX_SRCB, &m, cost);
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVB2D, addr_mode), true);
}

/* Datums with exponents of eight bits in the implied format of SrcB's bank, and no column excluded: the usual moves of SrcB. */
static inline bool b_is_usual(const struct tx_tile *t, const struct tx_matrix_moves *moves, const struct tx_src_bank *bank) {
  return !any_blocked(t) && bank->filled && moves->implied_b && tx_matrix_is_bf16(bank->format);
}

/* The usual MOVB2D: four aligned rows. false: no change. */
static inline bool move_b_rows(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const struct num_fpu_ops *ops = tx_matrix_ops(t);
  const struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCB);
  const struct tx_matrix_moves *moves = tx_matrix_moves(t, thread);
  const uint32_t src_row = (TX_FIELD(word, MOVB2D, src) + t->rwc[thread].srcb) & 0x3fu;
  if (TX_FIELD(word, MOVB2D, movb2d_instr_mod) != 4 || TX_FIELD(word, MOVB2D, dest_32b_lo) || !ops->to_rows || src_row & 3u)
    return false;
  if (!b_is_usual(t, moves, bank)) return false;
  uint16_t(*to)[TX_DST_COLUMNS] = tx_matrix_moved_to(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, MOVB2D, dst)), 4, cost);
  if (!to) return false;
  t->matrix.srca_row = t->rwc[thread].srca;
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVB2D, addr_mode), true);
  ops->to_rows((const uint32_t(*)[16]) & bank->datum[src_row], to, 4, moves->flush);
  return true;
}

void tx_exec_MOVB2D(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (!move_b_rows(t, thread, word, cost)) movb2d(t, thread, word, cost);
}
/* inferred: as MOVB2D without the wait for SrcB, like MOVDBGA2D */
void tx_exec_MOVDBGB2D(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  movb2d(t, thread, word, cost);
}

/* --- Dst to Src --- */

static uint32_t narrow_to_src(uint32_t x, enum tx_style style) {
  return style == TX_STYLE_FP16 ? fp16_to_src(x) : bf16_to_src(x);
}

static uint32_t wide_to_src(uint32_t x, enum tx_style style, bool low) {
  if (style == TX_STYLE_TF32) return low ? x & 0x1fffu : tf32_to_src(x);
  return narrow_to_src(low ? x & 0xffffu : x >> 16, style);
}

static void check_owner(struct tx_tile *t, enum tx_src_which which) {
  if (!tx_src_matrix_owns(&t->src, which))
    tx_diag_after(t, TX_DIAG_BANK_TOUCH_FOREIGN, &t->src.released[which], "%s bank %u", which == TX_SRCA ? "SrcA" : "SrcB",
                  t->src.matrix_bank[which]);
}

static bool dst_can_give(struct tx_tile *t, enum tx_style style, bool wide, bool low) {
  if (wide || (!low && style != TX_STYLE_TF32)) return true;
  tx_fault(t, SIM_FAULT_UNDEFINED, "MOVD2A.md", "%s needs the 32-bit view of Dst", low ? "dest_32b_lo" : "TF32");
  return false;
}

static void move_from_dst(struct tx_tile *t, unsigned thread, enum tx_src_which which, uint32_t format, uint32_t word,
                          struct tx_cost *cost) {
  bool force = TX_THREAD_CFG_GET(t, thread, FP16A_FORCE_Enable), low = TX_FIELD(word, MOVD2A, dest_32b_lo);
  bool wide =
      !force && (TX_CFG_GET(t, thread, ALU_ACC_CTRL_Fp32_enabled) || TX_CFG_GET(t, thread, ALU_ACC_CTRL_INT8_math_enabled));
  enum tx_style style = force ? TX_STYLE_FP16 : tx_matrix_style(format);
  if (!tx_matrix_format_known(t, format) || !dst_can_give(t, style, wide, low)) return;
  uint32_t count = TX_FIELD(word, MOVD2A, instr_mod) & 2u ? 4 : 1;
  uint8_t counter = which == TX_SRCA ? t->rwc[thread].srca : t->rwc[thread].srcb;
  uint32_t src_row = tx_matrix_src_row(t, which, TX_FIELD(word, MOVD2A, src) + counter, 0x40u - count, count);
  uint32_t dst_row =
      tx_matrix_dst_aligned(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, MOVD2A, dst)), 0x400u - count, count);
  struct num_fpu_from_dst_job job; /* without an initializer, as above */
  const struct num_fpu_rows *rows = &job.rows;
  tx_matrix_use_rows(t, &(struct tx_dst_request){dst_row, 1, count, wide, TX_DST_READS}, cost, &job.rows);
  struct tx_src_bank *bank = tx_matrix_bank(t, which);
  const struct num_fpu_ops *ops = tx_matrix_ops(t);
  bool plain = ops->from_dst && !wide && !any_blocked(t);
  job.to = &bank->datum[src_row];
  job.exp8 = style != TX_STYLE_FP16;
  if (plain) ops->from_dst(&job);
  for (unsigned i = 0; i < count && !plain; i++) {
    for (unsigned column = 0; column < 16; column++) {
      if (blocked(t, column)) continue;
      uint32_t high = rows->defined[i] ? rows->high[i][column] : 0,
               below = wide && rows->defined[i] ? rows->low[i][column] : 0;
      bank->datum[src_row + i][column] = wide ? wide_to_src(high << 16 | below, style, low) : narrow_to_src(high, style);
    }
  }
  bank->version++;
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVD2A, addr_mode), true);
}

void tx_exec_MOVD2A(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (TX_FIELD(word, MOVD2A, instr_mod) != 2)
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "MOVD2A mode %u", TX_FIELD(word, MOVD2A, instr_mod));
  check_owner(t, TX_SRCA);
  move_from_dst(t, thread, TX_SRCA, tx_matrix_format_a(t, thread), word, cost);
  t->matrix.movd2a_until = tx_now(t) + cost->hold + 2; /* in the next cycle only MOVD2A and MOVB2A */
}

/* The usual MOVD2B: four aligned rows of the 16-bit view. false: no change. */
static inline bool move_rows_to_b(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const struct num_fpu_ops *ops = tx_matrix_ops(t);
  struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCB);
  const struct tx_matrix_moves *moves = tx_matrix_moves(t, thread);
  const uint32_t src_row = (TX_FIELD(word, MOVD2B, src) + t->rwc[thread].srcb) & 0x3fu;
  if (TX_FIELD(word, MOVD2B, instr_mod) != 2 || TX_FIELD(word, MOVD2B, dest_32b_lo) || !ops->from_rows || src_row & 3u)
    return false;
  if (!moves->narrow || !b_is_usual(t, moves, bank) || !tx_src_matrix_owns(&t->src, TX_SRCB)) return false;
  const uint16_t(*from)[TX_DST_COLUMNS] =
      tx_matrix_moved_from(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, MOVD2B, dst)), 4, cost);
  if (!from) return false;
  bank->version++;
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVD2B, addr_mode), true);
  ops->from_rows(from, &bank->datum[src_row], 4);
  return true;
}

/* Out of line: keeps the usual case short. */
__attribute__((noinline)) static void movd2b(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (TX_FIELD(word, MOVD2B, instr_mod) & 1u)
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "MOVD2B mode %u", TX_FIELD(word, MOVD2B, instr_mod));
  check_owner(t, TX_SRCB);
  move_from_dst(t, thread, TX_SRCB, style_format_for_b(t, thread), word, cost);
}

void tx_exec_MOVD2B(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  t->matrix.srca_row = t->rwc[thread].srca; /* inferred: the row for SHIFTXA */
  if (!move_rows_to_b(t, thread, word, cost)) movd2b(t, thread, word, cost);
  t->matrix.movd2b_until = tx_now(t) + cost->hold + 4; /* in the next three cycles only MOVD2B */
}

_Static_assert((int)TX_MOVD2A_dst_LO == (int)TX_MOVD2B_dst_LO && (int)TX_MOVD2A_src_LO == (int)TX_MOVD2B_src_LO &&
                   (int)TX_MOVD2A_addr_mode_LO == (int)TX_MOVD2B_addr_mode_LO &&
                   (int)TX_MOVD2A_instr_mod_LO == (int)TX_MOVD2B_instr_mod_LO &&
                   (int)TX_MOVB2D_dst_LO == (int)TX_MOVDBGB2D_dst_LO && (int)TX_MOVA2D_dst_LO == (int)TX_MOVDBGA2D_dst_LO,
               "moves share their layout");

/* --- SrcB to SrcA --- */

void tx_exec_MOVB2A(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  uint32_t mode = TX_FIELD(word, MOVB2A, instr_mod), count = mode & 2u ? 4 : 1;
  if (mode != 2) tx_diag(t, TX_DIAG_UNTESTED_MODE, "MOVB2A mode %u", mode);
  check_owner(t, TX_SRCA);
  bool flush = flushes(t, thread);
  uint32_t to = tx_matrix_src_row(t, TX_SRCA, TX_FIELD(word, MOVB2A, srca) + t->rwc[thread].srca, 0x40u - count, count);
  uint32_t from = tx_matrix_src_row(t, TX_SRCB, TX_FIELD(word, MOVB2A, srcb) + t->rwc[thread].srcb, 0x40u - count, count);
  struct tx_src_bank *a = tx_matrix_bank(t, TX_SRCA);
  const struct tx_src_bank *b = tx_matrix_bank(t, TX_SRCB);
  for (unsigned i = 0; i < count; i++) {
    for (unsigned column = 0; column < 16; column++) {
      if (blocked(t, column)) continue;
      uint32_t x = b->datum[from + i][column];
      a->datum[to + i][column] = flush && !(x & 0xffu) ? 0 : x;
    }
  }
  a->version++;
  t->matrix.movd2a_until = tx_now(t) + cost->hold + 2;
  tx_rwc_apply(t, thread, TX_FIELD(word, MOVB2A, addr_mode), true);
}
