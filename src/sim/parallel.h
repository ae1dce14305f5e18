/* Independent jobs on several host threads. */
#ifndef TESSERA_SIM_PARALLEL_H
#define TESSERA_SIM_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void sim_job_fn(void *context, unsigned index);

/* `done` is called on the caller's own thread at intervals with the number of finished jobs; NULL: not called. No job begins after
 * *stop has become other than 0; a signal handler or another thread may set it. NULL: all jobs run. */
struct sim_watcher {
  void (*done)(void *context, uint64_t done, uint64_t all);
  void *context;
  const volatile int *stop;
};

static inline bool sim_watcher_stops(const struct sim_watcher *watcher) {
  return watcher->stop && __atomic_load_n(watcher->stop, __ATOMIC_RELAXED) != 0;
}

/* Runs job 0 to count - 1, each once; returns when all are done or the watcher stops them. threads 0: one for each processor of the host. The thread and the
 * order of a job are not determined: two jobs must not write the same data. */
void sim_parallel(unsigned threads, unsigned count, sim_job_fn *job, void *context, struct sim_watcher watcher);

#endif
