/* Duration of operations, and queueing of tile operations on their pipes. */
#ifndef TESSERA_PTO_RUNTIME_COST_H
#define TESSERA_PTO_RUNTIME_COST_H

#include "pto/runtime/state.h"

uint32_t pto_cost(const struct pto_machine *m, const struct pto_instr *i, const struct pto_item *item);
/* Bytes that an operation moves from or to global memory, unless the program gives its cost. */
uint32_t pto_gm_bytes(const struct pto_instr *i, const struct pto_item *item);
unsigned pto_unit_of(const struct pto_machine *m, unsigned core,
                     const struct pto_instr *i); /* the pipe that executes a tile operation */
bool pto_do_tile_op(struct pto_machine *m, unsigned core, const struct pto_instr *i);

#endif
