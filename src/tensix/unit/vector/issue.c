/* How an instruction enters the vector unit and runs: templates through the back door, collisions with scheduled
 * instructions, hidden results, the stall rule. ISA: SFPMAD.md, SFPSWAP.md, SFPSHFT2.md "Instruction scheduling",
 * SFPCONFIG.md. */
#include <string.h>

#include "tensix/unit/vector/op.h"

/* --- what the sub-units' files use --- */

uint32_t tx_vector_enabled(const struct tx_vector *v, const struct tx_flags *flags) {
  return ~v->row_masked & (~flags->use | flags->flags);
}

void tx_vector_lanes(struct tx_vexec *x, enum tx_lane_op op, uint32_t i, uint32_t j) {
  struct tx_lane_args args = {
      .d = tx_vector_out(x, x->op->vd), .b = x->in[x->op->vb], .c = x->in[x->op->vc], .i = i, .j = j, .mask = x->enabled};
  if (args.d) x->ops->fn[op](&args);
}

uint32_t tx_vector_bits(struct tx_vexec *x, enum tx_lane_op op, const uint32_t *b, const uint32_t *c, uint32_t i) {
  struct tx_lane_args args = {.b = b, .c = c, .i = i, .mask = TX_ALL_LANES};
  return x->ops->fn[op](&args);
}

/* --- running --- */

