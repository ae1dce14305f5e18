/* Explore: runs a program under schedules that hardware may have, and finds the smallest one that breaks it. */
#ifndef TESSERA_PTO_RUNTIME_EXPLORE_H
#define TESSERA_PTO_RUNTIME_EXPLORE_H

#include "pto/runtime/explore_schedules.h"

struct pto_explore_result {
  bool too_long;         /* the last schedule had more than PTO_WORK_MAX: it was stopped, and no other was run */
  bool stopped;          /* by the watcher: the counts are of the schedules so far, and the schedule is not made smaller */
  uint32_t runs, broken; /* schedules run, and how many broke the program */
  uint32_t kinds;        /* bit per enum pto_finding_kind that occurred */
  bool hangs;            /* the block of the finding also ends in a hang */
  bool faults;           /* the block of the finding also ends in a fault */
  uint32_t block;        /* block of the finding */
  uint32_t compared;     /* schedules whose final tensors were compared with those of the first */
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

#endif
