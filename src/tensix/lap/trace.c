/* The trace of a core through a lap.
 *
 * A lap is a stretch of a tile's run between two states that are the same except for times, counts and data. A trace is made of one recorded
 * lap of one core, and tells for another lap whether the core does the same in it: takes the same path, loads from the same addresses, and stores
 * the same values to the same addresses outside of its local RAM.
 *
 * The instructions of the recorded lap are interpreted, from the core's state before it and the values that its loads returned. What
 * results is the core's state after it, or the lap is refused. What differs between the two states is variant, and so is what instructions
 * compute from it. Local RAM is divided into words of four bytes. An instruction with a variant operand becomes an operation of the trace. If it
 * decides what the core does (a branch, an address, a value that is stored outside), a guard compares this with the recorded lap. All
 * other instructions have the same results in every lap: their operands do not vary, and the words of L1 that are loaded are compared before each
 * lap. The caller is responsible for the values of loads from elsewhere, for code, and for CSRs.
 *
 * A division takes a time that depends on its operands, so a variant one has a guard of its own. No other instruction's time depends on values.
 *
 * Not repeated, because no loop of firmware needs it: atomics, CSR accesses, mret, ebreak. */
#include "tensix/lap/trace.h"

#include <stddef.h>
#include <string.h>

#include "sim/hash.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/float.h"
#include "tensix/riscv/integer.h"
#include "tensix/riscv/run.h"
#include "tensix/state.h"

/* Operations beside the rows of riscv.def. */
enum {
  LAP_EQUAL = TX_RV_COUNT, /* guard: the bytes `imm` of a are `expect` */
  LAP_DIVISION,            /* guard: the division of row `imm` takes as long */
  LAP_INSERT,              /* the word a with b in the bytes `expect`, from bit `imm` on */
  LAP_FLOAT,               /* the result of row `expect` for a, b and the slot `imm` */
  LAP_OPS
};
_Static_assert(LAP_OPS <= UINT8_MAX, "tx_lap_op.op");

/* tx_lap_step.where */
enum { WHERE_NOT, WHERE_LOCAL, WHERE_OUTSIDE, WHERE_WAITS }; /* WAITS: a load that has not returned at the end of the lap */

#define LIVE_IN UINT16_MAX /* slot_of: it varies, and nothing has read it */
_Static_assert(TX_LAP_TRACE_SLOTS < LIVE_IN, "slots");
_Static_assert(TX_LAP_LOCATIONS < UINT16_MAX, "tx_lap_place.location");

struct builder {
  struct tx_lap_trace *t;
  struct tx_lap_scratch *s;
  const struct tx_lap_request *q;
  const char *why; /* NULL: nothing speaks against the lap yet */
  uint32_t r[TX_CORE_REGISTERS];
  uint32_t pc, next;
  uint32_t steps;
  uint32_t loads_taken, first_load; /* those before first_load are taken */
  uint32_t waits;                   /* the load that waits at the end has been found */
  uint32_t slots, constants;
};

static bool refuse(struct builder *b, const char *why) {
  if (!b->why) b->why = why;
  return false;
}

/* Then a word there is the same in the whole lap as at its beginning. */
static bool is_unwritten(const struct builder *b, uint32_t address) {
  const uint32_t page = address / TX_L1_PAGE;
  return b->q->unwritten[page / 64] >> page % 64 & 1u;
}

static uint32_t mask_of(unsigned bytes) { return bytes == 4 ? UINT32_MAX : (1u << 8 * bytes) - 1u; }

static uint32_t offset_of(unsigned location) {
  if (location < TX_LAP_LOCAL) return (uint32_t)(offsetof(struct tx_core, r) + 4u * location);
  return (uint32_t)(offsetof(struct tx_core, local) + 4u * (location - TX_LAP_LOCAL));
}

static uint32_t read_place(const struct tx_core *c, uint32_t offset) {
  uint32_t value;
  memcpy(&value, (const unsigned char *)c + offset, 4);
  return value;
}

static uint32_t word_in(const uint8_t *bytes, uint32_t address) {
  uint32_t value;
  memcpy(&value, &bytes[address], 4);
  return value;
}

