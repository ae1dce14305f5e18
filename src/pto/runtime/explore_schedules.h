/* The schedules of explore, and the blocks that it runs. */
#ifndef TESSERA_PTO_RUNTIME_EXPLORE_SCHEDULES_H
#define TESSERA_PTO_RUNTIME_EXPLORE_SCHEDULES_H

#include "pto/runtime/machine.h"
#include "sim/parallel.h"

/* A dispatch passes only flags to the next one, and leftover flags are a finding: more dispatches would repeat it. */
#define PTO_EXPLORE_DISPATCHES 4u

/* No delays, each core slow, both Vectors slow in two ways, each pipe slow; after these, random delays. */
#define PTO_EXPLORE_FIXED (PTO_CORES + 3u + PTO_AGENTS)

/* Of a launch on more blocks the first 63 and the last one are run. */
#define PTO_EXPLORE_BLOCKS 64u

/* Called after the run of a block under a schedule. */
typedef void pto_explore_run_fn(void *context, const struct pto_machine *m, enum pto_end_kind end);

struct pto_explore_options {
  uint32_t schedules; /* how many; 0: 1000 */
  uint32_t seed;
  int policy;      /* -1: the program's */
  bool keep_going; /* do not stop at the first schedule that breaks: collect all kinds */
  sim_time limit;  /* cycles per run; 0: 10^9 */
  /* One program for each block, or one for all; NULL: the program given, on its own number of blocks. */
  const struct pto_program *const *programs;
  uint32_t program_count, blocks;
  pto_explore_run_fn *done; /* NULL: none */
  void *context;
  struct sim_watcher watcher; /* its stop also ends a run within PART_CYCLES */
};

/* The n-th schedule; and a grid of the blocks that are run. NULL: out of memory. */
struct pto_schedule pto_explore_schedule(uint32_t n, uint32_t seed);
struct pto_grid *pto_explore_blocks(const struct pto_program *program, const struct pto_explore_options *options,
                                    bool with_data);
bool pto_program_needs_data(const struct pto_program *program); /* control depends on data */

#endif
