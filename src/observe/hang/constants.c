/* The arithmetic of constants.h. */
#include "observe/hang/constants.h"

bool obs_constant_result(const struct tx_insn *d, const uint32_t *value, const bool *known, uint32_t pc, uint32_t *out) {
  uint32_t a = value[d->rs1], b = value[d->rs2];
  bool one = known[d->rs1], two = one && known[d->rs2];
  switch (d->op) {
    case TX_RV_LUI: *out = d->imm; return true;
    case TX_RV_AUIPC: *out = pc + d->imm; return true;
    case TX_RV_ADDI: *out = a + d->imm; return one;
    case TX_RV_ORI: *out = a | d->imm; return one;
    case TX_RV_ANDI: *out = a & d->imm; return one;
    case TX_RV_XORI: *out = a ^ d->imm; return one;
    case TX_RV_SLLI: *out = a << d->imm; return one;
    case TX_RV_SRLI: *out = a >> d->imm; return one;
    case TX_RV_SLTIU: *out = a < d->imm; return one;
    case TX_RV_SLTI: *out = (int32_t)a < (int32_t)d->imm; return one;
    case TX_RV_SRAI: *out = (uint32_t)((int32_t)a >> d->imm); return one;
    case TX_RV_SEXT_B: *out = (uint32_t)(int8_t)a; return one;
    case TX_RV_SEXT_H: *out = (uint32_t)(int16_t)a; return one;
    case TX_RV_ZEXT_H: *out = a & 0xffffu; return one;
    case TX_RV_ADD: *out = a + b; return two;
    case TX_RV_SUB: *out = a - b; return two;
    case TX_RV_OR: *out = a | b; return two;
    case TX_RV_AND: *out = a & b; return two;
    case TX_RV_XOR: *out = a ^ b; return two;
    case TX_RV_SLTU: *out = a < b; return two;
    case TX_RV_SLT: *out = (int32_t)a < (int32_t)b; return two;
    case TX_RV_SLL: *out = a << (b & 31u); return two;
    case TX_RV_SRL: *out = a >> (b & 31u); return two;
    case TX_RV_SRA: *out = (uint32_t)((int32_t)a >> (b & 31u)); return two;
    case TX_RV_SH1ADD: *out = (a << 1) + b; return two;
    case TX_RV_SH2ADD: *out = (a << 2) + b; return two;
    case TX_RV_SH3ADD: *out = (a << 3) + b; return two;
    case TX_RV_ANDN: *out = a & ~b; return two;
    case TX_RV_MINU: *out = a < b ? a : b; return two;
    case TX_RV_MAXU: *out = a < b ? b : a; return two;
    case TX_RV_MUL: *out = a * b; return two;
    case TX_RV_DIVU: *out = b ? a / b : UINT32_MAX; return two;
    case TX_RV_REMU: *out = b ? a % b : a; return two;
    default: return false;
  }
}

unsigned obs_branch_ways(const struct tx_insn *d, const uint32_t *value, const bool *known) {
  uint32_t a = value[d->rs1], b = value[d->rs2];
  if (!known[d->rs1] || !known[d->rs2]) return 3;
  switch (d->op) {
    case TX_RV_BEQ: return a == b ? 1 : 2;
    case TX_RV_BNE: return a != b ? 1 : 2;
    case TX_RV_BLTU: return a < b ? 1 : 2;
    case TX_RV_BGEU: return a >= b ? 1 : 2;
    case TX_RV_BLT: return (int32_t)a < (int32_t)b ? 1 : 2;
    case TX_RV_BGE: return (int32_t)a >= (int32_t)b ? 1 : 2;
    default: return 3;
  }
}
