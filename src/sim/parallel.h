/* Jobs that do not depend on each other, on as many host threads as there are. */
#ifndef TESSERA_SIM_PARALLEL_H
#define TESSERA_SIM_PARALLEL_H

#include <stdint.h>

typedef void sim_job_fn(void *context, unsigned index);

/* Called on the caller's own thread, now and then, with how many of all jobs are done. done NULL: not called. */
struct sim_watcher {
  void (*done)(void *context, uint64_t done, uint64_t all);
  void *context;
};

/* Runs job 0 to count - 1, each once; returns when all are done. threads 0: one for each processor of the host. Which thread does a
 * job, and in which order, is not determined: jobs must not share what they write. */
void sim_parallel(unsigned threads, unsigned count, sim_job_fn *job, void *context, struct sim_watcher watcher);

#endif
