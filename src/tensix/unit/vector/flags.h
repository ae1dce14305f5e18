/* Lane flags of the vector unit. */
#ifndef TESSERA_TENSIX_VECTOR_FLAGS_H
#define TESSERA_TENSIX_VECTOR_FLAGS_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_setcc, tx_run_encc, tx_run_compc, tx_run_pushc, tx_run_popc, tx_run_compare;
void tx_vector_set_flags(struct tx_vexec *x, uint32_t lanes, uint32_t flags);

#endif
