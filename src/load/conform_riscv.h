/* Op lists as RISC-V code for the T cores. */
#ifndef TESSERA_LOAD_CONFORM_RISCV_H
#define TESSERA_LOAD_CONFORM_RISCV_H

#include "load/casefile.h"
#include "tensix/tile/tile.h"

/* Writes the code of a case's cores to L1 where the case has nothing, and starts them. false: `why` says what is in the way. */
bool conform_riscv_start(struct tx_tile *t, const struct conform_case *c, char *why, size_t size);

#endif
