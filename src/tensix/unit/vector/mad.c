/* The MAD sub-unit: SFPMAD, SFPADD, SFPMUL, SFPADDI, SFPMULI, SFPMUL24, SFPLUT, SFPLUTFP32, with operands and results that
 * LReg 7 selects per lane. ISA: SFPMAD.md and the pages of the others (Blackhole). */
#include "tensix/unit/vector/mad.h"

#include <string.h>

#include "tensix/unit/vector/exec.h"

enum { NEGATE_VA = 1, NEGATE_VC = 2, INDIRECT_VA = 4, INDIRECT_VD = 8 };
#define SIGN 0x80000000u

static const uint32_t *operand_a(const struct tx_vexec *x, tx_row gathered) {
  if (!(x->op->mod & INDIRECT_VA)) return x->in[x->op->va];
  for (unsigned l = 0; l < TX_LANES; l++) gathered[l] = x->in[x->in[7][l] & 15u][l];
  return gathered;
}

/* Every lane writes the register given by its LReg 7, if that is writable. */
static void scatter(struct tx_vexec *x, const tx_row result) {
  for (unsigned l = 0; l < TX_LANES; l++) {
    uint32_t *out = tx_vector_out(x, x->in[7][l] & 15u);
    if (out && (x->enabled >> l & 1u)) out[l] = result[l];
  }
}

static void compute(struct tx_vexec *x, enum tx_lane_op op, struct tx_lane_args *args) {
  if ((x->op->mod & INDIRECT_VD) && x->op->vd != TX_LREG_STAGING) {
    tx_row result, selector;
    memcpy(selector, x->in[7], sizeof selector); /* it may be among the registers written */
    args->d = result;
    args->mask = TX_ALL_LANES;
    x->ops->fn[op](args);
    const tx_row *in = x->in;
    tx_row view[8];
    memcpy(view[7], selector, sizeof selector);
    x->in = (const tx_row *)view;
    scatter(x, result);
    x->in = in;
    return;
  }
  args->d = tx_vector_out(x, x->op->vd);
  args->mask = x->enabled;
  if (args->d) x->ops->fn[op](args);
}

void tx_run_mad(struct tx_vexec *x) {
  tx_row gathered;
  struct tx_lane_args args = {.a = operand_a(x, gathered),
                              .b = x->in[x->op->vb],
                              .c = x->in[x->op->vc],
                              .i = x->op->mod & NEGATE_VA ? SIGN : 0,
                              .j = x->op->mod & NEGATE_VC ? SIGN : 0};
  compute(x, TX_LANE_MAD, &args);
}

/* SFPADDI: imm * 1 + VC; SFPMULI: imm * VC + 0. */
void tx_run_immediate(struct tx_vexec *x) {
  tx_row immediate;
  for (unsigned l = 0; l < TX_LANES; l++) immediate[l] = (uint32_t)x->op->imm << 16;
  const uint32_t *one = x->v->lreg[10], *zero = x->v->lreg[9], *c = x->in[x->op->vc];
  uint32_t negate = x->op->mod & NEGATE_VC ? SIGN : 0;
  struct tx_lane_args add = {.a = immediate, .b = one, .c = c, .j = negate};
  struct tx_lane_args multiply = {.a = c, .b = immediate, .c = zero, .i = negate};
  compute(x, TX_LANE_MAD, x->op->opcode == TX_SFPADDI ? &add : &multiply);
}

void tx_run_mul24(struct tx_vexec *x) {
  tx_row gathered;
  struct tx_lane_args args = {
      .a = operand_a(x, gathered), .b = x->in[x->op->vb], .c = x->in[x->op->vc], .i = x->op->mod & 1u};
  uint32_t altered = x->enabled & ~tx_vector_bits(x, TX_LANE_IS_ZERO, NULL, args.c, 0xffffffffu);
  if (altered) tx_diag(x->t, TX_DIAG_SFPU_DOMAIN, "SFPMUL24 with VC = LReg%u not zero: the product is altered", x->op->vc);
  compute(x, TX_LANE_MUL24, &args);
}

void tx_run_lut(struct tx_vexec *x) {
  struct tx_lane_args args = {.regs = x->in, .i = x->op->mod};
  compute(x, x->op->opcode == TX_SFPLUT ? TX_LANE_LUT : TX_LANE_LUT32, &args);
}
