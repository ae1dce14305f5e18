/* A run once more with one change of the machine or the program: the cycles that the change would give. */
#ifndef TESSERA_PTO_RUNTIME_WHAT_IF_H
#define TESSERA_PTO_RUNTIME_WHAT_IF_H

#include "pto/runtime/grid.h"

struct pto_change {
  struct pto_what_if machine;
  int policy;         /* of all pipes; -1: as it was */
  int double_slots;   /* this pipe has twice the slots; -1: none */
  bool all_bandwidth; /* global memory serves all blocks at once */
};

/* No change. */
static inline struct pto_change pto_change_none(void) { return (struct pto_change){.policy = -1, .double_slots = -1}; }

/* Cycles of the same launch with the change; 0: it does not apply (the rings do not fit, the run hangs or does not end before `limit`, or its
 * control depends on data, which the rerun does not have), or out of memory. */
sim_time pto_what_if_cycles(const struct pto_grid *grid, const struct pto_change *change, sim_time limit);

#endif