/* Keeps what an instruction of two cycles is about to replace. */
static void hide_old_values(struct tx_vexec *x) {
  struct tx_hidden *h = tx_hidden_of(x->v, tx_now(x->t));
  uint32_t rows = tx_vop_writes(x->op, x->in);
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

/* With ENABLE_DEST_INDEX other results for LReg 4..7 come out wrong (erratum TEN-2932). What then is written is not
 * known. */
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

void tx_vector_run(struct tx_vexec *x) {
  if (x->op->vd >= 4 && x->op->vd < 8) report_index_erratum(x);
  if (x->t->timing && x->op->two_cycles) hide_old_values(x);
  tx_vector_ops[x->op->opcode].run(x);
}

/* Registers as they are seen one cycle after `h`: results of two cycles are not there yet. */
static void build_view(const struct tx_vector *v, const struct tx_hidden *h, tx_row view[TX_LREGS]) {
  memcpy(view, v->lreg, sizeof v->lreg);
  for (uint32_t left = h->rows; left; left &= left - 1) {
    unsigned reg = (unsigned)__builtin_ctz(left);
    memcpy(view[reg], h->old[reg], sizeof view[reg]);
  }
}

/* What is still hidden in this cycle; NULL: nothing. */
static const struct tx_hidden *hidden_now(struct tx_tile *t) {
  const struct tx_hidden *h = tx_hidden_of(&t->vector, tx_now(t) - 1);
  return t->timing && tx_now(t) && h->at == tx_now(t) - 1 && h->rows ? h : NULL;
}

void tx_vector_begin_cycle(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  const struct tx_hidden *h = hidden_now(t);
  if (h) build_view(v, h, v->view);
  else memcpy(v->view, v->lreg, sizeof v->view);
  v->view_flags = v->now;
  v->view_enabled = tx_vector_enabled(v, &v->now);
  v->executing_at = tx_now(t);
  v->executing = 0;
  v->written = 0;
}

/* Macros that overlap use on purpose what a register holds before a result of two cycles arrives: a value that nobody
 * has read yet is taken for meant. Between instructions that software issues there is no such excuse. */
void tx_vector_report_too_soon(struct tx_vexec *x) {
  const struct tx_hidden *h = hidden_now(x->t);
  uint32_t reads = tx_vop_reads(x->op, x->in), rows = h ? reads & h->rows & ~h->fresh_rows : 0;
  if (rows && (x->scheduled || !(rows & h->held_rows))) rows &= ~h->wanted_rows;
  x->v->unread &= ~(reads & ~x->v->written);
  if (rows)
    tx_diag(x->t, TX_DIAG_SFPU_RESULT_TOO_SOON, "%s reads LReg%u one cycle after the instruction that writes it",
            tx_ops[x->op->opcode].name, (unsigned)__builtin_ctz(rows));
}

/* --- instructions that software issues --- */

/* VD of 12 and more: the instruction itself becomes a template of SFPLOADMACRO, in the columns that do not disable that (and
 * whose first lane the flags enable, as for SFPCONFIG: inferred). Loads and stores are of no use as templates. */
static uint32_t load_template(struct tx_tile *t, const struct tx_vop *op, uint32_t word) {
  struct tx_vector *v = &t->vector;
  uint32_t disabled = tx_vector_config_lanes(v, TX_LANE_CONFIG_DISABLE_BACKDOOR);
  uint32_t columns = ~disabled & (~v->now.use | v->now.flags) & 0xffu;
  bool odd = op->opcode == TX_SFPLOAD || op->opcode == TX_SFPLOADI || op->opcode == TX_SFPSTORE;
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

static void issue(struct tx_tile *t, unsigned thread, uint32_t word, const struct tx_vop *op) {
  struct tx_vector *v = &t->vector;
  struct tx_vexec x = {.t = t, .v = v, .op = op, .thread = thread, .lanes = TX_ALL_LANES, .flags = v->now};
  x.in = x.in_late = (const tx_row *)v->lreg;
  x.ops = v->scalar_only || !t->unsaved.lane_ops ? &tx_lanes_scalar : t->unsaved.lane_ops;
  bool beside_macro = v->executing_at == tx_now(t);
  const struct tx_hidden *h = hidden_now(t);
  bool too_soon = h && (tx_vop_reads(op, x.in) & h->rows);
  if (!beside_macro) v->written = 0;
  if (beside_macro) {
    x.in = (const tx_row *)v->view;
    x.flags = v->view_flags;
  } else if (too_soon) {
    build_view(v, h, v->view);
    x.in = (const tx_row *)v->view;
  }
  if (too_soon || beside_macro || tx_macro_waiting(v)) tx_vector_report_too_soon(&x);
  report_backdoor_change(t, op);
  if (has_back_door(op)) x.lanes = load_template(t, op, word);
  /* A template is not executed, so its modifier is nobody's business yet. Loads and stores still move RWC. */
  if (!x.lanes && op->opcode != TX_SFPLOAD && op->opcode != TX_SFPSTORE) return;
  x.enabled = x.lanes & (beside_macro ? v->view_enabled : tx_vector_enabled(v, &v->now));
  if (op->opcode == TX_SFPLOADMACRO) {
    uint16_t address = tx_vector_load(&x);
    tx_macro_schedule(&x, word, address);
  } else {
    tx_vector_run(&x);
  }
}

/* Loops come back to the same words: they are taken apart once. */
static const struct tx_vop *decoded(struct tx_tile *t, uint32_t word) {
  struct tx_vector_cache *cache = &t->unsaved.vector;
  unsigned place = (word ^ word >> 8 ^ word >> 16 ^ word >> 24) % TX_VECTOR_DECODED;
  if (cache->word[place] == word) return &cache->op[place];
  struct tx_vop op = tx_vop_decode(word);
  if (op.opcode == TX_SFPLOADMACRO) op.vd = (uint8_t)((op.vd & 3u) | (op.imm & 1u) << 2);
  else tx_vop_settle(&op);
  cache->word[place] = word;
  cache->op[place] = op;
  return &cache->op[place];
}

/* The plain multiply-add, by far the most frequent of the dear ones, by a shorter way to the same end: nothing configured, no
 * macro about, registers named directly. What it reads too soon the stall rule has held. */
static bool plain_mad(struct tx_tile *t, const struct tx_vop *op) {
  struct tx_vector *v = &t->vector;
  struct tx_hidden *h = tx_hidden_of(v, tx_now(t));
  bool plain = tx_vector_ops[op->opcode].run == tx_run_mad && op->mod < 4 && op->vd < 8;
  if (!plain || v->config_any || v->executing_at == tx_now(t) || h->at == tx_now(t) || tx_macro_waiting(v)) return false;
  uint32_t *d = v->lreg[op->vd], bit = 1u << op->vd;
  v->unread |= bit;
  v->written = bit;
  if (t->timing) {
    h->at = tx_now(t);
    h->rows = h->held_rows = bit;
    h->fresh_rows = h->wanted_rows = 0;
    memcpy(h->old[op->vd], d, sizeof h->old[0]);
  }
  struct tx_lane_args args = {.d = d,
                              .a = v->lreg[op->va],
                              .b = v->lreg[op->vb],
                              .c = v->lreg[op->vc],
                              .i = (uint32_t)op->mod << 31,
                              .j = (uint32_t)(op->mod >> 1) << 31,
                              .mask = tx_vector_enabled(v, &v->now)};
  const struct tx_lane_ops *ops = v->scalar_only || !t->unsaved.lane_ops ? &tx_lanes_scalar : t->unsaved.lane_ops;
  ops->fn[TX_LANE_MAD](&args);
  return true;
}

static void execute(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  struct tx_vop op = *decoded(t, word);
  if (plain_mad(t, &op)) return; /* the row's cost stands */
  if (tx_macro_waiting(&t->vector)) tx_macro_instruction_issued(t);
  cost->issue = 1; /* what may follow is tx_vector_ready's business */
  if (op.opcode == TX_SFPSHFT2 && !op.two_cycles) cost->latency = 1;
  if (tx_macro_collides(t, &op)) return;
  issue(t, thread, word, &op);
  if (t->timing && tx_vop_blocks_next(&op)) t->vector.nop_only_at = tx_now(t) + 1;
}

/* --- entry --- */

void tx_vector_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  struct tx_vector *v = &t->vector;
  (void)thread;
  if (!t->timing) return;
  const struct tx_hidden *h = hidden_now(t);
  bool after_swap = v->nop_only_at == tx_now(t);
  if (!after_swap && !(h && h->held_rows)) return;
  const struct tx_vop *op = decoded(t, word);
  if (op->opcode == TX_SFPNOP) return;
  if (!after_swap && !(tx_vop_known_reads(op, word) & h->held_rows)) return;
  answer->ok = false;
  answer->retry_at = tx_now(t) + 1;
  answer->wait = (struct sim_wait){.kind = TX_BLOCKED_HAZARD, .object = TX_UNIT_VECTOR};
}

#define BODY(name) \
  void tx_exec_##name(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) { \
    execute(t, thread, word, cost); \
  }
