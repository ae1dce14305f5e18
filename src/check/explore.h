/* Explore: runs a tile's program under schedules that hardware may have, and finds the smallest one that breaks it. */
#ifndef TESSERA_CHECK_EXPLORE_H
#define TESSERA_CHECK_EXPLORE_H

#include "check/schedule.h"
#include "sim/parallel.h"

#define CHK_EXPLORE_IGNORED 8u

struct chk_explore_options {
  uint32_t schedules; /* 0: 300 */
  uint32_t threads;   /* host threads; 0: one for each processor */
  uint64_t seed;
  sim_time limit;             /* cycles of the run without delays; 0: 10^9 */
  struct sim_watcher watcher; /* its stop also ends a run within PART_CYCLES */
  uint32_t ignored;           /* ranges of L1 that may differ */
  struct {
    uint32_t address, length;
  } ignore[CHK_EXPLORE_IGNORED];
};

/* The compared part of a run's result. */
enum chk_explore_kind { CHK_SAME, CHK_OUTPUT, CHK_END, CHK_FAULT, CHK_FINDING };

struct chk_explore_result {
  bool stopped;          /* by the watcher: the counts are of the schedules so far, and the schedule is not made smaller */
  sim_time cycles;       /* of the run without delays */
  uint32_t runs, broken; /* schedules run, and how many of them broke the program */
  uint32_t first;        /* number of the first schedule that did */
  enum chk_explore_kind kind;
  /* end of the run without delays, and under the smallest schedule that breaks the program */
  enum sim_end base_end, end;
  uint32_t address, expected, found; /* CHK_OUTPUT: the first word that differs */
  uint32_t finding;                  /* CHK_FINDING: enum tx_diag_id */
  uint32_t count;
  struct chk_delay delay[CHK_DELAYS]; /* the smallest schedule */
  uint32_t pc[CHK_DELAYS];            /* pc of the held core, or of the core of the held thread */
};

/* `base` must be loaded, started and not yet run; it is not changed. false: out of memory. */
bool chk_explore(const struct tx_tile *base, const struct chk_explore_options *options, struct chk_explore_result *result);

#endif
