/* Checker b: Dst, GPRs, configuration. */
#ifndef TESSERA_CHECK_REGISTERS_H
#define TESSERA_CHECK_REGISTERS_H

#include "check/internal.h"

void chk_registers_issue(struct chk *c, unsigned thread, uint32_t word);
void chk_config_store(struct chk *c, unsigned core, uint32_t address, uint32_t value);
void chk_gpr_store(struct chk *c, unsigned core, uint32_t address);

#endif
