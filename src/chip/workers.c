/* Host threads that run the tiles of a window. */
#include <pthread.h>
#include <stdlib.h>

#include "chip/internal.h"

struct chip_workers {
  unsigned threads;
};

struct chip_workers *chip_workers_create(unsigned threads) {
  struct chip_workers *w = calloc(1, sizeof *w);
  if (w) w->threads = threads;
  return w;
}

void chip_workers_destroy(struct chip_workers *workers) { free(workers); }

void chip_workers_run(struct chip_workers *workers, struct chip_endpoint **endpoints, unsigned count, sim_time until) {
  (void)workers;
  for (unsigned i = 0; i < count; i++) chip_run_endpoint(endpoints[i], until);
}