/* --- results, from the rows of riscv.def --- */

#define LAP_ROW_ALU ROW_VALUE
#define LAP_ROW_MUL ROW_VALUE
#define LAP_ROW_DIV ROW_VALUE
#define LAP_ROW_BRANCH ROW_GUARD
#define ROW_NONE(op, what)
#define LAP_ROW_MARK ROW_NONE
#define LAP_ROW_JAL ROW_NONE
#define LAP_ROW_JALR ROW_NONE
#define LAP_ROW_LOAD ROW_NONE
#define LAP_ROW_STORE ROW_NONE
#define LAP_ROW_AMO ROW_NONE
#define LAP_ROW_FENCE ROW_NONE
#define LAP_ROW_CSR ROW_NONE
#define LAP_ROW_SYSTEM ROW_NONE
#define LAP_ROW_FLOAT ROW_NONE
#define LAP_ROW_VECTOR ROW_NONE

/* Of an ALU, MUL, DIV or BRANCH row. */
static uint32_t integer_result(const struct tx_insn *d, uint32_t a, uint32_t b, uint32_t pc) {
  const uint32_t imm = d->imm;
  switch (d->op) {
#define ROW_VALUE(op, what) \
  case op: \
    return (what);
#define ROW_GUARD ROW_VALUE
#define RV(name, text, match, mask, format, class, what) LAP_ROW_##class(TX_RV_##name, what)
#include "tensix/riscv/riscv.def"
#undef RV
#undef ROW_GUARD
#undef ROW_VALUE
    default: __builtin_unreachable();
  }
}

/* Equal for divisions that take equally long: at least as fine as divide_cycles of riscv/execute.c. */
static uint32_t division_length(unsigned op, uint32_t a, uint32_t b) {
  bool is_signed = op == TX_RV_DIV || op == TX_RV_REM;
  if (b <= 1 || (is_signed && a == 0x80000000u && b == UINT32_MAX)) return 0;
  uint32_t magnitude = is_signed && a >> 31 ? 0u - a : a;
  return 1 + (32u - leading_zeros(magnitude) + 3u) / 4u;
}

/* --- the recorded lap: interpretation --- */

/* The word of L1 must have these bytes in every lap. */
static bool keep_word(struct builder *b, const struct tx_lap_load *load) {
  const uint32_t address = load->address & ~3u, shift = 8 * (load->address & 3u), mask = mask_of(load->bytes) << shift;
  const uint32_t value = load->value << shift & mask, entries = sizeof b->s->word_at / sizeof *b->s->word_at;
  if (address >= b->q->l1_bytes) return refuse(b, "a load from L1 has an address beyond it");
  if (!is_unwritten(b, address)) return refuse(b, "a load from a page of L1 that is written");
  uint32_t at = ((address >> 2) * UINT32_C(2654435761) >> 16) % entries;
  while (b->s->word_at[at] && b->t->word[b->s->word_at[at] - 1].address != address) at = (at + 1) % entries;
  if (!b->s->word_at[at]) {
    if (b->t->words == TX_LAP_TRACE_WORDS) return refuse(b, "too many words of L1 are loaded");
    b->t->word[b->t->words] = (struct tx_lap_word){.address = address};
    b->s->word_at[at] = (uint16_t)++b->t->words;
  }
  struct tx_lap_word *w = &b->t->word[b->s->word_at[at] - 1];
  if ((w->value ^ value) & w->mask & mask) return refuse(b, "a word of L1 changed in the lap");
  w->mask |= mask;
  w->value |= value;
  return true;
}

/* The record of the next load at `pc`; NULL: none is left. */
static const struct tx_lap_load *take_load(struct builder *b, uint32_t pc) {
  uint8_t *taken = b->s->taken;
  while (b->first_load < b->q->load_count && taken[b->first_load]) b->first_load++;
  for (uint32_t i = b->first_load; i < b->q->load_count; i++) {
    if (taken[i] || b->q->loads[i].pc != pc) continue;
    taken[i] = 1;
    b->loads_taken++;
    return &b->q->loads[i];
  }
  return NULL;
}

