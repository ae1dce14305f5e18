/* Final tensors under several schedules, with data and all blocks at once: they must not depend on the schedule. Not compared are tensors
 * of floats to which the program adds atomically, since the order of rounded sums is free. */
#ifndef TESSERA_PTO_RUNTIME_RESULTS_H
#define TESSERA_PTO_RUNTIME_RESULTS_H

#include "pto/runtime/explore_schedules.h"

struct pto_results {
  uint32_t compared; /* schedules whose tensors are those of the schedule without delays */
  bool differ;       /* the next one gives another tensor: */
  struct pto_schedule schedule;
  uint32_t number;
  int global;
};

/* Compares as many of the `schedules` as fit into a fixed amount of work, at least two. false: out of memory. */
bool pto_results_compare(const struct pto_program *program, const struct pto_explore_options *options, uint32_t schedules,
                         struct pto_results *results);

#endif
