/* See parallel.h. */
#include "sim/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#define THREADS_MAX 64u

struct pool {
  sim_job_fn *job;
  void *context;
  unsigned count;
  struct sim_watcher watcher;
  atomic_uint next, done;
};

static bool work_once(struct pool *p) {
  unsigned index = atomic_fetch_add(&p->next, 1);
  if (index >= p->count || sim_watcher_stops(&p->watcher)) return false;
  p->job(p->context, index);
  atomic_fetch_add(&p->done, 1);
  return true;
}

static void *work(void *argument) {
  while (work_once(argument)) {}
  return NULL;
}

void sim_parallel(unsigned threads, unsigned count, sim_job_fn *job, void *context, struct sim_watcher watcher) {
  struct pool p = {.job = job, .context = context, .count = count, .watcher = watcher};
  pthread_t started[THREADS_MAX];
  unsigned running = 0;
  atomic_init(&p.next, 0);
  atomic_init(&p.done, 0);
  if (!threads) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = processors > 0 ? (unsigned)processors : 1;
  }
  if (threads > count) threads = count;
  while (running + 1 < threads && running < THREADS_MAX && pthread_create(&started[running], NULL, work, &p) == 0) running++;
  while (work_once(&p)) /* this thread takes part too, and does all jobs if no other could be started */
    if (watcher.done) watcher.done(watcher.context, atomic_load(&p.done), count);
  while (running) pthread_join(started[--running], NULL);
}
