/* How fast a grid matmul runs: 1024 x 1024 x 1024 bf16 LoFi from DRAM on 64 tiles (examples/grid_matmul/large.chip), with timing on and
 * off, on one host thread and on two. One line each: seconds and tile products per second of wall time, and per second of processor time,
 * which depends less on the load of the host. Each figure is the lowest of some rounds in turn: the host's clock changes from second to second. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/chip_job.h"

#define PRODUCTS (32.0 * 32.0 * 32.0)
#define LIMIT UINT64_C(100000000)
#define ROUNDS 4

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Times of the run only; negative wall time: it failed. */
struct took {
  double wall, cpu;
};

static struct took run(bool timing, unsigned threads) {
  struct chip_job j = {0};
  struct took took = {-1, 0};
  if (!chip_file_read(&j.d, "examples/grid_matmul/large.chip")) return took;
  struct tessera_chip_options options = {.timing = timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF, .threads = threads};
  j.chip = tessera_chip_create(&options);
  if (j.chip && chip_job_load(&j) && chip_job_start(&j, 0)) {
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (tessera_chip_run(j.chip, LIMIT) == TESSERA_DONE)
      took = (struct took){seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu};
  }
  chip_job_free(&j);
  return took;
}

static void keep_lower(struct took *best, struct took other) {
  if (best->wall < 0 || other.wall < best->wall) best->wall = other.wall;
  if (best->cpu <= 0 || other.cpu < best->cpu) best->cpu = other.cpu;
}

int main(void) {
  for (int timing = 1; timing >= 0; timing--) {
    struct took one = {-1, 0}, two = {-1, 0};
    for (unsigned round = 0; round < ROUNDS; round++) {
      struct took a = run(timing, 1), b = run(timing, 2);
      if (a.wall < 0 || b.wall < 0) {
        fprintf(stderr, "bench_chip_matmul: no programs, or the run failed: run make examples\n");
        return 1;
      }
      keep_lower(&one, a);
      keep_lower(&two, b);
    }
    printf(
        "grid matmul 1024^3 bf16 LoFi, 64 tiles, timing %s: %.2f s on one thread (%.0f tile products/s; %.0f per processor "
        "second), %.2f s on two (%.0f; %.0f per processor second; %.2f times)\n",
        timing ? "on" : "off", one.wall, PRODUCTS / one.wall, PRODUCTS / one.cpu, two.wall, PRODUCTS / two.wall,
        PRODUCTS / two.cpu, one.wall / two.wall);
  }
  return 0;
}
