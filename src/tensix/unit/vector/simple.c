/* The simple sub-unit without flags and conversions: integers, bits, fields of FP32, moves, exchange and transposition.
 * ISA: SFPIADD.md and the page of each other instruction (Blackhole, or the Wormhole page where it covers both). */
#include "tensix/unit/vector/simple.h"

#include <string.h>

#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/exec.h"
#include "tensix/unit/vector/flags.h"
#include "tensix/unit/vector/round.h"

#define SIGN 0x80000000u
#define EXPONENT 0x7f800000u
#define MANTISSA 0x007fffffu

static uint32_t sign_extended(uint32_t imm12) { return (imm12 ^ 0x800u) - 0x800u; }

/* The sign of an integer result, or its inverse, as the new flags: SFPIADD, SFPEXEXP. Only results in LReg 0..7 set flags. */
static void flags_of_result(struct tx_vexec *x, bool set, bool invert) {
  if (x->op->vd >= 8) return;
  uint32_t flags = x->flags.flags;
  if (set) flags = tx_vector_bits(x, TX_LANE_IS_NEGATIVE, NULL, tx_vector_out(x, x->op->vd), 0);
  tx_vector_set_flags(x, x->enabled, invert ? ~flags : flags);
}

static struct tx_lane_form form(enum tx_lane_op op, uint32_t i, uint32_t j) {
  return (struct tx_lane_form){.op = op, .i = i, .j = j};
}

static struct tx_lane_form field_form(const struct tx_vop *op, uint32_t field, uint32_t immediate) {
  return op->mod & 1u ? form(TX_LANE_KEEP_OR, ~field, immediate & field) : form(TX_LANE_MERGE, field, 0);
}

/* Modifiers 4 and 6 act as 0 and 2, those above 7 as their low three bits: behaviour of silicon, not of the architecture. */
static struct tx_lane_form shift_form(const struct tx_vop *op) {
  uint32_t arithmetic = op->mod >> 1 & 1u;
  if (!(op->mod & 1u)) return form(TX_LANE_SHIFT, arithmetic, 0);
  struct tx_lane_form by_immediate = form(TX_LANE_SHIFTI, sign_extended(op->imm), arithmetic);
  by_immediate.b_is_vc = op->mod & 4u;
  return by_immediate;
}

static bool is_reserved_shift(uint32_t mod) { return mod > 7 || mod == 4 || mod == 6; }
static uint32_t significant_bits(uint32_t mod) { return mod & 4u ? ~SIGN : 0xffffffffu; }

struct tx_lane_form tx_simple_form(const struct tx_vop *op) {
  uint32_t mod = op->mod, imm = op->imm;
  switch (op->opcode) {
    case TX_SFPIADD:
      return mod & 1u ? form(TX_LANE_ADDI, sign_extended(imm), 0) : form(mod & 2u ? TX_LANE_SUB : TX_LANE_ADD, 0, 0);
    case TX_SFPEXEXP: return form(TX_LANE_EXPONENT, mod & 1u ? 0 : 127, 0);
    case TX_SFPLZ: return form(TX_LANE_LEADING_ZEROS, significant_bits(mod), 0);
    case TX_SFPSHFT: return shift_form(op);
    case TX_SFPSETEXP: return mod & 3u ? field_form(op, EXPONENT, imm << 23) : form(TX_LANE_MERGE_EXPONENT, 0, 0);
    case TX_SFPSETMAN: return field_form(op, MANTISSA, imm << 11);
    case TX_SFPSETSGN: return field_form(op, SIGN, imm << 31);
    case TX_SFPDIVP2:
      return mod & 1u ? form(TX_LANE_ADD_EXPONENT, imm & 255u, 0) : form(TX_LANE_KEEP_OR, ~EXPONENT, (imm & 255u) << 23);
    case TX_SFPEXMAN: return form(TX_LANE_KEEP_OR, MANTISSA, mod & 1u ? 0 : 1u << 23);
    case TX_SFPABS: return form(mod & 1u ? TX_LANE_ABS_REAL : TX_LANE_ABS_INTEGER, 0, 0);
    case TX_SFPAND: return form(TX_LANE_AND, 0, 0);
    case TX_SFPOR: return form(TX_LANE_OR, 0, 0);
    case TX_SFPXOR: return form(TX_LANE_XOR, 0, 0);
    default: return form(TX_LANE_NOT, 0, 0); /* SFPNOT */
  }
}

