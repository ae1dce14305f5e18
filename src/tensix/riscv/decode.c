/* Decoder and disassembler over riscv.def. */
#include "tensix/riscv/decode.h"

#include "sim/format.h"

enum format {
  F_I,
  F_FI,
  F_S,
  F_FS,
  F_SH,
  F_UNARY,
  F_R,
  F_B,
  F_U,
  F_J,
  F_F4,
  F_FFF,
  F_FF,
  F_XFF,
  F_XF,
  F_FX,
  F_CSR,
  F_CSRI,
  F_NONE
};

struct row {
  const char *text;
  uint32_t match, mask;
  uint8_t format, class;
};

static const struct row rows[] = {
#define RV(name, text, match, mask, format, class, what) {text, match, mask, F_##format, TX_RV_CLASS_##class},
#include "tensix/riscv/riscv.def"
#undef RV
};

#define ROWS (sizeof rows / sizeof *rows)

/* The first row of each major opcode, plus one. */
static const uint8_t first_row[32] = {
    [0x03 >> 2] = TX_RV_LB + 1,       [0x07 >> 2] = TX_RV_FLH + 1,      [0x0f >> 2] = TX_RV_FENCE + 1,
    [0x13 >> 2] = TX_RV_ADDI + 1,     [0x17 >> 2] = TX_RV_AUIPC + 1,    [0x23 >> 2] = TX_RV_SB + 1,
    [0x27 >> 2] = TX_RV_FSH + 1,      [0x2f >> 2] = TX_RV_AMOADD + 1,   [0x33 >> 2] = TX_RV_ADD + 1,
    [0x37 >> 2] = TX_RV_LUI + 1,      [0x43 >> 2] = TX_RV_FMADD_S + 1,  [0x47 >> 2] = TX_RV_FMSUB_S + 1,
    [0x4b >> 2] = TX_RV_FNMSUB_S + 1, [0x4f >> 2] = TX_RV_FNMADD_S + 1, [0x53 >> 2] = TX_RV_FADD_S + 1,
    [0x57 >> 2] = TX_RV_VECTOR + 1,   [0x63 >> 2] = TX_RV_BEQ + 1,      [0x67 >> 2] = TX_RV_JALR + 1,
    [0x6f >> 2] = TX_RV_JAL + 1,      [0x73 >> 2] = TX_RV_ECALL + 1,
};

static unsigned find_row(uint32_t word) {
  unsigned i = first_row[word >> 2 & 31u];
  if (!i) return TX_RV_ILLEGAL;
  for (i--; i < ROWS && (rows[i].match & 0x7fu) == (word & 0x7fu); i++)
    if ((word & rows[i].mask) == rows[i].match) return i;
  return TX_RV_ILLEGAL;
}

/* --- immediates --- */

static uint32_t sign_extend(uint32_t value, unsigned bits) {
  return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}
static uint32_t imm_i(uint32_t w) { return sign_extend(w >> 20, 12); }
static uint32_t imm_s(uint32_t w) { return sign_extend((w >> 25) << 5 | (w >> 7 & 31u), 12); }
static uint32_t imm_b(uint32_t w) {
  return sign_extend((w >> 31) << 12 | (w >> 7 & 1u) << 11 | (w >> 25 & 63u) << 5 | (w >> 8 & 15u) << 1, 13);
}
static uint32_t imm_j(uint32_t w) {
  return sign_extend((w >> 31) << 20 | (w >> 12 & 255u) << 12 | (w >> 20 & 1u) << 11 | (w >> 21 & 1023u) << 1, 21);
}

static uint32_t immediate(uint32_t w, unsigned format) {
  switch (format) {
    case F_I:
    case F_FI: return imm_i(w);
    case F_S:
    case F_FS: return imm_s(w);
    case F_SH: return w >> 20 & 31u;
    case F_B: return imm_b(w);
    case F_U: return w & 0xfffff000u;
    case F_J: return imm_j(w);
    case F_CSR: return w >> 20;
    case F_CSRI: return w >> 20 | (w >> 15 & 31u) << 16;
    default: return 0;
  }
}

/* --- operands --- */

enum { RD = 1, RS1 = 2, RS2 = 4, RS3 = 8, FRD = 16, FRS1 = 32, FRS2 = 64 };

static const uint8_t operands[] = {
    [F_I] = RD | RS1,
    [F_FI] = FRD | RS1,
    [F_S] = RS1 | RS2,
    [F_FS] = RS1 | FRS2,
    [F_SH] = RD | RS1,
    [F_UNARY] = RD | RS1,
    [F_R] = RD | RS1 | RS2,
    [F_B] = RS1 | RS2,
    [F_U] = RD,
    [F_J] = RD,
    [F_F4] = FRD | FRS1 | FRS2 | RS3,
    [F_FFF] = FRD | FRS1 | FRS2,
    [F_FF] = FRD | FRS1,
    [F_XFF] = RD | FRS1 | FRS2,
    [F_XF] = RD | FRS1,
    [F_FX] = FRD | RS1,
    [F_CSR] = RD | RS1,
    [F_CSRI] = RD,
    [F_NONE] = 0,
};