BODY(SFPLOAD)
BODY(SFPLOADI)
BODY(SFPSTORE)
BODY(SFPLUT)
BODY(SFPMULI)
BODY(SFPADDI)
BODY(SFPDIVP2)
BODY(SFPEXEXP)
BODY(SFPEXMAN)
BODY(SFPIADD)
BODY(SFPSHFT)
BODY(SFPSETCC)
BODY(SFPMOV)
BODY(SFPABS)
BODY(SFPAND)
BODY(SFPOR)
BODY(SFPNOT)
BODY(SFPLZ)
BODY(SFPSETEXP)
BODY(SFPSETMAN)
BODY(SFPMAD)
BODY(SFPADD)
BODY(SFPMUL)
BODY(SFPPUSHC)
BODY(SFPPOPC)
BODY(SFPSETSGN)
BODY(SFPENCC)
BODY(SFPCOMPC)
BODY(SFPTRANSP)
BODY(SFPXOR)
BODY(SFP_STOCH_RND)
BODY(SFPNOP)
BODY(SFPCAST)
BODY(SFPCONFIG)
BODY(SFPSWAP)
BODY(SFPLOADMACRO)
BODY(SFPSHFT2)
BODY(SFPLUTFP32)
BODY(SFPLE)
BODY(SFPGT)
BODY(SFPMUL24)
BODY(SFPARECIP)
