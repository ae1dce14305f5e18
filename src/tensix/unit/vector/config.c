/* SFPCONFIG: constants LReg 11..14, LaneConfig, and the templates, sequences and Misc of SFPLOADMACRO. It reads eight
 * lanes of LReg 0 and writes a value per column. ISA: SFPCONFIG.md (Blackhole). */
#include "tensix/unit/vector/config.h"

#include "tensix/num/prng.h"
#include "tensix/unit/vector/exec.h"
#include "tensix/unit/vector/vector.h"

enum { IMM16_IS_VALUE = 1, IMM16_IS_LANE_MASK = 8 };
enum { DEST_SEQUENCE = 4, DEST_MISC = 8, DEST_LREG = 11, DEST_LANE_CONFIG = 15 };

static uint32_t combined(uint32_t old, uint32_t value, unsigned mod) {
  switch (mod & 6u) {
    case 0: return value;
    case 2: return old | value;
    case 4: return old & value;
    default: return old ^ value;
  }
}

/* Constants that SFPCONFIG writes if no value fits: -1, 1/512, -0.67487759, -0.34484843 (also the values after reset). */
static uint32_t default_constant(unsigned lreg) {
  static const uint32_t constants[4] = {0xbf800000u, 0x3b000000u, 0xbf2cc4c7u, 0xbeb08ff9u};
  return constants[lreg - DEST_LREG];
}

static void write_lane_config(struct tx_vector *v, unsigned column, uint32_t value, unsigned mod) {
  uint32_t old = v->lane_config[column], changed = combined(old, value, mod);
  if (mod & IMM16_IS_VALUE) changed |= old & ~0xffffu; /* the immediate does not cover these */
  v->lane_config[column] = changed & TX_LANE_CONFIG_BITS;
}

/* Lane `row * 8 + column` is off when bit `row` of the column's ROW_MASK is set. */
static void follow_lane_config(struct tx_vector *v) {
  v->row_masked = v->config_any = 0;
  for (unsigned column = 0; column < TX_VECTOR_COLUMNS; column++) v->config_any |= v->lane_config[column];
  for (unsigned column = 0; column < TX_VECTOR_COLUMNS; column++)
    for (unsigned row = 0; row < 4; row++)
      v->row_masked |= (v->lane_config[column] >> (12 + row) & 1u) << (row * 8 + column);
}

uint32_t tx_vector_config_lanes(const struct tx_vector *v, uint32_t bit) {
  uint32_t columns = 0;
  if (!(v->config_any & bit)) return 0;
  for (unsigned column = 0; column < TX_VECTOR_COLUMNS; column++)
    columns |= (uint32_t)((v->lane_config[column] & bit) != 0) << column;
  return tx_column_lanes(columns);
}

static void write_column(struct tx_vexec *x, unsigned column, uint32_t from_lreg) {
  struct tx_vector *v = x->v;
  unsigned dest = x->op->vd, mod = x->op->mod;
  uint32_t value = mod & IMM16_IS_VALUE ? x->op->imm : from_lreg;
  if (dest < DEST_SEQUENCE) {
    v->macro.instruction[dest][column] = from_lreg;
  } else if (dest < DEST_MISC) {
    v->macro.sequence[dest - DEST_SEQUENCE][column] = value;
  } else if (dest == DEST_MISC) {
    v->macro.misc[column] = combined(v->macro.misc[column], value, mod) & 0xfffu;
  } else if (dest == DEST_LANE_CONFIG) {
    write_lane_config(v, column, value, mod);
  } else if (dest >= DEST_LREG && dest < DEST_LANE_CONFIG) { /* a macro may produce 16: no effect */
    if (mod & IMM16_IS_VALUE) value = default_constant(dest);
    for (unsigned row = 0; row < 4; row++) v->lreg[dest][row * 8 + column] = value;
  }
}

void tx_run_config(struct tx_vexec *x) {
  struct tx_vector *v = x->v;
  uint32_t backdoor = tx_vector_config_lanes(v, TX_LANE_CONFIG_DISABLE_BACKDOOR);
  uint32_t columns = ~x->flags.use | x->flags.flags; /* of the first row of lanes; ROW_MASK is ignored */
  if (x->op->vd == 9 || x->op->vd == 10)
    tx_diag(x->t, TX_DIAG_UNTESTED_MODE, "SFPCONFIG destination %u does nothing", x->op->vd);
  for (unsigned column = 0; column < TX_VECTOR_COLUMNS; column++) {
    if ((x->op->mod & IMM16_IS_LANE_MASK) && !(x->op->imm >> column * 2 & 1u)) continue;
    if (columns & x->lanes & 1u << column) write_column(x, column, x->in[0][column]);
  }
  if (x->op->vd != DEST_LANE_CONFIG) return;
  follow_lane_config(v);
  if (backdoor != tx_vector_config_lanes(v, TX_LANE_CONFIG_DISABLE_BACKDOOR)) v->backdoor_changed_at = tx_now(x->t);
}

void tx_vector_reset(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  static const uint32_t constants[3] = {0x3f56594bu, 0, 0x3f800000u}; /* 0.8373, 0, 1 */
  for (unsigned l = 0; l < TX_LANES; l++) {
    for (unsigned i = 0; i < 3; i++) v->lreg[8 + i][l] = constants[i];
    for (unsigned i = DEST_LREG; i < DEST_LANE_CONFIG; i++) v->lreg[i][l] = default_constant(i);
    v->lreg[15][l] = l * 2;
  }
  v->hidden[0].at = v->hidden[1].at = v->nop_only_at = v->backdoor_changed_at = SIM_NEVER;
  v->tick_at = v->executing_at = v->swap_at = SIM_NEVER;
  t->unsaved.lane_ops = tx_lanes_best();
}

void tx_vector_seed_prng(struct tx_tile *t, uint32_t seed) { num_prng_seed(t->vector.prng, TX_LANES, seed); }