static uint8_t operand(uint32_t field, unsigned have, unsigned x, unsigned f) {
  field &= 31u;
  if (have & f) return (uint8_t)(TX_CORE_F + field);
  return have & x ? (uint8_t)field : 0;
}

struct tx_insn tx_rv_decode(uint32_t w) {
  struct tx_insn d = {.word = w, .rd = TX_CORE_NOWHERE, .op = TX_RV_ILLEGAL, .class = TX_RV_CLASS_ILLEGAL};
  if ((w & 3u) != 3u) { /* ISA: PushTensixInstruction.md */
    d.op = TX_RV_TTINSN;
    d.class = TX_RV_CLASS_TTINSN;
    d.imm = w >> 2 | w << 30;
    return d;
  }
  unsigned i = find_row(w);
  if (i == TX_RV_ILLEGAL) return d;
  unsigned have = operands[rows[i].format];
  d.op = (uint8_t)i;
  d.class = rows[i].class;
  d.imm = immediate(w, rows[i].format);
  d.rs1 = operand(w >> 15, have, RS1, FRS1);
  d.rs2 = operand(w >> 20, have, RS2, FRS2);
  if (have & RS3) d.rs3 = (uint8_t)(TX_CORE_F + (w >> 27));
  uint8_t rd = operand(w >> 7, have, RD, FRD);
  if (rd) d.rd = rd;
  return d;
}

const char *tx_rv_name(unsigned op) {
  if (op == TX_RV_TTINSN) return ".ttinsn";
  return op < ROWS ? rows[op].text : "illegal";
}

/* --- text --- */

static const char *register_name(unsigned index) {
  static const char *const names[TX_CORE_REGISTERS] = {
      "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",   "t2",   "s0",  "s1",  "a0",   "a1",   "a2",
      "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",   "s4",   "s5",  "s6",  "s7",   "s8",   "s9",
      "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4",  "ft5",  "ft6",
      "ft7",  "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",  "fa4",  "fa5", "fa6", "fa7",  "fs2",  "fs3",
      "fs4",  "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11", "zero",
  };
  return names[index];
}

void tx_rv_dis(uint32_t word, uint32_t pc, char *text, uint32_t size) {
  struct tx_insn d = tx_rv_decode(word);
  const char *name = tx_rv_name(d.op), *rd = register_name(d.rd), *rs1 = register_name(d.rs1), *rs2 = register_name(d.rs2);
  int imm = (int)d.imm;
  if (d.op >= ROWS) {
    sim_format(text, size, d.op == TX_RV_TTINSN ? ".ttinsn 0x%08x" : ".word 0x%08x", d.op == TX_RV_TTINSN ? d.imm : word);
    return;
  }
  switch (rows[d.op].format) {
    case F_I:
    case F_FI:
      if (d.class == TX_RV_CLASS_LOAD || d.class == TX_RV_CLASS_JALR)
        sim_format(text, size, "%s %s, %d(%s)", name, rd, imm, rs1);
      else sim_format(text, size, "%s %s, %s, %d", name, rd, rs1, imm);
      break;
    case F_S:
    case F_FS: sim_format(text, size, "%s %s, %d(%s)", name, rs2, imm, rs1); break;
    case F_SH: sim_format(text, size, "%s %s, %s, %d", name, rd, rs1, imm); break;
    case F_UNARY:
    case F_FF:
    case F_XF:
    case F_FX: sim_format(text, size, "%s %s, %s", name, rd, rs1); break;
    case F_B: sim_format(text, size, "%s %s, %s, 0x%x", name, rs1, rs2, pc + d.imm); break;
    case F_U: sim_format(text, size, "%s %s, 0x%x", name, rd, d.imm >> 12); break;
    case F_J: sim_format(text, size, "%s %s, 0x%x", name, rd, pc + d.imm); break;
    case F_F4: sim_format(text, size, "%s %s, %s, %s, %s", name, rd, rs1, rs2, register_name(d.rs3)); break;
    case F_CSR: sim_format(text, size, "%s %s, 0x%x, %s", name, rd, d.imm & 0xfffu, rs1); break;
    case F_CSRI: sim_format(text, size, "%s %s, 0x%x, %u", name, rd, d.imm & 0xfffu, d.imm >> 16); break;
    case F_NONE: sim_format(text, size, "%s", name); break;
    default: /* AMO has its address in rs1 */
      if (d.class == TX_RV_CLASS_AMO) sim_format(text, size, "%s %s, %s, (%s)", name, rd, rs2, rs1);
      else sim_format(text, size, "%s %s, %s, %s", name, rd, rs1, rs2);
      break;
  }
}