/* A load without a record: the one that waits at the end of the lap. No instruction after it uses or writes its register. */
static bool load_waits(struct builder *b, struct tx_lap_step *s) {
  const struct tx_core_waiting *w = &b->q->after->waiting;
  if (w->kind != TX_WAITING_LOAD || w->pc != s->pc || w->address != s->address || b->waits)
    return refuse(b, "a load was not recorded");
  b->waits = 1;
  s->where = WHERE_WAITS;
  return true;
}

static bool load_outside(struct builder *b, struct tx_lap_step *s) {
  const struct tx_lap_load *load = take_load(b, s->pc);
  s->where = WHERE_OUTSIDE;
  if (!load) return load_waits(b, s);
  if (load->address != s->address || load->bytes != tx_access_bytes(s->insn.op))
    return refuse(b, "a load has another address than its record");
  b->r[s->insn.rd] = load->value;
  return !load->from_l1 || keep_word(b, load);
}

static bool is_local(const struct builder *b, uint32_t address) {
  return address - TX_LOCAL_BASE < tx_core_local_bytes(b->q->core);
}

/* The location of the word at an address of local RAM. */
static unsigned local_word(uint32_t address) { return TX_LAP_LOCAL + (address - TX_LOCAL_BASE) / 4; }

static bool load(struct builder *b, struct tx_lap_step *s) {
  const unsigned bytes = tx_access_bytes(s->insn.op);
  s->address = s->a + s->insn.imm;
  if (s->address & (bytes - 1)) return refuse(b, "an access is not aligned");
  if (!is_local(b, s->address)) return load_outside(b, s);
  uint32_t raw = 0;
  memcpy(&raw, &b->s->local[s->address - TX_LOCAL_BASE], bytes);
  b->r[s->insn.rd] = tx_load_value(s->insn.op, raw);
  s->where = WHERE_LOCAL;
  b->s->touched[local_word(s->address)] = 1;
  return true;
}

static bool store(struct builder *b, struct tx_lap_step *s) {
  const unsigned bytes = tx_access_bytes(s->insn.op);
  s->address = s->a + s->insn.imm;
  s->where = WHERE_OUTSIDE;
  if (s->address & (bytes - 1)) return refuse(b, "an access is not aligned");
  if (!is_local(b, s->address)) return true;
  const uint32_t at = s->address - TX_LOCAL_BASE;
  s->where = WHERE_LOCAL;
  s->c = word_in(b->s->local, at & ~3u);
  memcpy(&b->s->local[at], &s->b, bytes);
  b->s->touched[local_word(s->address)] = 1;
  return true;
}

static void jump(struct builder *b, const struct tx_lap_step *s) {
  b->next = (s->a + s->insn.imm) & ~1u;
  b->r[s->insn.rd] = s->pc + 4;
  b->t->jumps = 1;
  b->t->jump_from = s->pc;
  b->t->jump_to = b->next;
}

static bool execute(struct builder *b, struct tx_lap_step *s) {
  const struct tx_insn *d = &s->insn;
  switch (d->class) {
    case TX_RV_CLASS_ALU:
    case TX_RV_CLASS_MUL:
    case TX_RV_CLASS_DIV: b->r[d->rd] = integer_result(d, s->a, s->b, s->pc); return true;
    case TX_RV_CLASS_FLOAT: b->r[d->rd] = tx_float(d->op, s->a, s->b, s->c, b->t->cfg0); return true;
    case TX_RV_CLASS_BRANCH:
      s->result = integer_result(d, s->a, s->b, s->pc);
      if (s->result) b->next = s->pc + d->imm;
      return true;
    case TX_RV_CLASS_JAL:
      b->r[d->rd] = s->pc + 4;
      b->next = s->pc + d->imm;
      return true;
    case TX_RV_CLASS_JALR: jump(b, s); return true;
    case TX_RV_CLASS_LOAD: return load(b, s);
    case TX_RV_CLASS_STORE: return store(b, s);
    case TX_RV_CLASS_MARK:
    case TX_RV_CLASS_FENCE:
    case TX_RV_CLASS_TTINSN: return true;
    case TX_RV_CLASS_AMO: return refuse(b, "an atomic");
    case TX_RV_CLASS_CSR: return refuse(b, "an access to a CSR");
    default: return refuse(b, "an instruction that traces do not have");
  }
}

