/* Decoded instructions of the baby cores: the rows of riscv.def with their operands. */
#ifndef TESSERA_TENSIX_RISCV_DECODE_H
#define TESSERA_TENSIX_RISCV_DECODE_H

#include <stdint.h>

#include "tensix/state/core.h"

enum tx_rv_op {
#define RV(name, ...) TX_RV_##name,
#include "tensix/riscv/riscv.def"
#undef RV
  TX_RV_TTINSN,
  TX_RV_ILLEGAL,
  TX_RV_COUNT
};

enum tx_rv_class {
  TX_RV_CLASS_ALU,
  TX_RV_CLASS_MARK,
  TX_RV_CLASS_MUL,
  TX_RV_CLASS_DIV,
  TX_RV_CLASS_BRANCH,
  TX_RV_CLASS_JAL,
  TX_RV_CLASS_JALR,
  TX_RV_CLASS_LOAD,
  TX_RV_CLASS_STORE,
  TX_RV_CLASS_AMO,
  TX_RV_CLASS_FENCE,
  TX_RV_CLASS_CSR,
  TX_RV_CLASS_SYSTEM,
  TX_RV_CLASS_FLOAT,
  TX_RV_CLASS_VECTOR,
  TX_RV_CLASS_TTINSN,
  TX_RV_CLASS_ILLEGAL,
};

/* Immediates of TX_RV_MARK: a zone of a kernel, kernels/include/zone.h. */
enum { TX_MARK_BEGIN = 1, TX_MARK_END = 2 };

struct tx_insn tx_rv_decode(uint32_t word);
const char *tx_rv_name(unsigned op);
/* The instruction in assembler syntax; always terminated. */
void tx_rv_dis(uint32_t word, uint32_t pc, char *text, uint32_t size);

#endif
