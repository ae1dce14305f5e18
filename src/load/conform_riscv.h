/* Op lists as RISC-V code for the T cores. */
#ifndef TESSERA_LOAD_CONFORM_RISCV_H
#define TESSERA_LOAD_CONFORM_RISCV_H

#include "load/casefile.h"
#include "tensix/tile/tile.h"

/* Writes the code of a case's cores to free memory of L1, and starts them. false: `why` names the conflict. */
bool conform_riscv_start(struct tx_tile *t, const struct conform_case *c, char *why, size_t size);

#endif