static bool interpret_one(struct builder *b) {
  struct tx_lap_step *s = &b->s->step[b->steps];
  if (b->pc & 3u || b->pc >= b->q->l1_bytes) return refuse(b, "code outside of L1");
  if (!is_unwritten(b, b->pc)) return refuse(b, "code in a page of L1 that is written");
  if (b->pc < b->t->code_from) b->t->code_from = b->pc;
  if (b->pc + 4 > b->t->code_to) b->t->code_to = b->pc + 4;
  const struct tx_insn d = tx_rv_decode(word_in(b->q->l1, b->pc));
  *s = (struct tx_lap_step){.insn = d, .pc = b->pc, .a = b->r[d.rs1], .b = b->r[d.rs2], .c = b->r[d.rs3]};
  b->s->touched[d.rs1] = b->s->touched[d.rs2] = b->s->touched[d.rs3] = b->s->touched[d.rd] = 1;
  b->next = b->pc + 4;
  if (!execute(b, s)) return false;
  b->pc = b->next;
  b->steps++;
  return true;
}

/* The load that waits at the beginning returns in the lap, or waits on. No instruction uses or writes its register before, so it can return first. */
static bool begin_with_waiting(struct builder *b) {
  const struct tx_core_waiting *w = &b->q->before->waiting;
  if (!w->kind) return true;
  struct tx_lap_step *s = &b->s->step[b->steps++];
  *s = (struct tx_lap_step){.pc = w->pc, .address = w->address};
  s->insn = (struct tx_insn){.op = w->op, .class = TX_RV_CLASS_LOAD, .rd = w->rd};
  b->s->touched[w->rd] = 1;
  return load_outside(b, s);
}

static bool same_waiting(const struct tx_core_waiting *a, const struct tx_core_waiting *b) {
  return a->kind == b->kind && a->address == b->address && a->op == b->op && a->rd == b->rd && a->pc == b->pc;
}

static bool can_begin(struct builder *b) {
  const struct tx_core *before = b->q->before, *after = b->q->after;
  if (b->q->steps > TX_LAP_TRACE_STEPS) return refuse(b, "too many instructions");
  if (b->q->load_count > b->q->steps + 1) return refuse(b, "more loads than instructions");
  if (before->pc != after->pc) return refuse(b, "the core is at another instruction");
  if (before->csr[TX_CSR_CFG0] != after->csr[TX_CSR_CFG0]) return refuse(b, "cfg0 changed");
  if (before->waiting.kind == TX_WAITING_ATOMIC) return refuse(b, "an atomic waits");
  if (!same_waiting(&before->waiting, &after->waiting)) return refuse(b, "another load waits");
  return true;
}

/* The interpretation has arrived where the core has. */
static bool has_arrived(struct builder *b) {
  const struct tx_core *after = b->q->after;
  if (b->loads_taken != b->q->load_count) return refuse(b, "a recorded load was not executed");
  if (after->waiting.kind && !b->waits) return refuse(b, "the load that waits was not executed");
  if (b->pc != after->pc) return refuse(b, "the interpretation ends at another instruction");
  if (memcmp(&b->r[1], &after->r[1], (TX_CORE_NOWHERE - 1) * sizeof *b->r) != 0)
    return refuse(b, "the interpretation ends with other registers");
  if (memcmp(b->s->local, after->local, sizeof b->s->local) != 0)
    return refuse(b, "the interpretation ends with other local RAM");
  if (b->t->jumps && (b->t->jump_from != after->jump_from || b->t->jump_to != after->jump_to))
    return refuse(b, "the interpretation ends with another jump");
  for (uint32_t i = 0; i < b->t->words; i++)
    if ((word_in(b->q->l1, b->t->word[i].address) ^ b->t->word[i].value) & b->t->word[i].mask)
      return refuse(b, "a word of L1 changed in the lap");
  return true;
}

