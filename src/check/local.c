/* Checker d on a core: its stack against its data, and reads of stack memory and of L1 that were never written.
 *
 * Local RAM is zero after reset (ISA: BabyRISCV/README.md), so its contents are defined at the program's start. Memory below the
 * stack pointer is not: a frame allocated by an addition to sp is undefined until it is written. Undefined bits are propagated
 * through registers and copies, and reported where they have an effect: as an address, in a branch, in a jump, and in a store to a
 * register of the tile. A store to L1 outside the circular buffers is a copy, unless the value is a sum, a product or a comparison
 * with a word of L1 that no agent has written. */
#include "check/local.h"

#include <string.h>

#include "check/buffers.h"
#include "check/flags.h"
#include "check/report.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/run.h"

static struct chk *of(const struct tx_tile *t) { return t->unsaved.check; }

static void set(struct chk *c, unsigned core, unsigned reg, uint32_t bits, const struct chk_undefined *from) {
  if (reg == 0 || reg >= TX_CORE_NOWHERE) return;
  struct chk_values *v = &c->values[core];
  v->bits[reg] = bits;
  if (bits) v->from[reg] = *from, c->shadow[core].tainted |= UINT64_C(1) << reg;
  else c->shadow[core].tainted &= ~(UINT64_C(1) << reg);
}

/* --- a use --- */

static void report(struct chk *c, unsigned core, const struct tx_insn *d, unsigned reg, const char *what) {
  struct chk_undefined from = c->values[core].from[reg];
  struct tx_current kept = c->t->current;
  unsigned agent = TX_AGENT_TRISC0 + core;
  struct chk_mark load = {.clock = 1, .pc = from.pc, .cycle = from.cycle, .agent = (uint8_t)agent};
  c->t->current = (struct tx_current){.agent = (uint16_t)agent, .word = d->word, .pc = c->t->core[core].pc};
  if (from.address < TX_L1_BYTES)
    chk_report(c, TX_DIAG_L1_UNDEFINED, &load, "%s: %s comes from 0x%x", tx_core_name(core), what, from.address);
  else chk_report(c, TX_DIAG_STACK_UNDEFINED, &load, "%s: %s comes from 0x%08x", tx_core_name(core), what, from.address);
  c->t->current = kept;
  set(c, core, reg, 0, NULL); /* once a value */
}

static void use(struct chk *c, unsigned core, const struct tx_insn *d, unsigned reg, const char *what) {
  if (c->values[core].bits[reg]) report(c, core, d, reg, what);
}

/* --- the stack --- */

/* An lui or auipc directly before it: sp gets a new value, and no frame is allocated. */
static bool sets_stack(const struct chk *c, uint32_t pc) {
  if (pc < 4 || pc > TX_L1_BYTES) return false;
  uint32_t before = tx_l1_read(c->t, pc - 4, 4);
  return ((before & 0x7fu) == 0x37u || (before & 0x7fu) == 0x17u) && (before >> 7 & 31u) == 2;
}

static void make_frame(struct chk *c, unsigned core, const struct tx_insn *d, uint32_t old, uint32_t now) {
  uint32_t top = TX_LOCAL_BASE + tx_core_local_bytes(core), limit = c->stack_limit[core];
  if (old <= now || old < TX_LOCAL_BASE || old > top || sets_stack(c, c->t->core[core].pc)) return;
  if (limit && old >= limit && now < limit) {
    struct tx_current kept = c->t->current;
    c->t->current =
        (struct tx_current){.agent = (uint16_t)(TX_AGENT_TRISC0 + core), .word = d->word, .pc = c->t->core[core].pc};
    chk_report(c, TX_DIAG_STACK_OVERFLOW, NULL, "%s: sp goes from 0x%08x to 0x%08x, its data ends at 0x%08x",
               tx_core_name(core), old, now, limit);
    c->t->current = kept;
    c->stack_limit[core] = 0;
  }
  uint32_t from = now < TX_LOCAL_BASE ? TX_LOCAL_BASE : now;
  for (uint32_t at = (from + 3) & ~3u; at + 4 <= old; at += 4) c->shadow[core].bits[(at - TX_LOCAL_BASE) / 4] = ~0u;
}

/* --- memory --- */

static uint32_t low_bytes(unsigned bytes) { return bytes == 4 ? ~0u : (1u << 8 * bytes) - 1u; }

