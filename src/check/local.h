/* Checker d on a core: stack and local RAM. */
#ifndef TESSERA_CHECK_LOCAL_H
#define TESSERA_CHECK_LOCAL_H

#include "check/internal.h"

void chk_instruction(struct tx_tile *t, unsigned core, const struct tx_insn *d);
/* The instruction of the tile's `current` loads a word of L1 that has no writer. */
void chk_load_undefined(struct chk *c, unsigned core, uint32_t address);

#endif