static bool interpret(struct builder *b) {
  memset(b->s->taken, 0, b->q->load_count);
  memset(b->s->word_at, 0, sizeof b->s->word_at);
  memset(b->s->touched, 0, sizeof b->s->touched);
  memcpy(b->s->local, b->q->before->local, sizeof b->s->local);
  memcpy(b->r, b->q->before->r, sizeof b->r);
  b->r[0] = 0;
  b->pc = b->t->pc;
  if (!begin_with_waiting(b)) return false;
  for (uint64_t i = 0; i < b->q->steps; i++)
    if (!interpret_one(b)) return false;
  return has_arrived(b);
}

/* --- what varies: values in slots --- */

/* Slot 0 is the constant 0, and slot_of[location] 0 means: the value is the recorded one. */
static uint16_t new_slot(struct builder *b) {
  if (b->slots == TX_LAP_TRACE_SLOTS) {
    refuse(b, "too many values vary");
    return 0;
  }
  b->s->exact[b->slots] = 0;
  return (uint16_t)b->slots++;
}

static uint16_t live_in(struct builder *b, unsigned location) {
  const uint16_t slot = new_slot(b);
  if (b->t->ins == TX_LAP_TRACE_LIVE) refuse(b, "too many registers and words vary");
  else b->t->in[b->t->ins++] = (struct tx_lap_place){offset_of(location), slot, (uint16_t)location};
  return slot;
}

/* The slot of a value that varies; 0: it is the recorded one. */
static uint16_t varying(struct builder *b, unsigned location) {
  uint16_t *slot = &b->s->slot_of[location];
  if (*slot == LIVE_IN) *slot = live_in(b, location);
  if (b->s->exact[*slot]) *slot = 0;
  return *slot;
}

static uint16_t constant(struct builder *b, uint32_t value) {
  if (!value) return 0;
  for (uint32_t i = 0; i < b->constants; i++)
    if (b->t->value[b->s->constant[i]] == value) return b->s->constant[i];
  const uint16_t slot = new_slot(b);
  if (!slot) return 0;
  b->t->value[slot] = value;
  b->s->constant[b->constants++] = slot;
  return slot;
}

/* The slot of an operand with this recorded value. */
static uint16_t operand(struct builder *b, unsigned location, uint32_t value) {
  const uint16_t slot = varying(b, location);
  return slot ? slot : constant(b, value);
}

static void emit(struct builder *b, const struct tx_lap_step *s, struct tx_lap_op op) {
  if (b->t->ops == TX_LAP_TRACE_OPS) {
    refuse(b, "too many instructions vary");
    return;
  }
  b->t->op_pc[b->t->ops] = s->pc;
  b->t->op[b->t->ops++] = op;
}

/* The value must be the recorded one, and is known from here on. */
static void keep(struct builder *b, const struct tx_lap_step *s, unsigned location, uint32_t value) {
  const uint16_t slot = varying(b, location);
  if (!slot) return;
  emit(b, s, (struct tx_lap_op){.op = LAP_EQUAL, .guards = 1, .a = slot, .imm = UINT32_MAX, .expect = value});
  b->s->exact[slot] = 1;
}

static void spread_result(struct builder *b, const struct tx_lap_step *s) {
  const struct tx_insn *d = &s->insn;
  uint16_t result = 0;
  const bool first = varying(b, d->rs1) != 0, second = varying(b, d->rs2) != 0, third = varying(b, d->rs3) != 0;
  if (first || second || third) {
    struct tx_lap_op op = {.op = d->op, .imm = d->imm};
    op.a = operand(b, d->rs1, s->a);
    op.b = operand(b, d->rs2, s->b);
    if (d->class == TX_RV_CLASS_FLOAT) {
      op.op = LAP_FLOAT;
      op.expect = d->op;
      op.imm = operand(b, d->rs3, s->c);
    }
    if (d->class == TX_RV_CLASS_DIV && b->q->timing)
      emit(b, s, (struct tx_lap_op){LAP_DIVISION, 1, 0, op.a, op.b, d->op, division_length(d->op, s->a, s->b)});
    op.d = result = new_slot(b);
    emit(b, s, op);
  }
  b->s->slot_of[d->rd] = result;
}

