/* The pipes: each processes its queue in order. */
#ifndef TESSERA_PTO_RUNTIME_QUEUE_H
#define TESSERA_PTO_RUNTIME_QUEUE_H

#include "pto/runtime/state.h"

struct pto_item *pto_queue_add(struct pto_machine *m, unsigned core, unsigned unit, unsigned kind, uint32_t instr);
/* Adds the work of a pipe that has not ended to the statistics, up to now: the run ends here. */
void pto_count_work(struct pto_machine *m, unsigned core, unsigned unit);
void pto_pipe_turn(struct pto_machine *m, unsigned core, unsigned unit);
bool pto_deps_ready(const struct pto_machine *m, unsigned core, const uint32_t *need, unsigned *missing);

#endif