bool tx_simple_is_form_only(const struct tx_vop *op) {
  switch (op->opcode) {
    case TX_SFPIADD: return (op->mod & 12u) == 4u;
    case TX_SFPEXEXP:
    case TX_SFPLZ: return !(op->mod & 10u);
    case TX_SFPSHFT: return !is_reserved_shift(op->mod);
    default: return true;
  }
}

static void compute(struct tx_vexec *x) {
  const struct tx_lane_form f = tx_simple_form(x->op);
  struct tx_lane_args args = {.d = tx_vector_out(x, x->op->vd),
                              .b = x->in[f.b_is_vc ? x->op->vc : x->op->vb],
                              .c = x->in[x->op->vc],
                              .i = f.i,
                              .j = f.j,
                              .mask = x->enabled};
  if (args.d) x->ops->fn[f.op](&args);
}

/* Flags and the finding by the instruction's modifier; `zero`: the lanes in which SFPLZ's operand was zero. */
static void follow_modifier(struct tx_vexec *x, uint32_t zero) {
  uint32_t mod = x->op->mod;
  switch (x->op->opcode) {
    case TX_SFPIADD: flags_of_result(x, !(mod & 4u), mod & 8u); break;
    case TX_SFPEXEXP: flags_of_result(x, mod & 2u, mod & 8u); break;
    case TX_SFPLZ: {
      uint32_t flags = mod & 2u ? ~zero : x->flags.flags;
      if (x->op->vd < 8) tx_vector_set_flags(x, x->enabled, mod & 8u ? ~flags : flags);
      break;
    }
    default: tx_diag(x->t, TX_DIAG_UNTESTED_MODE, "SFPSHFT modifier %u is reserved", mod); break;
  }
}

void tx_run_simple(struct tx_vexec *x) {
  uint32_t zero = 0;
  if (x->op->opcode == TX_SFPLZ) /* before: VC may be VD */
    zero = tx_vector_bits(x, TX_LANE_IS_ZERO, NULL, x->in[x->op->vc], significant_bits(x->op->mod));
  compute(x);
  if (!tx_simple_is_form_only(x->op)) follow_modifier(x, zero);
}

/* --- SFPMOV --- */

static uint32_t special_register(const struct tx_vector *v, unsigned index, unsigned column) {
  if (index < 4) return v->macro.instruction[index][column];
  if (index < 8) return v->macro.sequence[index - 4][column];
  if (index == 8) return v->macro.misc[column];
  return index == 15 ? v->lane_config[column] : 0;
}

void tx_run_move(struct tx_vexec *x) {
  uint32_t mod = x->op->mod & ~4u; /* that bit is reserved; silicon ignores it */
  if (mod != x->op->mod) tx_diag(x->t, TX_DIAG_UNTESTED_MODE, "SFPMOV modifier %u is reserved: as %u", x->op->mod, mod);
  if (mod == 2) x->enabled = x->lanes; /* ALL_LANES_ENABLED: ROW_MASK is ignored too */
  if (!(mod & 8u)) {
    tx_vector_lanes(x, TX_LANE_FLIP, mod & 1u ? SIGN : 0, 0);
    return;
  }
  tx_row words;
  if (x->op->vc == 9) tx_vector_random(x, x->enabled, words);
  else
    for (unsigned l = 0; l < TX_LANES; l++) words[l] = special_register(x->v, x->op->vc, l % TX_VECTOR_COLUMNS);
  uint32_t *d = tx_vector_out(x, x->op->vd);
  struct tx_lane_args args = {.d = d, .c = words, .mask = x->enabled};
  if (d) x->ops->fn[TX_LANE_FLIP](&args);
}

/* --- SFPSWAP --- */