static void spread_branch(struct builder *b, const struct tx_lap_step *s) {
  const struct tx_insn *d = &s->insn;
  if (!varying(b, d->rs1) && !varying(b, d->rs2)) return;
  struct tx_lap_op op = {.op = d->op, .guards = 1, .imm = d->imm, .expect = s->result};
  op.a = operand(b, d->rs1, s->a);
  op.b = operand(b, d->rs2, s->b);
  emit(b, s, op);
}

static void spread_load(struct builder *b, const struct tx_lap_step *s) {
  const struct tx_insn *d = &s->insn;
  keep(b, s, d->rs1, s->a);
  if (s->where == WHERE_WAITS) return;
  uint16_t slot = s->where == WHERE_LOCAL ? varying(b, local_word(s->address)) : 0;
  if (slot && tx_access_bytes(d->op) < 4) {
    struct tx_lap_op op = {.op = d->op, .d = new_slot(b), .a = slot, .imm = 8 * (s->address & 3u)};
    emit(b, s, op);
    slot = op.d;
  }
  b->s->slot_of[d->rd] = slot;
}

static void spread_local_store(struct builder *b, const struct tx_lap_step *s) {
  const struct tx_insn *d = &s->insn;
  const unsigned location = local_word(s->address), bytes = tx_access_bytes(d->op);
  uint16_t value = varying(b, d->rs2), before = varying(b, location), slot = value;
  if (bytes < 4 && (value || before)) {
    struct tx_lap_op op = {.op = LAP_INSERT, .imm = 8 * (s->address & 3u), .expect = mask_of(bytes)};
    op.a = before ? before : constant(b, s->c);
    op.b = operand(b, d->rs2, s->b);
    op.d = slot = new_slot(b);
    emit(b, s, op);
  }
  b->s->slot_of[location] = slot;
}

static void spread_store(struct builder *b, const struct tx_lap_step *s) {
  const struct tx_insn *d = &s->insn;
  const uint32_t mask = mask_of(tx_access_bytes(d->op));
  keep(b, s, d->rs1, s->a);
  if (s->where == WHERE_LOCAL) {
    spread_local_store(b, s);
  } else if (mask == UINT32_MAX) {
    keep(b, s, d->rs2, s->b);
  } else if (varying(b, d->rs2)) {
    emit(b, s, (struct tx_lap_op){LAP_EQUAL, 1, 0, varying(b, d->rs2), 0, mask, s->b & mask});
  }
}

static void spread(struct builder *b, const struct tx_lap_step *s) {
  switch (s->insn.class) {
    case TX_RV_CLASS_ALU:
    case TX_RV_CLASS_MUL:
    case TX_RV_CLASS_DIV:
    case TX_RV_CLASS_FLOAT: spread_result(b, s); break;
    case TX_RV_CLASS_BRANCH: spread_branch(b, s); break;
    case TX_RV_CLASS_LOAD: spread_load(b, s); break;
    case TX_RV_CLASS_STORE: spread_store(b, s); break;
    case TX_RV_CLASS_JAL: b->s->slot_of[s->insn.rd] = 0; break;
    case TX_RV_CLASS_JALR:
      keep(b, s, s->insn.rs1, s->a);
      b->s->slot_of[s->insn.rd] = 0;
      break;
    case TX_RV_CLASS_MARK: keep(b, s, s->insn.rs1, s->a); break; /* an event shows it */
    default: break;
  }
}

/* Follows the varying values through the lap. */
static bool spread_all(struct builder *b) {
  b->t->ops = b->t->ins = b->constants = 0;
  b->slots = 1;
  b->t->value[0] = 0;
  b->s->exact[0] = 0;
  for (unsigned i = 0; i < TX_LAP_LOCATIONS; i++) b->s->slot_of[i] = b->t->varies[i] ? LIVE_IN : 0;
  for (uint32_t i = 0; i < b->steps && !b->why; i++) spread(b, &b->s->step[i]);
  return !b->why;
}

static bool is_variant_at_end(const struct builder *b, unsigned location) {
  const uint16_t slot = b->s->slot_of[location];
  return slot == LIVE_IN || (slot && !b->s->exact[slot]);
}

