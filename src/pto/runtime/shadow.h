/* The shadow of the rings: reports accesses that the flags do not prevent. */
#ifndef TESSERA_PTO_RUNTIME_SHADOW_H
#define TESSERA_PTO_RUNTIME_SHADOW_H

#include "pto/runtime/state.h"

void pto_shadow(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item, unsigned marks);
void pto_shadow_uses(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);

#endif
