/* Running an instruction of the vector unit (run.h). ISA: SFPMAD.md, SFPSWAP.md, SFPSHFT2.md, "Instruction scheduling" */
#include "tensix/unit/vector/run.h"

#include <string.h>

#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/op.h"

/* Saves the values that a two-cycle instruction is about to replace. */
static void hide_old_values(struct tx_vexec *x) {
  struct tx_hidden *h = tx_hidden_of(x->v, tx_now(x->t));
  uint32_t rows = tx_vop_writes(x->op, x->in);
  tx_assert(rows < 1u << TX_LREGS);
  if (h->at != tx_now(x->t)) {
    h->at = tx_now(x->t);
    h->rows = h->held_rows = h->fresh_rows = h->wanted_rows = 0;
  }
  for (uint32_t left = rows & ~h->rows; left; left &= left - 1) {
    unsigned reg = (unsigned)__builtin_ctz(left);
    memcpy(h->old[reg], x->v->lreg[reg], sizeof h->old[reg]);
  }
  h->rows |= rows;
  h->wanted_rows |= rows & x->v->unread;
  if (!x->scheduled) h->held_rows |= tx_vop_known_writes(x->op);
}

/* With ENABLE_DEST_INDEX other results for LReg 4..7 are wrong (erratum TEN-2932). The written value is not known. */
static void report_index_erratum(struct tx_vexec *x) {
  uint8_t opcode = x->op->opcode;
  bool exempt = opcode == TX_SFPSWAP || opcode == TX_SFPTRANSP || opcode == TX_SFPCONFIG || opcode == TX_SFPNOP ||
                opcode == TX_SFPSTORE || tx_vector_ops[opcode].sub_unit == TX_SUB_LOAD;
  bool flags_only = opcode == TX_SFPSETCC || opcode == TX_SFPENCC || opcode == TX_SFPCOMPC || opcode == TX_SFPPUSHC ||
                    opcode == TX_SFPPOPC;
  if (x->op->vd < 4 || x->op->vd > 7 || exempt || flags_only) return;
  uint32_t lanes = x->enabled & tx_vector_config_lanes(x->v, TX_LANE_CONFIG_DEST_INDEX);
  if (lanes) tx_diag(x->t, TX_DIAG_SFPU_SWAP_INDEX, "%s to LReg%u, lanes 0x%08x", tx_ops[opcode].name, x->op->vd, lanes);
}

/* --- values of undefined rows of Dst --- */

/* A pipeline of SFPLOADMACRO fills with loads of a round before the first (the vendor's reciprocal of FP32): such a value is computed with, and
 * its result is replaced before a store. It is followed from register to register, and reported where it leaves them: a store, a
 * configuration, a lane flag. */
static bool leaves_registers(uint8_t opcode) {
  switch (opcode) {
    case TX_SFPSTORE:
    case TX_SFPCONFIG:
    case TX_SFPSETCC:
    case TX_SFPLE:
    case TX_SFPGT:
    case TX_SFPIADD:
    case TX_SFPEXEXP:
    case TX_SFPLZ: return true;
    default: return false;
  }
}

static uint32_t replaced(const struct tx_vexec *x) {
  const struct tx_vop *op = x->op;
  switch (op->opcode) {
    case TX_SFPSTORE:
    case TX_SFPNOP:
    case TX_SFPCONFIG:
    case TX_SFPSETCC:
    case TX_SFPENCC:
    case TX_SFPCOMPC:
    case TX_SFPPUSHC:
    case TX_SFPPOPC: return 0;
    case TX_SFPSWAP: return (1u << op->vd | 1u << op->vc) & TX_UNDEFINED_KIND;
    case TX_SFPTRANSP: return 0xffu;
    default: return tx_vop_writes(op, x->in) & TX_UNDEFINED_KIND;
  }
}

