/* How fast a grid matmul runs: 1024 x 1024 x 1024 bf16 LoFi from DRAM on 64 tiles (examples/grid_matmul/large.chip), with timing on and
 * off, on one host thread and on two. One line each: seconds and tile products per second of wall time. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/chip_job.h"

#define PRODUCTS (32.0 * 32.0 * 32.0)
#define LIMIT UINT64_C(100000000)

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The seconds of the run alone; negative: it failed. */
static double run(bool timing, unsigned threads) {
  struct chip_job j = {0};
  const char *why = "";
  double took = -1;
  if (!chip_file_read(&j.d, "examples/grid_matmul/large.chip")) return took;
  struct chip_config config = {.harvest = chip_product_find("full")->harvest, .timing = timing, .threads = threads};
  j.chip = chip_create(&config, &why);
  if (j.chip && chip_job_load(&j) && chip_job_start(&j)) {
    double start = seconds();
    enum chip_end end = chip_run(j.chip, LIMIT);
    took = end == CHIP_END_DONE ? seconds() - start : -1;
  }
  chip_job_free(&j);
  return took;
}

int main(void) {
  for (int timing = 1; timing >= 0; timing--) {
    double one = run(timing, 1), two = run(timing, 2);
    if (one < 0 || two < 0) {
      fprintf(stderr, "bench_chip_matmul: no programs, or the run failed: run make examples\n");
      return 1;
    }
    printf("grid matmul 1024^3 bf16 LoFi, 64 tiles, timing %s: %.2f s on one thread (%.0f tile products/s), %.2f s on two "
           "(%.0f; %.2f times)\n",
           timing ? "on" : "off", one, PRODUCTS / one, two, PRODUCTS / two, one / two);
  }
  return 0;
}
