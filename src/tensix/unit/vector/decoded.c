/* Decoding (decoded.h): the fast path of a single instruction, and the step that it is in a batch. */
#include "tensix/unit/vector/decoded.h"

#include <stddef.h>

#include "tensix/unit/vector/loadstore.h"
#include "tensix/unit/vector/mad.h"
#include "tensix/unit/vector/op.h"
#include "tensix/unit/vector/round.h"
#include "tensix/unit/vector/simple.h"

static uint8_t short_way(const struct tx_vop *op) {
  if (op->vd >= 8 || op->opcode == TX_SFPCONFIG || op->opcode == TX_SFPSHFT2 || tx_vop_blocks_next(op)) return TX_PLAIN_NOT;
  return op->two_cycles ? TX_PLAIN_TWO_CYCLES : TX_PLAIN_ONE_CYCLE;
}

static uint32_t vector_offset(size_t member) { return (uint32_t)(offsetof(struct tx_tile, vector) + member); }
static uint32_t lreg_offset(unsigned reg) { return vector_offset(offsetof(struct tx_vector, lreg) + reg * sizeof(tx_row)); }

static enum tx_batch_kind simple_kind(const struct tx_vop *op, struct tx_lane_step *step) {
  if (!tx_simple_is_form_only(op)) return TX_BATCH_NOT;
  const struct tx_lane_form f = tx_simple_form(op);
  step->op = f.op;
  step->i = f.i;
  step->j = f.j;
  if (f.b_is_vc) step->b = step->c;
  return TX_BATCH_STEP;
}

static enum tx_batch_kind cast_kind(const struct tx_vop *op, struct tx_lane_step *step) {
  static const uint8_t casts[4] = {TX_LANE_CAST, TX_LANE_COUNT, TX_LANE_ABS_INTEGER, TX_LANE_NEGATE_MAGNITUDE};
  if (op->mod > 3 || casts[op->mod] == TX_LANE_COUNT) return TX_BATCH_NOT;
  step->op = casts[op->mod];
  return TX_BATCH_STEP;
}

static enum tx_batch_kind loadi_kind(const struct tx_vop *op, struct tx_lane_step *step) {
  struct tx_loadi value;
  if (!tx_loadi_value(op, &value)) return TX_BATCH_NOT;
  step->op = value.keep ? TX_LANE_KEEP_OR : TX_LANE_SET;
  step->i = value.keep ? value.keep : value.put;
  step->j = value.put;
  return TX_BATCH_STEP;
}

static enum tx_batch_kind move_kind(const struct tx_vop *op, struct tx_lane_step *step) {
  if (op->mod > 1) return TX_BATCH_NOT;
  step->op = TX_LANE_FLIP;
  step->i = (uint32_t)op->mod << 31;
  return TX_BATCH_STEP;
}

static enum tx_batch_kind swap_kind(const struct tx_vop *op, struct tx_lane_step *step) {
  if (op->mod == 0 || op->mod > 9 || op->vc >= 8 || op->vc == op->vd) return TX_BATCH_NOT;
  step->op = TX_LANE_SORT;
  step->i = tx_swap_minimum_lanes(op->mod);
  return TX_BATCH_SORT;
}

/* Most products and sums are written with the constants of these registers, which no instruction changes. */
enum { LREG_ZERO = 9, LREG_ONE = 10 };

static enum tx_batch_kind mad_kind(const struct tx_vop *op, struct tx_lane_step *step) {
  if (op->mod > 3) return TX_BATCH_NOT;
  step->op = TX_LANE_MAD;
  step->i = (uint32_t)op->mod << 31;
  step->j = (uint32_t)(op->mod >> 1) << 31;
  if (op->vc == LREG_ZERO && !step->j) {
    step->op = TX_LANE_MUL_REAL;
  } else if (op->va == LREG_ONE || op->vb == LREG_ONE) {
    step->op = TX_LANE_ADD_REAL;
    if (op->vb == LREG_ONE) step->b = step->a; /* the other factor */
  }
  return TX_BATCH_TWO_CYCLES;
}

static enum tx_batch_kind kind_of(const struct tx_vop *op, struct tx_lane_step *step) {
  tx_vector_fn *run = tx_vector_ops[op->opcode].run;
  if (op->vd >= 8) return TX_BATCH_NOT;
  if (op->opcode == TX_SFPNOP) return TX_BATCH_STEP;  /* without one */
  if (op->opcode == TX_SFPLOAD) return TX_BATCH_LOAD; /* with a plan instead */
  if (op->opcode == TX_SFPSTORE) return TX_BATCH_STORE;
  if (op->opcode == TX_SFPLOADI) return loadi_kind(op, step);
  if (run == tx_run_mad) return mad_kind(op, step);
  if (run == tx_run_simple) return simple_kind(op, step);
  if (run == tx_run_move) return move_kind(op, step);
  if (run == tx_run_swap) return swap_kind(op, step);
  if (run == tx_run_cast) return cast_kind(op, step);
  if (run == tx_run_round) return tx_round_step(op, step) ? TX_BATCH_ROUND : TX_BATCH_NOT;
  return TX_BATCH_NOT;
}

static void find_step(struct tx_vector_word *w) {
  const struct tx_vop *op = &w->op;
  w->step = (struct tx_lane_step){
      .d = lreg_offset(op->vd), .a = lreg_offset(op->va), .b = lreg_offset(op->vb), .c = lreg_offset(op->vc)};
  const bool reported = w->word & ~tx_ops[op->opcode].used; /* where it enters the unit */
  w->kind = reported ? TX_BATCH_NOT : (uint8_t)kind_of(op, &w->step);
  w->reads = w->kind ? tx_vop_reads(op, NULL) : 0;
  w->steps = op->opcode != TX_SFPNOP;
  w->writes = op->opcode == TX_SFPNOP || op->opcode == TX_SFPSTORE ? 0 : 1u << op->vd;
  if (w->kind == TX_BATCH_SORT) w->writes |= 1u << op->vc;
  if (w->kind >= TX_BATCH_LOAD) w->plan.key = 0;
}

/* Loops repeat the same words: each is decoded once. */
__attribute__((noinline)) const struct tx_vector_word *tx_vector_decode(struct tx_tile *t, uint32_t word) {
  struct tx_vector_word *w = &t->unsaved.vector.words[(word * 0x9e3779b1u >> 25) * 2];
  struct tx_vop op = tx_vop_decode(word);
  if (op.opcode == TX_SFPLOADMACRO) {
    op.vd = (uint8_t)((op.vd & 3u) | (op.imm & 1u) << 2);
  } else {
    tx_vop_settle(&op);
    op.plain = short_way(&op);
  }
  w[1] = w[0];
  w->word = word;
  w->op = op;
  w->issue_cycles = (uint8_t)tx_ops[op.opcode].issue_cycles;
  w->latency_cycles = (uint8_t)tx_ops[op.opcode].latency_cycles;
  w->held_reads = op.opcode == TX_SFPNOP ? 0 : tx_vop_known_reads(&op, word);
  find_step(w);
  return w;
}