uint32_t tx_swap_minimum_lanes(unsigned mod) {
  static const uint32_t lanes[9] = {0,           0xffffffffu, 0x0000ffffu, 0x00ff00ffu, 0xff0000ffu,
                                    0x000000ffu, 0x0000ff00u, 0x00ff0000u, 0xff000000u};
  return mod < 9 ? lanes[mod] : 0;
}

static void exchange(struct tx_vexec *x, unsigned to_vd, unsigned to_vc, const uint32_t *c, const uint32_t *d,
                     uint32_t lanes) {
  uint32_t *vd = tx_vector_out(x, to_vd), *vc = tx_vector_out(x, to_vc);
  tx_row old_c, old_d;
  memcpy(old_c, c, sizeof old_c);
  memcpy(old_d, d, sizeof old_d);
  struct tx_lane_args args = {.d = vd, .c = old_c, .mask = lanes};
  if (vd && to_vd < 8) x->ops->fn[TX_LANE_FLIP](&args);
  args = (struct tx_lane_args){.d = vc, .c = old_d, .mask = lanes};
  if (vc && to_vc < 8)
    /* last, so that it wins if a macro makes VC and VD one register (inferred from the vendor's fast exponential) */
    x->ops->fn[TX_LANE_FLIP](&args);
}

/* The second cycle: `lanes` exchange. With ENABLE_DEST_INDEX the indices in LReg 4..7 are exchanged with the values in LReg 0..3. */
static void finish_swap(struct tx_vexec *x, uint32_t lanes) {
  const struct tx_vop *op = x->op;
  uint32_t indexed = lanes & tx_vector_config_lanes(x->v, TX_LANE_CONFIG_DEST_INDEX);
  exchange(x, op->vd, op->vc, x->in_late[op->vc], x->in_late[op->vb], lanes & ~indexed);
  if (!indexed) return;
  unsigned vca = 4 + (op->vc & 3u), vda = 4 + (op->vd & 3u);
  tx_row c, d;
  memcpy(c, x->in_late[vca], sizeof c);
  memcpy(d, x->in_late[vda], sizeof d);
  exchange(x, op->vd < 4 ? op->vd : TX_LREGS, op->vc < 4 ? op->vc : TX_LREGS, x->in_late[op->vc], x->in_late[op->vb],
           indexed);
  exchange(x, vda, vca, c, d, indexed);
}

void tx_run_swap(struct tx_vexec *x) {
  const struct tx_vop *op = x->op;
  uint32_t lanes = x->enabled;
  if (op->mod > 9) tx_diag(x->t, TX_DIAG_UNTESTED_MODE, "SFPSWAP modifier %u is reserved", op->mod);
  if (op->mod) {
    uint32_t smaller = tx_vector_bits(x, TX_LANE_IS_SMALLER, x->in[op->vb], x->in[op->vc], 0);
    uint32_t swap = smaller ^ ~tx_swap_minimum_lanes(op->mod) ^ tx_vector_config_lanes(x->v, TX_LANE_CONFIG_EXCHANGE);
    lanes &= swap;
  }
  /* the exchange takes place in the next cycle, with the register values of that cycle */
  if (x->scheduled) {
    x->v->swap = *op;
    x->v->swap_enabled = lanes;
    x->v->swap_at = tx_now(x->t) + 1;
  } else {
    finish_swap(x, lanes);
  }
}

void tx_vector_finish_swap(struct tx_vexec *x, uint32_t lanes) { finish_swap(x, lanes); }

/* --- SFPTRANSP --- */

static void transpose4(struct tx_vexec *x, unsigned base) {
  tx_row old[4];
  memcpy(old, x->in[base], sizeof old);
  for (unsigned reg = 0; reg < 4; reg++) {
    uint32_t *out = tx_vector_out(x, base + reg);
    for (unsigned l = 0; l < TX_LANES; l++)
      if (x->enabled >> l & 1u) out[l] = old[l / 8][reg * 8 + l % 8];
  }
}

void tx_run_transpose(struct tx_vexec *x) {
  transpose4(x, 0);
  transpose4(x, 4);
}

void tx_run_nop(struct tx_vexec *x) { (void)x; }
