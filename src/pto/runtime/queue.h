/* The pipes: each processes its queue in order. */
#ifndef TESSERA_PTO_RUNTIME_QUEUE_H
#define TESSERA_PTO_RUNTIME_QUEUE_H

#include "pto/runtime/state.h"

struct pto_item *pto_queue_add(struct pto_machine *m, unsigned core, unsigned unit, unsigned kind, uint32_t instr);
void pto_pipe_turn(struct pto_machine *m, unsigned core, unsigned unit);
bool pto_deps_ready(const struct pto_machine *m, unsigned core, const uint32_t *need, unsigned *missing);

#endif
