/* Constant propagation over the registers of a core, for searches in code that is not executed. */
#ifndef TESSERA_OBSERVE_HANG_CONSTANTS_H
#define TESSERA_OBSERVE_HANG_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/riscv/decode.h"

/* The result of an instruction that builds an address or a value from the registers, of which `known` says which hold a constant. false:
 * the result is not known. */
bool obs_constant_result(const struct tx_insn *d, const uint32_t *value, const bool *known, uint32_t pc, uint32_t *out);

/* Bit 0: the branch may be taken; bit 1: it may not be taken. */
unsigned obs_branch_ways(const struct tx_insn *d, const uint32_t *value, const bool *known);

#endif
