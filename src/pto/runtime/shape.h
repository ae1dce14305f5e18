/* Types and shapes: a pop must name what was pushed. Hardware copies bytes: another type reads other numbers, another row length shears the
 * tile. Not compared: views, parts of a slot (entry offsets), TMPipe, an explicit lane, and tiles that FIX writes column by column. */
#ifndef TESSERA_PTO_RUNTIME_SHAPE_H
#define TESSERA_PTO_RUNTIME_SHAPE_H

#include "pto/runtime/order.h"

/* A tile is pushed to the slot, or popped from it. */
void pto_shape_push(struct pto_machine *m, unsigned core, const struct pto_item *item, struct pto_slot_use *use);
void pto_shape_pop(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                   const struct pto_slot_use *use);

#endif
