/* Explore: runs a program under schedules that hardware may have, and finds the smallest one that breaks it. */
#ifndef TESSERA_PTO_RUNTIME_EXPLORE_H
#define TESSERA_PTO_RUNTIME_EXPLORE_H

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

struct pto_explore_result {
  bool too_long;         /* the last schedule had more than PTO_WORK_MAX: it was stopped, and no other was run */
  bool stopped;          /* by the watcher: the counts are of the schedules so far, and the schedule is not made smaller */
  uint32_t runs, broken; /* schedules run, and how many broke the program */
  uint32_t kinds;        /* bit per enum pto_finding_kind that occurred */
  bool hangs;            /* the block of the finding also ends in a hang */
  uint32_t block;        /* block of the finding */
  uint32_t first_run;    /* number of the first that broke the program */
  struct pto_schedule schedule; /* the smallest schedule that breaks the program */
  struct pto_finding finding;   /* the finding that this schedule causes */
  sim_time cycles;              /* length of the run without delays */
  char schedule_text[2048];
  char text[8192]; /* the finding or the deadlock, as text */
};

/* false: out of memory. */
bool pto_explore(const struct pto_program *program, const struct pto_explore_options *options,
                 struct pto_explore_result *result);
bool pto_program_needs_data(const struct pto_program *program); /* control depends on data */

#endif