/* What varies at the end of a lap varies at the beginning of the next. true: that is more than was known. */
static bool more_varies(struct builder *b) {
  bool more = false;
  for (unsigned i = 1; i < TX_LAP_LOCATIONS; i++) {
    if (i == TX_CORE_NOWHERE || b->t->varies[i] || !is_variant_at_end(b, i)) continue;
    b->t->varies[i] = 1;
    more = true;
  }
  return more;
}

static bool find_varying(struct builder *b) {
  memset(b->t->varies, 0, sizeof b->t->varies);
  for (unsigned i = 1; i < TX_LAP_LOCATIONS; i++) {
    const uint32_t offset = offset_of(i);
    if (i != TX_CORE_NOWHERE) b->t->varies[i] = read_place(b->q->before, offset) != read_place(b->q->after, offset);
  }
  for (unsigned pass = 0; pass < TX_LAP_TRACE_PASSES; pass++) {
    if (!spread_all(b)) return false;
    if (!more_varies(b)) return true;
  }
  return refuse(b, "what varies does not settle");
}

/* --- the trace --- */

static bool list_outs(struct builder *b) {
  for (unsigned i = 1; i < TX_LAP_LOCATIONS; i++) {
    if (!b->t->varies[i] || b->s->slot_of[i] == LIVE_IN) continue;
    const uint16_t slot = operand(b, i, read_place(b->q->after, offset_of(i)));
    if (b->t->outs == TX_LAP_TRACE_LIVE) return refuse(b, "too many registers and words vary");
    b->t->out[b->t->outs++] = (struct tx_lap_place){offset_of(i), slot, (uint16_t)i};
  }
  return !b->why;
}

static void list_fixed(struct builder *b) {
  for (unsigned i = 1; i < TX_LAP_LOCATIONS; i++)
    if (b->s->touched[i] && i != TX_CORE_NOWHERE && !b->t->varies[i])
      b->t->fix[b->t->fixed++] = (struct tx_lap_word){offset_of(i), UINT32_MAX, read_place(b->q->before, offset_of(i))};
}

/* Removes operations and live-ins whose values are not needed. */
static void prune(struct builder *b) {
  struct tx_lap_trace *t = b->t;
  uint8_t *used = b->s->used;
  uint32_t kept = TX_LAP_TRACE_OPS; /* the kept ones gather at the end of the array first */
  memset(used, 0, b->slots);
  for (uint32_t i = 0; i < t->outs; i++) used[t->out[i].slot] = 1;
  for (uint32_t i = t->ops; i-- > 0;) {
    const struct tx_lap_op op = t->op[i];
    if (!op.guards && !used[op.d]) continue;
    used[op.a] = used[op.b] = 1;
    if (op.op == LAP_FLOAT) used[op.imm] = 1;
    t->op[--kept] = op;
    t->op_pc[kept] = t->op_pc[i];
  }
  t->ops = TX_LAP_TRACE_OPS - kept;
  memmove(t->op, &t->op[kept], t->ops * sizeof *t->op);
  memmove(t->op_pc, &t->op_pc[kept], t->ops * sizeof *t->op_pc);
  kept = 0;
  for (uint32_t i = 0; i < t->ins; i++)
    if (used[t->in[i].slot]) t->in[kept++] = t->in[i];
  t->ins = kept;
}

static void start_trace(struct builder *b) {
  struct tx_lap_trace *t = b->t;
  t->pc = b->q->before->pc;
  t->cfg0 = b->q->before->csr[TX_CSR_CFG0];
  t->steps = b->q->steps;
  t->jumps = t->jump_from = t->jump_to = 0;
  t->code_from = UINT32_MAX;
  t->code_to = 0;
  t->failed_pc = t->failed_address = t->succeeded = 0;
  t->ops = t->ins = t->outs = t->words = t->fixed = 0;
}

/* Of the words from the first to the last instruction. */
static uint64_t hash_of_code(const struct tx_lap_trace *t, const uint8_t *l1) {
  return t->code_from < t->code_to ? sim_hash_bytes(SIM_HASH_BASIS, &l1[t->code_from], t->code_to - t->code_from) : 0;
}

