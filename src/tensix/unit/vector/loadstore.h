/* Loads and stores of the vector unit. */
#ifndef TESSERA_TENSIX_VECTOR_LOADSTORE_H
#define TESSERA_TENSIX_VECTOR_LOADSTORE_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_load, tx_run_loadi, tx_run_store;
/* Dst address of a load or store, with its side effect on the stack pointer; steps RWCs if requested. */
uint16_t tx_vector_load(struct tx_vexec *x);

#endif
