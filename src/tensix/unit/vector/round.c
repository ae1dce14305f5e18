/* The round sub-unit: SFP_STOCH_RND and SFPSHFT2; and the conversions of the simple sub-unit, SFPCAST and SFPARECIP.
 * ISA: SFPSTOCHRND_*.md, SFPSHFT2.md, SFPCAST_*.md, SFPARECIP.md, VectorUnit.md "PRNG". */
#include "tensix/unit/vector/round.h"

#include <stddef.h>
#include <string.h>

#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/exec.h"
#include "tensix/unit/vector/vector.h"

#define SIGN 0x80000000u

/* `words`: the generators' states before; NULL: only steps them. */
void tx_vector_random(struct tx_vexec *x, uint32_t mask, uint32_t words[TX_LANES]) {
  if (x->v->seedings != x->t->config.prng_seedings) {
    tx_vector_seed_prng(x->t, x->t->config.prng_seed);
    x->v->seedings = x->t->config.prng_seedings;
  }
  if (words) memcpy(words, x->v->prng, sizeof x->v->prng);
  struct tx_lane_args args = {.d = x->v->prng, .mask = mask};
  x->ops->fn[TX_LANE_STEP_PRNG](&args);
}

/* --- SFP_STOCH_RND --- */

enum { ROUND_NEAREST, ROUND_STOCHASTIC, ROUND_ZERO };

#define TWICE(x) x, x
#define ALL_LANES(x) \
  { TWICE(TWICE(TWICE(TWICE(TWICE(x))))) }

/* The threshold: discarded bits at or above it round up. The generator advances in every mode. */
static const uint32_t *limits(struct tx_vexec *x, tx_row random) {
  static const tx_row half = ALL_LANES(TX_LANE_HALF), never = ALL_LANES(0x7fffffu);
  bool fixed = x->op->rounding == ROUND_NEAREST || x->op->rounding == ROUND_ZERO;
  tx_vector_random(x, x->enabled, fixed ? NULL : random);
  if (fixed) return x->op->rounding == ROUND_NEAREST ? half : never;
  for (unsigned l = 0; l < TX_LANES; l++) random[l] &= 0x7fffffu;
  return random;
}

/* The form of rounding by modifier (its low three bits). */
static enum tx_lane_op rounding_form(unsigned mod, struct tx_lane_args *args) {
  args->j = mod & 1u ? SIGN : 0;
  switch (mod) {
    case 0: args->i = 13; return TX_LANE_ROUND_REAL;
    case 1: args->i = 16; return TX_LANE_ROUND_REAL;
    case 2: args->i = 255; return TX_LANE_ROUND_INTEGER;
    case 3: args->i = 127; return TX_LANE_ROUND_INTEGER;
    case 4: args->i = 255; return TX_LANE_DESCALE;
    case 5: args->i = 127; return TX_LANE_DESCALE;
    case 6: args->i = 65535; return TX_LANE_ROUND_INTEGER;
    default: args->i = 32767; return TX_LANE_ROUND_INTEGER;
  }
}

bool tx_round_step(const struct tx_vop *op, struct tx_lane_step *step) {
  struct tx_lane_args args;
  enum tx_lane_op form = rounding_form(op->mod & 7u, &args);
  if (op->rounding != ROUND_NEAREST || form == TX_LANE_DESCALE) return false;
  step->op = form == TX_LANE_ROUND_REAL ? TX_LANE_ROUND_REAL_NEAREST : TX_LANE_ROUND_INTEGER_NEAREST;
  step->i = args.i;
  step->j = args.j;
  step->a = (uint32_t)(offsetof(struct tx_tile, vector) + offsetof(struct tx_vector, prng));
  return true;
}

/* Bits equal to the limit should round down: the hardware bug is visible if a limit one higher changes the result. */
static void report_bias(struct tx_vexec *x, enum tx_lane_op form, struct tx_lane_args args, const tx_row limit) {
  tx_row right, wrong, higher;
  for (unsigned l = 0; l < TX_LANES; l++) higher[l] = limit[l] + (form == TX_LANE_ROUND_REAL ? 1u << (23u - args.i) : 1u);
  args.mask = TX_ALL_LANES;
  args.d = wrong;
  x->ops->fn[form](&args);
  args.d = right;
  args.a = higher;
  x->ops->fn[form](&args);
  uint32_t biased = 0;
  for (unsigned l = 0; l < TX_LANES; l++) biased |= (uint32_t)(right[l] != wrong[l]) << l;
  if (biased & x->enabled)
    tx_diag(x->t, TX_DIAG_SFPU_STOCHASTIC_BIAS, "lanes 0x%08x rounded away from zero", biased & x->enabled);
}

void tx_run_round(struct tx_vexec *x) {
  tx_row random, amount;
  uint32_t *d = tx_vector_out(x, x->op->vd);
  struct tx_lane_args args = {.d = d, .b = x->in[x->op->vb], .c = x->in[x->op->vc], .mask = x->enabled};
  enum tx_lane_op form = rounding_form(x->op->mod & 7u, &args);
  args.a = limits(x, random);
  if (x->op->mod & 8u) {
    for (unsigned l = 0; l < TX_LANES; l++) amount[l] = x->op->imm;
    args.b = amount;
  }
  if (x->op->rounding == 3) tx_diag(x->t, TX_DIAG_UNTESTED_MODE, "SFP_STOCH_RND rounding mode 3 is reserved: as stochastic");
  if (x->op->rounding != ROUND_NEAREST) report_bias(x, form, args, args.a);
  if (d) x->ops->fn[form](&args);
}

