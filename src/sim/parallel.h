/* Independent jobs on several host threads. */
#ifndef TESSERA_SIM_PARALLEL_H
#define TESSERA_SIM_PARALLEL_H

#include <stdint.h>

typedef void sim_job_fn(void *context, unsigned index);

/* Called on the caller's own thread at intervals with the number of finished jobs. done NULL: not called. */
struct sim_watcher {
  void (*done)(void *context, uint64_t done, uint64_t all);
  void *context;
};

/* Runs job 0 to count - 1, each once; returns when all are done. threads 0: one for each processor of the host. The thread and the
 * order of a job are not determined: two jobs must not write the same data. */
void sim_parallel(unsigned threads, unsigned count, sim_job_fn *job, void *context, struct sim_watcher watcher);

#endif