bool tx_lap_trace_build(struct tx_lap_trace *trace, struct tx_lap_scratch *scratch, const struct tx_lap_request *request,
                        const char **why) {
  struct builder b = {.t = trace, .s = scratch, .q = request};
  start_trace(&b);
  const bool built = can_begin(&b) && interpret(&b) && find_varying(&b) && list_outs(&b);
  *why = b.why;
  if (!built) return false;
  list_fixed(&b);
  prune(&b);
  trace->code_hash = hash_of_code(trace, request->l1);
  return true;
}

/* --- further laps --- */

bool tx_lap_trace_fits(const struct tx_lap_trace *trace, const struct tx_core *c, const uint8_t *l1) {
  if (c->pc != trace->pc || c->csr[TX_CSR_CFG0] != trace->cfg0) return false;
  for (uint32_t i = 0; i < trace->fixed; i++)
    if (read_place(c, trace->fix[i].address) != trace->fix[i].value) return false;
  return hash_of_code(trace, l1) == trace->code_hash;
}

/* The index of the operation at which the lap becomes another one; trace->ops: it is the same. */
static uint32_t run(const struct tx_lap_trace *t, uint32_t *v) {
  const uint32_t ops = t->ops, pc = 0; /* no row that uses pc has operands */
  for (uint32_t i = 0; i < ops; i++) {
    const struct tx_lap_op *o = &t->op[i];
    const uint32_t a = v[o->a], b = v[o->b], imm = o->imm;
    switch (o->op) {
#define ROW_VALUE(op, what) \
  case op: \
    v[o->d] = (what); \
    break;
#define ROW_GUARD(op, what) \
  case op: \
    if ((uint32_t)(what) != o->expect) return i; \
    break;
#define RV(name, text, match, mask, format, class, what) LAP_ROW_##class(TX_RV_##name, what)
#include "tensix/riscv/riscv.def"
#undef RV
#undef ROW_GUARD
#undef ROW_VALUE
      case TX_RV_LB:
      case TX_RV_LBU: v[o->d] = tx_load_value(o->op, a >> imm & 0xffu); break;
      case TX_RV_LH:
      case TX_RV_LHU:
      case TX_RV_FLH: v[o->d] = tx_load_value(o->op, a >> imm & 0xffffu); break;
      case LAP_EQUAL:
        if ((a & imm) != o->expect) return i;
        break;
      case LAP_DIVISION:
        if (division_length(imm, a, b) != o->expect) return i;
        break;
      case LAP_INSERT: v[o->d] = (a & ~(o->expect << imm)) | (b & o->expect) << imm; break;
      case LAP_FLOAT: v[o->d] = tx_float(o->expect, a, b, v[imm], t->cfg0); break;
      default: __builtin_unreachable();
    }
  }
  return ops;
}

static bool l1_has(const struct tx_lap_trace *t, const uint8_t *l1, uint32_t *address) {
  for (uint32_t i = 0; i < t->words; i++) {
    const struct tx_lap_word *w = &t->word[i];
    *address = w->address;
    if ((word_in(l1, w->address) ^ w->value) & w->mask) return false;
  }
  return true;
}

bool tx_lap_trace_try(struct tx_lap_trace *trace, const struct tx_core *c, const uint8_t *l1) {
  tx_assert(c->pc == trace->pc && c->csr[TX_CSR_CFG0] == trace->cfg0);
  trace->succeeded = 0;
  trace->failed_pc = 0;
  if (!l1_has(trace, l1, &trace->failed_address)) return false;
  for (uint32_t i = 0; i < trace->ins; i++) trace->value[trace->in[i].slot] = read_place(c, trace->in[i].offset);
  const uint32_t at = run(trace, trace->value);
  trace->failed_address = 0;
  if (at != trace->ops) trace->failed_pc = trace->op_pc[at];
  else trace->succeeded = 1;
  return trace->succeeded;
}

void tx_lap_trace_commit(const struct tx_lap_trace *trace, struct tx_core *c) {
  tx_assert(trace->succeeded);
  for (uint32_t i = 0; i < trace->outs; i++)
    memcpy((unsigned char *)c + trace->out[i].offset, &trace->value[trace->out[i].slot], 4);
  if (!trace->jumps) return;
  c->jump_from = trace->jump_from;
  c->jump_to = trace->jump_to;
}