/* --- SFPSHFT2 --- */

static void copy_lanes(struct tx_vexec *x, unsigned to, const uint32_t *from) {
  uint32_t *d = tx_vector_out(x, to);
  struct tx_lane_args args = {.d = d, .c = from, .mask = x->enabled};
  if (d) x->ops->fn[TX_LANE_FLIP](&args);
}

/* LReg 0 = 1, 1 = 2, 2 = 3, 3 = last. */
static void copy4(struct tx_vexec *x, const tx_row last) {
  tx_row old[4];
  memcpy(old, x->in[0], sizeof old);
  for (unsigned reg = 0; reg < 3; reg++) copy_lanes(x, reg, old[reg + 1]);
  copy_lanes(x, 3, last);
}

/* Each group of eight lanes moved up by one; lane 0 of a group gets lane 7 or 0. */
static void move_lanes(const uint32_t *from, bool rotate, tx_row to) {
  for (unsigned l = 0; l < TX_LANES; l++) to[l] = l & 7u ? from[l - 1] : rotate ? from[l + 7] : 0;
}

void tx_run_shift2(struct tx_vexec *x) {
  tx_row moved = {0};
  uint32_t signed_imm = (uint32_t)(x->op->imm ^ 0x800) - 0x800u;
  uint32_t *d = tx_vector_out(x, x->op->vd);
  struct tx_lane_args shift = {.d = d, .b = x->in[x->op->vb], .i = signed_imm, .mask = x->enabled};
  switch (x->op->mod) {
    case 0: copy4(x, moved); break;
    case 1:
      memcpy(moved, x->in[0] + 8, 24 * sizeof moved[0]);
      copy4(x, moved);
      break;
    case 2:
      move_lanes(x->in[x->op->vc], true, moved);
      copy4(x, moved);
      break;
    case 3:
    case 4:
      move_lanes(x->in[x->op->vc], x->op->mod == 3, moved);
      copy_lanes(x, x->op->vd, moved);
      break;
    case 5: tx_vector_lanes(x, TX_LANE_SHIFT, 0, 0); break;
    case 6:
      if (d) x->ops->fn[TX_LANE_SHIFTI](&shift);
      break;
    default: tx_fault(x->t, SIM_FAULT_UNDEFINED, "SFPSHFT2.md", "SFPSHFT2 modifier %u is undefined", x->op->mod);
  }
}

/* --- SFPCAST, SFPARECIP --- */

void tx_run_cast(struct tx_vexec *x) {
  if (x->op->mod > 3)
    tx_diag(x->t, TX_DIAG_UNTESTED_MODE, "SFPCAST modifier %u is reserved: as %u", x->op->mod, x->op->mod & 3u);
  tx_row random;
  struct tx_lane_args args = {.d = tx_vector_out(x, x->op->vd), .a = random, .c = x->in[x->op->vc], .mask = x->enabled};
  switch (x->op->mod & 3u) {
    case 0: tx_vector_lanes(x, TX_LANE_CAST, 0, 0); break;
    case 1:
      tx_vector_random(x, x->enabled, random);
      if (args.d) x->ops->fn[TX_LANE_CAST_RANDOM](&args);
      break;
    case 2: tx_vector_lanes(x, TX_LANE_ABS_INTEGER, 0, 0); break; /* intended as another operation: a hardware bug */
    default: tx_vector_lanes(x, TX_LANE_NEGATE_MAGNITUDE, 0, 0); break;
  }
}

void tx_run_arecip(struct tx_vexec *x) {
  enum { RECIP, COND_RECIP };
  const uint32_t *c = x->in[x->op->vc];
  if (x->op->mod == RECIP) {
    tx_vector_lanes(x, TX_LANE_RECIPROCAL, SIGN, 0);
  } else if (x->op->mod == COND_RECIP) {
    uint32_t *d = tx_vector_out(x, x->op->vd);
    uint32_t chosen = tx_vector_bits(x, TX_LANE_IS_NEGATIVE, NULL, x->in[x->op->vb], 0);
    struct tx_lane_args recip = {.d = d, .c = c, .mask = x->enabled & chosen};
    struct tx_lane_args move = {.d = d, .c = c, .mask = x->enabled & ~chosen};
    if (!d) return;
    x->ops->fn[TX_LANE_RECIPROCAL](&recip);
    x->ops->fn[TX_LANE_FLIP](&move);
  } else {
    uint32_t useless = 0; /* from 2 on */
    for (unsigned l = 0; l < TX_LANES; l++) useless |= (uint32_t)((c[l] & ~SIGN) >= 0x40000000u) << l;
    if (useless & x->enabled)
      tx_diag(x->t, TX_DIAG_SFPU_DOMAIN, "SFPARECIP exponential of a magnitude of 2 or more, lanes 0x%08x",
              useless & x->enabled);
    tx_vector_lanes(x, TX_LANE_EXPONENTIAL, 0, 0);
  }
}
