/* Data of operations. */
#ifndef TESSERA_PTO_RUNTIME_DATA_H
#define TESSERA_PTO_RUNTIME_DATA_H

#include "pto/runtime/state.h"

void pto_do_work(struct pto_machine *m, unsigned core, const struct pto_item *item);

#endif