static void load(struct chk *c, unsigned core, const struct tx_insn *d, uint32_t address) {
  struct chk_undefined from = {.pc = c->t->core[core].pc, .address = address, .cycle = (uint32_t)c->t->engine.now};
  uint32_t local = address - TX_LOCAL_BASE, bits = 0;
  unsigned bytes = tx_access_bytes(d->op);
  use(c, core, d, d->rs1, "the address");
  if (local < tx_core_local_bytes(core) && local % bytes == 0) {
    bits = c->shadow[core].bits[local / 4] >> 8 * (local % 4) & low_bytes(bytes);
    if ((d->op == TX_RV_LB || d->op == TX_RV_LH) && bits >> (8 * bytes - 1)) bits |= ~low_bytes(bytes);
  }
  set(c, core, d->rd, bits, &from);
}

/* A word that a core polls is a flag: it may be polled before it is written. */
void chk_load_undefined(struct chk *c, unsigned core, uint32_t address) {
  const struct tx_insn d = tx_rv_decode(c->t->current.word);
  struct chk_undefined from = {.pc = c->t->current.pc, .address = address, .cycle = (uint32_t)c->t->engine.now};
  if (d.class != TX_RV_CLASS_LOAD || chk_is_flag(c, address) || !chk_is_unwritten(c, address)) return;
  if (!c->shadow[core].tainted) memset(c->values[core].bits, 0, sizeof c->values[core].bits); /* a reset untaints too */
  bool extends = d.op == TX_RV_LB || d.op == TX_RV_LH;
  set(c, core, d.rd, extends ? ~0u : low_bytes(tx_access_bytes(d.op)), &from);
}

static void store(struct chk *c, unsigned core, const struct tx_insn *d, uint32_t address) {
  uint32_t local = address - TX_LOCAL_BASE, bits = c->values[core].bits[d->rs2];
  unsigned bytes = tx_access_bytes(d->op);
  use(c, core, d, d->rs1, "the address");
  if (local < tx_core_local_bytes(core) && local % bytes == 0) {
    uint32_t *word = &c->shadow[core].bits[local / 4], at = 8 * (local % 4);
    *word = (*word & ~(low_bytes(bytes) << at)) | (bits & low_bytes(bytes)) << at;
    return;
  }
  bool in_page =
      /* data for the buffer's consumer, not the copy of a structure */
      address < TX_L1_BYTES && bits == ~0u && chk_buffer_at(c, address);
  bool in_sum = address < TX_L1_BYTES && bits & low_bytes(bytes) && c->values[core].from[d->rs2].computed;
  if (in_page || in_sum || (address >= TX_LOCAL_BASE && bits & low_bytes(bytes)))
    use(c, core, d, d->rs2, "the value that is stored");
}

/* --- arithmetic: the bits of the result that depend on undefined bits --- */

static uint32_t upwards(uint32_t bits) { return bits ? bits | (0u - (bits & (0u - bits))) : 0; }

static uint32_t shifted(const struct tx_insn *d, uint32_t bits, uint32_t by) {
  switch (d->op) {
    case TX_RV_SLLI:
    case TX_RV_SLL: return bits << (by & 31u);
    case TX_RV_SRLI:
    case TX_RV_SRL: return bits >> (by & 31u);
    default: return (uint32_t)((int32_t)bits >> (by & 31u));
  }
}

static uint32_t depend(const struct tx_insn *d, uint32_t a, uint32_t b, uint32_t ua, uint32_t ub) {
  switch (d->op) {
    case TX_RV_ADDI: return d->imm ? upwards(ua) : ua;
    case TX_RV_ADD:
    case TX_RV_SUB:
    case TX_RV_MUL: return upwards(ua | ub);
    case TX_RV_XORI:
    case TX_RV_XOR:
    case TX_RV_XNOR: return ua | ub;
    case TX_RV_ANDI: return ua & d->imm;
    case TX_RV_ORI: return ua & ~d->imm;
    case TX_RV_AND: return (ua & ub) | (ua & b) | (ub & a);
    case TX_RV_ANDN: return (ua & ub) | (ua & ~b) | (ub & a);
    case TX_RV_OR: return (ua & ub) | (ua & ~b) | (ub & ~a);
    case TX_RV_ORN: return (ua & ub) | (ua & b) | (ub & ~a);
    case TX_RV_SLLI:
    case TX_RV_SRLI:
    case TX_RV_SRAI: return shifted(d, ua, d->imm);
    case TX_RV_SLL:
    case TX_RV_SRL:
    case TX_RV_SRA: return ub & 31u ? ~0u : shifted(d, ua, b);
    case TX_RV_ZEXT_H: return ua & 0xffffu;
    case TX_RV_SEXT_B: return (uint32_t)(int8_t)ua;
    case TX_RV_SEXT_H: return (uint32_t)(int16_t)ua;
    case TX_RV_PACK: return (ua & 0xffffu) | ub << 16;
    case TX_RV_SLTI:
    case TX_RV_SLTIU:
    case TX_RV_SLT:
    case TX_RV_SLTU: return ua | ub ? 1u : 0;
    default: return ua | ub ? ~0u : 0;
  }
}

