/* Lane flags, their stack, and the comparisons that set them. ISA: SFPENCC.md, SFPSETCC.md, SFPCOMPC.md, SFPPUSHC.md,
 * SFPPOPC.md, SFPLE.md, SFPGT.md. For a case that a page calls "undefined" (full or empty stack) a finding is
 * reported; a push then drops the oldest entry, a pop reads zeroes. */
#include "tensix/unit/vector/flags.h"

#include "tensix/unit/vector/exec.h"

static uint32_t merged(uint32_t old, uint32_t value, uint32_t lanes) { return (old & ~lanes) | (value & lanes); }

void tx_vector_set_flags(struct tx_vexec *x, uint32_t lanes, uint32_t flags) {
  x->v->now.flags = merged(x->v->now.flags, flags, lanes);
}

static void set_use(struct tx_vexec *x, uint32_t use) { x->v->now.use = merged(x->v->now.use, use, x->lanes); }

void tx_run_setcc(struct tx_vexec *x) {
  uint32_t mod = x->op->mod, c = 0;
  if (mod & 8u) c = 0;
  else if (mod & 1u) c = x->op->imm & 1u ? TX_ALL_LANES : 0;
  else if (mod & 2u) c = ~tx_vector_bits(x, TX_LANE_IS_ZERO, NULL, x->in[x->op->vc], 0xffffffffu);
  else c = tx_vector_bits(x, TX_LANE_IS_NEGATIVE, NULL, x->in[x->op->vc], 0);
  if (!(mod & 9u) && (mod & 4u)) c = ~c; /* 4: not negative, 6: zero */
  if (x->enabled & ~x->flags.use)
    tx_diag(x->t, TX_DIAG_SFPU_CC_DISABLED, "lanes 0x%08x: their flags become 0", x->enabled & ~x->flags.use);
  tx_vector_set_flags(x, x->enabled, c & x->flags.use);
}

void tx_run_encc(struct tx_vexec *x) {
  uint32_t mod = x->op->mod, imm = x->op->imm;
  if (mod & 2u) set_use(x, imm & 1u ? TX_ALL_LANES : 0);
  else if (mod & 1u) set_use(x, ~x->flags.use);
  tx_vector_set_flags(x, x->lanes, !(mod & 8u) || (imm & 2u) ? TX_ALL_LANES : 0);
}

/* An empty stack counts as {true, true}. */
void tx_run_compc(struct tx_vexec *x) {
  const struct tx_flags *top = &x->v->stack[0];
  uint32_t top_use = top->use | ~top->present, top_flags = top->flags | ~top->present;
  tx_vector_set_flags(x, x->lanes, top_use & x->flags.use & top_flags & ~x->flags.flags);
}

static uint32_t boolean(unsigned mod, uint32_t a, uint32_t b) {
  switch (mod) {
    case 1: return b;
    case 2: return ~b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a & ~b;
    case 6: return a | ~b;
    case 7: return ~a & b;
    case 8: return ~a | b;
    case 9: return ~a & ~b;
    case 10: return ~a | ~b;
    case 11: return a ^ b;
    default: return ~(a ^ b);
  }
}

static void move_entry(struct tx_flags *to, const struct tx_flags *from, uint32_t lanes) {
  to->flags = merged(to->flags, from->flags, lanes);
  to->use = merged(to->use, from->use, lanes);
  to->present = merged(to->present, from->present, lanes);
}

static void push(struct tx_vexec *x) {
  struct tx_flags *stack = x->v->stack, entry = {x->flags.flags, x->flags.use, TX_ALL_LANES};
  if (stack[TX_FLAG_STACK - 1].present & x->lanes)
    tx_diag(x->t, TX_DIAG_CC_STACK_OVERFLOW, "SFPPUSHC with %u entries: the oldest is lost", TX_FLAG_STACK);
  for (unsigned i = TX_FLAG_STACK - 1; i; i--) move_entry(&stack[i], &stack[i - 1], x->lanes);
  move_entry(&stack[0], &entry, x->lanes);
}

