/* Entry of an instruction into the vector unit: templates written by the instruction itself, collisions with scheduled instructions,
 * the stall rule. ISA: SFPMAD.md, SFPSWAP.md, SFPSHFT2.md "Instruction scheduling",
 * SFPCONFIG.md. */
#include <string.h>

#include "tensix/unit/vector/issue.h"

#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/lanes.h"
#include "tensix/unit/vector/loadstore.h"
#include "tensix/unit/vector/macro.h"
#include "tensix/unit/vector/mad.h"
#include "tensix/unit/vector/op.h"
#include "tensix/unit/vector/run.h"
#include "tensix/unit/vector/vector.h"

/* --- instructions that software issues --- */

/* VD of 12 and more: the instruction itself becomes a template of SFPLOADMACRO, in the columns that do not disable that (and
 * whose first lane the flags enable, as for SFPCONFIG: inferred). Loads and stores cannot be templates. */
static uint32_t load_template(struct tx_tile *t, const struct tx_vop *op, uint32_t word) {
  struct tx_vector *v = &t->vector;
  uint32_t disabled = tx_vector_config_lanes(v, TX_LANE_CONFIG_DISABLE_BACKDOOR);
  uint32_t columns = ~disabled & (~v->now.use | v->now.flags) & 0xffu;
  bool odd = op->opcode == TX_SFPLOAD || op->opcode == TX_SFPLOADI || op->opcode == TX_SFPSTORE;
  tx_assert(op->vd >= 12 && op->vd - 12u < TX_MACROS);
  for (unsigned column = 0; column < TX_VECTOR_COLUMNS; column++)
    if (columns >> column & 1u) v->macro.instruction[op->vd - 12u][column] = word;
  if (columns)
    tx_diag(t, odd ? TX_DIAG_SFPU_BACKDOOR_LOAD : TX_DIAG_SFPU_TEMPLATE, "%s with VD = %u becomes template %u",
            tx_ops[op->opcode].name, op->vd, op->vd - 12u);
  return disabled;
}

static bool has_back_door(const struct tx_vop *op) {
  return op->vd >= 12 && op->opcode != TX_SFPCONFIG && op->opcode != TX_SFPLOADMACRO;
}

static void report_backdoor_change(struct tx_tile *t, const struct tx_vop *op) {
  if (has_back_door(op) && t->vector.backdoor_changed_at == tx_now(t) - 1 && tx_now(t))
    tx_diag(t, TX_DIAG_SFPU_BACKDOOR_CHANGE, "%s with VD = %u right after SFPCONFIG", tx_ops[op->opcode].name, op->vd);
}

/* Two-cycle results that an instruction which software issues does not see yet. With timing off nothing delays it, so that it
 * gets at once those for which hardware would. */
static uint32_t hidden_rows(const struct tx_tile *t, const struct tx_hidden *h) {
  if (!h) return 0;
  return t->timing ? h->rows : h->rows & ~h->held_rows;
}

/* The scheduled instructions of this cycle have run and need their view no more. */
static void show_rows(struct tx_vector *v, uint32_t rows) {
  for (uint32_t left = rows; left; left &= left - 1) {
    unsigned reg = (unsigned)__builtin_ctz(left);
    memcpy(v->view[reg], v->lreg[reg], sizeof v->view[reg]);
  }
}