static uint32_t taken(const struct tx_vexec *x) {
  const struct tx_vop *op = x->op;
  if (op->opcode == TX_SFPSWAP) return 1u << op->vd | 1u << op->vb | 1u << op->vc;
  return op->opcode == TX_SFPLOADI ? 0 : tx_vop_reads(op, x->in); /* its other half comes from a second SFPLOADI */
}

void tx_vector_follow_undefined(struct tx_vexec *x) {
  uint32_t *undefined = &x->v->undefined, reads = taken(x), writes = replaced(x);
  uint32_t never = *undefined & reads & TX_UNDEFINED_KIND,
           partly = *undefined >> TX_UNDEFINED_PARTIAL & reads & TX_UNDEFINED_KIND;
  if (!x->enabled) return;
  if ((never | partly) && leaves_registers(x->op->opcode)) {
    tx_diag(x->t, never ? TX_DIAG_DST_UNDEFINED_READ : TX_DIAG_DST_PARTIAL_READ,
            "%s of LReg%u, whose value comes from SFPLOADMACRO of a row that was cleared and not written since",
            tx_ops[x->op->opcode].name, (unsigned)__builtin_ctz(never ? never : partly));
    *undefined &= ~(reads | reads << TX_UNDEFINED_PARTIAL);
  }
  if (x->enabled == TX_ALL_LANES) *undefined &= ~(writes | writes << TX_UNDEFINED_PARTIAL);
  if (never) *undefined |= writes;
  if (partly) *undefined |= writes << TX_UNDEFINED_PARTIAL;
}

/* With timing off the results of instructions that software issues are visible at once, except to scheduled ones. */
static bool hides_old_values(const struct tx_vexec *x) { return x->t->timing || x->scheduled || tx_macro_waiting(x->v); }

void tx_vector_run(struct tx_vexec *x) {
  tx_assert(tx_vector_ops[x->op->opcode].run && x->thread < TX_THREADS);
  if (x->op->vd >= 4 && x->op->vd < 8) report_index_erratum(x);
  if (x->op->two_cycles && hides_old_values(x)) hide_old_values(x);
  if (x->v->undefined) tx_vector_follow_undefined(x);
  tx_vector_ops[x->op->opcode].run(x);
}

void tx_vector_build_view(const struct tx_vector *v, const struct tx_hidden *h, uint32_t rows, tx_row view[TX_LREGS]) {
  memcpy(view, v->lreg, sizeof v->lreg);
  for (uint32_t left = rows; left; left &= left - 1) {
    unsigned reg = (unsigned)__builtin_ctz(left);
    memcpy(view[reg], h->old[reg], sizeof view[reg]);
  }
}

void tx_vector_begin_cycle(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  const struct tx_hidden *h = tx_vector_hidden(t);
  if (h) tx_vector_build_view(v, h, h->rows, v->view);
  else memcpy(v->view, v->lreg, sizeof v->view);
  v->view_flags = v->now;
  v->view_enabled = tx_vector_enabled(v, &v->now);
  v->executing_at = tx_now(t);
  v->executing = 0;
  v->written = 0;
}

/* Overlapping macros rely on the value of a register before a two-cycle result arrives: a read of a value that no instruction has read
 * yet counts as intended. Between instructions issued by software it is reported. */
void tx_vector_report_too_soon(struct tx_vexec *x) {
  const struct tx_hidden *h = tx_vector_hidden(x->t);
  uint32_t reads = tx_vop_reads(x->op, x->in), rows = h ? reads & h->rows & ~h->fresh_rows : 0;
  if (rows && !x->scheduled && !x->t->timing) rows &= ~h->held_rows; /* it gets the result */
  if (rows && (x->scheduled || !(rows & h->held_rows))) rows &= ~h->wanted_rows;
  x->v->unread &= ~(reads & ~x->v->written);
  if (rows)
    tx_diag(x->t, TX_DIAG_SFPU_RESULT_TOO_SOON, "%s reads LReg%u one cycle after the instruction that writes it",
            tx_ops[x->op->opcode].name, (unsigned)__builtin_ctz(rows));
}
