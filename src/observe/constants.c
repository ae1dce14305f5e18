/* The arithmetic of constants.h. */
#include "observe/constants.h"

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
    case TX_RV_ADD: *out = a + b; return two;
    case TX_RV_SUB: *out = a - b; return two;
    case TX_RV_OR: *out = a | b; return two;
    case TX_RV_AND: *out = a & b; return two;
    case TX_RV_XOR: *out = a ^ b; return two;
    case TX_RV_SLTU: *out = a < b; return two;
    default: return false;
  }
}