/* Shifts and logic occur in copies too: of bytes, and of the other fields of a word. */
static bool is_arithmetic(const struct tx_insn *d) {
  if (d->class != TX_RV_CLASS_ALU) return true;
  switch (d->op) {
    case TX_RV_ADDI: return d->imm;
    case TX_RV_ADD:
    case TX_RV_SUB:
    case TX_RV_SLTI:
    case TX_RV_SLTIU:
    case TX_RV_SLT:
    case TX_RV_SLTU: return true;
    default: return false;
  }
}

static void compute(struct chk *c, unsigned core, const struct tx_insn *d) {
  const struct chk_values *v = &c->values[core];
  const struct tx_core *r = &c->t->core[core];
  uint32_t ua = v->bits[d->rs1], ub = v->bits[d->rs2] | (v->bits[d->rs3] ? ~0u : 0);
  unsigned source = ua ? d->rs1 : v->bits[d->rs2] ? d->rs2 : d->rs3;
  struct chk_undefined from = v->from[source];
  uint32_t a = r->r[d->rs1], b = r->r[d->rs2];
  if (ua | ub) from.computed |= from.address < TX_L1_BYTES && is_arithmetic(d);
  if (d->rd == 2 && d->rs1 == 2)
    make_frame(c, core, d, a,
               d->op == TX_RV_ADDI  ? a + d->imm
               : d->op == TX_RV_ADD ? a + b
               : d->op == TX_RV_SUB ? a - b
                                    : a);
  set(c, core, d->rd, ua | ub ? depend(d, a, b, ua, ub) : 0, &from);
}

/* A flag in L1 may be polled before it is written, and not every poll can be told from another branch. */
static void compare(struct chk *c, unsigned core, const struct tx_insn *d, unsigned reg) {
  if (!c->values[core].bits[reg]) return;
  if (c->values[core].from[reg].address < TX_L1_BYTES) set(c, core, reg, 0, NULL);
  else report(c, core, d, reg, "what the branch compares");
}

/* Two operands are unequal if they differ in defined bits. */
static void branch(struct chk *c, unsigned core, const struct tx_insn *d) {
  const uint32_t *bits = c->values[core].bits, *r = c->t->core[core].r;
  bool equality = d->op == TX_RV_BEQ || d->op == TX_RV_BNE;
  if (equality && ((r[d->rs1] ^ r[d->rs2]) & ~(bits[d->rs1] | bits[d->rs2]))) return;
  compare(c, core, d, d->rs1);
  compare(c, core, d, d->rs2);
}

void chk_instruction(struct tx_tile *t, unsigned core, const struct tx_insn *d) {
  struct chk *c = of(t);
  uint32_t address = t->core[core].r[d->rs1] + d->imm;
  if (!c->shadow[core].tainted) memset(c->values[core].bits, 0, sizeof c->values[core].bits); /* a reset untaints too */
  switch (d->class) {
    case TX_RV_CLASS_LOAD: load(c, core, d, address); break;
    case TX_RV_CLASS_STORE: store(c, core, d, address); break;
    case TX_RV_CLASS_AMO:
      use(c, core, d, d->rs1, "the address");
      set(c, core, d->rd, 0, NULL);
      break;
    case TX_RV_CLASS_BRANCH: branch(c, core, d); break;
    case TX_RV_CLASS_JALR: use(c, core, d, d->rs1, "where it jumps"); /* fallthrough */
    case TX_RV_CLASS_JAL: set(c, core, d->rd, 0, NULL); break;
    case TX_RV_CLASS_ALU:
    case TX_RV_CLASS_MUL:
    case TX_RV_CLASS_DIV:
    case TX_RV_CLASS_FLOAT: compute(c, core, d); break;
    case TX_RV_CLASS_CSR:
      use(c, core, d, d->rs1, "what the CSR gets");
      set(c, core, d->rd, 0, NULL);
      break;
    default: break;
  }
}
