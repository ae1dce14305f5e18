/* Host threads that run the tiles of a window. The caller is one of them.
 *
 * The endpoints of a window are divided into one part per thread, so that a tile mostly stays in the cache of one core; a
 * thread that has finished its part takes endpoints of the others. A helper polls for the next window for a short while and
 * then sleeps. The caller does not wait for helpers that have not begun: on a busy host it does the work itself. The choice
 * of thread does not affect results: endpoints do not interact inside a window. */
#include "chip/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chip/internal.h"
#include "chip/turn.h"

#define THREADS_MAX 64u
#define POLLS 4000u     /* polls of a helper before it sleeps: some microseconds */
#define INLINE_COUNT 2u /* too few endpoints to wake a worker */

struct part {
  uint32_t next, end;
  uint8_t pad[56]; /* pads to a cache line */
};

struct chip_workers {
  unsigned threads; /* with the caller */
  pthread_t helper[THREADS_MAX];
  struct part part[THREADS_MAX];
  struct chip_endpoint **endpoints;
  sim_time until;
  uint32_t window; /* increases with every window */
  uint32_t open;   /* the window that helpers may join; 0: none */
  uint32_t inside; /* helpers that are working, or about to find the window closed */
  uint32_t asleep;
  uint32_t stop;
  uint32_t started; /* numbers the helpers as they start */
  pthread_mutex_t mutex;
  pthread_cond_t wake;
};

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void do_parts(struct chip_workers *w, unsigned first) {
  for (unsigned k = 0; k < w->threads; k++) {
    struct part *part = &w->part[(first + k) % w->threads];
    for (;;) {
      uint32_t i = __atomic_fetch_add(&part->next, 1, __ATOMIC_RELAXED);
      if (i >= part->end) break;
      chip_run_endpoint(w->endpoints[i], w->until);
    }
  }
}

static uint32_t window_of(const struct chip_workers *w) { return __atomic_load_n(&w->window, __ATOMIC_ACQUIRE); }

/* Waits for a window other than `seen` and returns it. */
static uint32_t wait_for_window(struct chip_workers *w, uint32_t seen) {
  for (unsigned i = 0; i < POLLS; i++) {
    if (window_of(w) != seen) return window_of(w);
    pause_briefly();
  }
  pthread_mutex_lock(&w->mutex);
  w->asleep++;
  while (window_of(w) == seen) pthread_cond_wait(&w->wake, &w->mutex);
  w->asleep--;
  pthread_mutex_unlock(&w->mutex);
  return window_of(w);
}

static void *help(void *workers) {
  struct chip_workers *w = workers;
  unsigned own = __atomic_add_fetch(&w->started, 1, __ATOMIC_RELAXED);
  uint32_t seen = 0;
  while (!__atomic_load_n(&w->stop, __ATOMIC_ACQUIRE)) {
    seen = wait_for_window(w, seen);
    /* Either the caller sees this helper inside, or the helper sees that the window is closed: both accesses are
     * sequentially consistent. */
    __atomic_add_fetch(&w->inside, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&w->open, __ATOMIC_SEQ_CST) == seen) do_parts(w, own);
    __atomic_sub_fetch(&w->inside, 1, __ATOMIC_SEQ_CST);
  }
  return NULL;
}

static void announce(struct chip_workers *w) {
  pthread_mutex_lock(&w->mutex);
  __atomic_add_fetch(&w->window, 1, __ATOMIC_ACQ_REL);
  if (w->asleep) pthread_cond_broadcast(&w->wake);
  pthread_mutex_unlock(&w->mutex);
}

static unsigned online(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 1 ? (unsigned)n : 1;
}

struct chip_workers *chip_workers_create(unsigned threads) {
  if (!threads) threads = online();
  if (threads > THREADS_MAX) threads = THREADS_MAX;
  if (threads < 2) return NULL;
  struct chip_workers *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  pthread_mutex_init(&w->mutex, NULL);
  pthread_cond_init(&w->wake, NULL);
  w->threads = 1;
  while (w->threads < threads && pthread_create(&w->helper[w->threads], NULL, help, w) == 0) w->threads++;
  return w;
}

void chip_workers_destroy(struct chip_workers *w) {
  if (!w) return;
  __atomic_store_n(&w->stop, 1, __ATOMIC_RELEASE);
  announce(w);
  for (unsigned i = 1; i < w->threads; i++) pthread_join(w->helper[i], NULL);
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->mutex);
  free(w);
}

void chip_workers_run(struct chip_workers *w, struct chip_endpoint **endpoints, unsigned count, sim_time until) {
  if (count < INLINE_COUNT || w->threads == 1) {
    for (unsigned i = 0; i < count; i++) chip_run_endpoint(endpoints[i], until);
    return;
  }
  w->endpoints = endpoints;
  w->until = until;
  for (unsigned k = 0; k < w->threads; k++) {
    w->part[k].next = count * k / w->threads;
    w->part[k].end = count * (k + 1) / w->threads;
  }
  __atomic_store_n(&w->open, window_of(w) + 1, __ATOMIC_SEQ_CST);
  announce(w);
  do_parts(w, 0);
  __atomic_store_n(&w->open, 0, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; __atomic_load_n(&w->inside, __ATOMIC_SEQ_CST); i++) {
    if (i < POLLS) pause_briefly();
    else sched_yield(); /* the host has fewer free cores than threads */
  }
}
