/* The scalar unit of a core. */
#ifndef TESSERA_PTO_RUNTIME_SCALAR_H
#define TESSERA_PTO_RUNTIME_SCALAR_H

#include "pto/runtime/state.h"

void pto_scalar_turn(struct pto_machine *m, unsigned core);

#endif