static void issue(struct tx_tile *t, unsigned thread, uint32_t word, const struct tx_vop *op) {
  struct tx_vector *v = &t->vector;
  struct tx_vexec x = {.t = t, .v = v, .op = op, .thread = thread, .lanes = TX_ALL_LANES, .flags = v->now};
  x.in = x.in_late = (const tx_row *)v->lreg;
  x.ops = tx_vector_lane_ops(t);
  bool beside_macro = v->executing_at == tx_now(t);
  const struct tx_hidden *h = tx_vector_hidden(t);
  uint32_t hidden = hidden_rows(t, h);
  bool too_soon = hidden && (tx_vop_reads(op, x.in) & hidden);
  if (!beside_macro) v->written = 0;
  if (beside_macro) {
    if (h) show_rows(v, h->rows & ~hidden);
    x.in = (const tx_row *)v->view;
    x.flags = v->view_flags;
  } else if (too_soon) {
    tx_vector_build_view(v, h, hidden, v->view);
    x.in = (const tx_row *)v->view;
  }
  if (too_soon || beside_macro || tx_macro_waiting(v)) tx_vector_report_too_soon(&x);
  report_backdoor_change(t, op);
  if (has_back_door(op)) x.lanes = load_template(t, op, word);
  /* A template is not executed, so its modifier is not checked yet. Loads and stores still step RWC. */
  if (!x.lanes && op->opcode != TX_SFPLOAD && op->opcode != TX_SFPSTORE) return;
  x.enabled = x.lanes & (beside_macro ? v->view_enabled : tx_vector_enabled(v, &v->now));
  if (op->opcode == TX_SFPLOADMACRO) {
    if (v->undefined) tx_vector_follow_undefined(&x);
    uint16_t address = tx_vector_load(&x);
    tx_macro_schedule(&x, word, address);
  } else {
    tx_vector_run(&x);
  }
}

/* Fast path with the same result as `issue`: no lane configuration, no macro pending, nothing scheduled in this cycle or, with a result
 * that may be pending, in the one before, registers named directly and none with a pending result. false: the caller uses `issue`. */
static bool execute_plainly(struct tx_tile *t, unsigned thread, const struct tx_vop *op, struct tx_cost *cost) {
  struct tx_vector *v = &t->vector;
  sim_time now = tx_now(t);
  if (v->config_any | v->undefined || now - v->executing_at <= 1 || tx_hidden_of(v, now)->at == now || tx_macro_waiting(v))
    return false;
  if (t->timing) {
    if (op->plain == TX_PLAIN_TWO_CYCLES) return false;
    const struct tx_hidden *h = tx_vector_hidden(t);
    if (h && (tx_vop_reads(op, (const tx_row *)v->lreg) & h->rows)) return false;
  }
  const tx_row *in = (const tx_row *)v->lreg;
  struct tx_vexec x = {.t = t,
                       .v = v,
                       .op = op,
                       .in = in,
                       .in_late = in,
                       .ops = tx_vector_lane_ops(t),
                       .flags = v->now,
                       .lanes = TX_ALL_LANES,
                       .enabled = tx_vector_enabled(v, &v->now),
                       .thread = thread};
  cost->issue = 1;
  v->written = 0;
  tx_vector_ops[op->opcode].run(&x);
  return true;
}

void tx_vector_execute(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, struct tx_cost *cost) {
  if (w->op.plain && execute_plainly(t, thread, &w->op, cost)) return;
  struct tx_vop op = w->op;
  if (tx_macro_waiting(&t->vector)) tx_macro_instruction_issued(t);
  cost->issue = 1; /* tx_vector_ready decides what may follow */
  if (op.opcode == TX_SFPSHFT2 && !op.two_cycles) cost->latency = 1;
  if (tx_macro_collides(t, &op)) return;
  issue(t, thread, w->word, &op);
  if (t->timing && tx_vop_blocks_next(&op)) t->vector.nop_only_at = tx_now(t) + 1;
}

/* --- entry --- */

void tx_vector_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  struct tx_vector *v = &t->vector;
  (void)thread;
  if (!t->timing) return;
  const struct tx_hidden *h = tx_vector_hidden(t);
  bool after_swap = v->nop_only_at == tx_now(t);
  if (!after_swap && !(h && h->held_rows)) return;
  const struct tx_vector_word *w = tx_vector_decoded(t, word);
  if (w->op.opcode == TX_SFPNOP) return;
  if (!after_swap && !(w->held_reads & h->held_rows)) return;
  answer->ok = false;
  answer->channels = 0; /* only time ends it */
  answer->retry_at = tx_now(t) + 1;
  answer->wait = (struct sim_wait){.kind = TX_BLOCKED_HAZARD, .object = TX_UNIT_VECTOR};
}
