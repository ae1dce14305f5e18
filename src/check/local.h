/* Checker d on a core: stack and local RAM. */
#ifndef TESSERA_CHECK_LOCAL_H
#define TESSERA_CHECK_LOCAL_H

#include "check/internal.h"

void chk_instruction(struct tx_tile *t, unsigned core, const struct tx_insn *d);

#endif
