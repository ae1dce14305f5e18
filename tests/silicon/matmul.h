/* matmul_tiles as a kernel calls it, eight calls per wait for pages (tests/kernels/measure.c), timed by the math core:
 * cycles per call as the slope between two lengths, so that the start and the end cancel. */
#ifndef TESSERA_TESTS_SILICON_MATMUL_H
#define TESSERA_TESTS_SILICON_MATMUL_H

#include <stdio.h>
#include <string.h>

#include "../../kernels/host/kernel_host.h"
#include "tensix/num/format.h"

/* Use of the Src banks: both stay with the matrix unit; double buffered; one SETDVALID too many, so that unpacking and math
 * alternate. */
enum matmul_mode { MATMUL_RESIDENT, MATMUL_IN_PHASE, MATMUL_OUT_OF_PHASE };

/* The directory of kernels that the program argv0 was built with. */
static inline void matmul_programs(const char *argv0, char *place, size_t n) {
  char path[480];
  snprintf(path, sizeof path, "%s", argv0);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
  }
  snprintf(place, n, "%s/kernels", path);
}

/* Of `calls` calls, a multiple of 8; fidelity 0 (LoFi), 2, 3, 4. */
static inline uint32_t matmul_cycles(const char *programs, enum matmul_mode mode, unsigned calls, unsigned fidelity,
                                     unsigned throttle) {
  struct launch l = {.launches = 1};
  char why[2048], directory[1024];
  uint32_t heap = 0, cycles = 0;
  for (unsigned cb = 0; cb < 2; cb++)
    l.buffer[cb] = (struct launch_buffer){kernel_alloc(&heap, 16 * 2048), 2048, 16, NUM_BF16};
  l.buffer[16] = (struct launch_buffer){kernel_alloc(&heap, 4096), 2048, 2, NUM_BF16};
  uint32_t args[] = {1, calls, 1, fidelity, throttle, 0, 0, mode};
  memcpy(l.args, args, sizeof args);
  l.args[15] = 8;
  l.args[16] = mode == MATMUL_RESIDENT ? 1 : calls / 8;
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  assert_non_null(tile);
  snprintf(directory, sizeof directory, "%s/measure", programs);
  assert_int_equal(kernel_load(tile, directory), 0);
  if (kernel_launch(tile, &l, 10000000, why, sizeof why) != TESSERA_DONE) fail_msg("measure: %s", why);
  tessera_tile_read(tile, LAUNCH_FIELD(args) + 4 * 24, &cycles, 4);
  tessera_tile_destroy(tile);
  return cycles;
}

static inline double matmul_per_call(const char *programs, enum matmul_mode mode, unsigned fidelity, unsigned throttle) {
  uint32_t longer = matmul_cycles(programs, mode, 512, fidelity, throttle);
  return (longer - matmul_cycles(programs, mode, 256, fidelity, throttle)) / 256.0;
}

#endif