static void pop(struct tx_vexec *x) {
  static const struct tx_flags nothing;
  struct tx_flags *stack = x->v->stack;
  if (~stack[0].present & x->lanes) tx_diag(x->t, TX_DIAG_CC_STACK_UNDERFLOW, "SFPPOPC with nothing on the stack");
  for (unsigned i = 0; i + 1 < TX_FLAG_STACK; i++) move_entry(&stack[i], &stack[i + 1], x->lanes);
  move_entry(&stack[TX_FLAG_STACK - 1], &nothing, x->lanes);
}

void tx_run_pushc(struct tx_vexec *x) {
  struct tx_flags top = x->v->stack[0];
  uint32_t mod = x->op->mod;
  if (mod == 0) {
    push(x);
    return;
  }
  if (~top.present & x->lanes)
    tx_diag(x->t, TX_DIAG_CC_STACK_UNDERFLOW, "SFPPUSHC modifier %u with nothing on the stack", mod);
  if (mod == 13) tx_vector_set_flags(x, x->lanes, ~x->flags.flags);
  struct tx_flags entry = {boolean(mod, top.flags, x->flags.flags), x->flags.use, TX_ALL_LANES};
  if (mod == 13) entry.flags = ~x->flags.flags;
  if (mod >= 14) entry = (struct tx_flags){mod == 14 ? TX_ALL_LANES : 0, TX_ALL_LANES, TX_ALL_LANES};
  move_entry(&x->v->stack[0], &entry, x->lanes & top.present);
}

void tx_run_popc(struct tx_vexec *x) {
  struct tx_flags top = x->v->stack[0]; /* zeroes where the stack is empty */
  uint32_t mod = x->op->mod;
  top.flags &= top.present;
  top.use &= top.present;
  if (mod == 0) pop(x);
  if (mod <= 12) {
    set_use(x, top.use);
    tx_vector_set_flags(x, x->lanes, mod ? boolean(mod, x->flags.flags, top.flags) : top.flags);
  } else if (mod == 13) {
    tx_vector_set_flags(x, x->lanes, ~x->flags.flags);
  } else {
    set_use(x, TX_ALL_LANES);
    tx_vector_set_flags(x, x->lanes, mod == 14 ? TX_ALL_LANES : 0);
  }
}

/* SFPGT: VD > VC, SFPLE: VD <= VC, in sign-magnitude order; VD is set to all ones or 0. The stack's top changes in
 * every lane, enabled or not. */
void tx_run_compare(struct tx_vexec *x) {
  enum { SET_CC = 1, MUTATE_STACK = 2, MUTATE_OR = 4, SET_VD = 8 };
  uint32_t mod = x->op->mod;
  uint32_t truth = tx_vector_bits(x, TX_LANE_IS_SMALLER, x->in[x->op->vb], x->in[x->op->vc], 0);
  if (x->op->opcode == TX_SFPLE) truth = ~truth;
  uint32_t *d = tx_vector_out(x, x->op->vd);
  if ((mod & SET_VD) && d) {
    struct tx_lane_args ones = {.d = d, .c = d, .j = 0xffffffffu, .mask = x->enabled & truth};
    struct tx_lane_args zeroes = {.d = d, .c = d, .mask = x->enabled & ~truth};
    x->ops->fn[TX_LANE_KEEP_OR](&ones);
    x->ops->fn[TX_LANE_KEEP_OR](&zeroes);
  }
  if (mod & SET_CC) tx_vector_set_flags(x, x->enabled, truth);
  if (mod & MUTATE_STACK) {
    struct tx_flags *top = &x->v->stack[0];
    uint32_t changed = mod & MUTATE_OR ? top->flags | truth : top->flags & truth;
    top->flags = merged(top->flags, changed, x->lanes & top->present);
  }
}
