/* How fast kernels run: the matmul of examples/matmul on three T cores, bf16, LoFi, K = 1000 tiles, with timing on, operands
 * in the buffers. One line: tile products per second of CPU time. Arguments, for a profiler: checkers (bits of TESSERA_OPTION_CHECK) and
 * number of outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../kernels/host/kernel_host.h"

#define KT 1000u
#define BF16 5u

/* CPU time of this process, independent of other load. */
static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fail(const char *why) {
  fprintf(stderr, "bench_kernels: %s\n", why);
  return 1;
}

static void fill(struct tessera_tile *tile, uint32_t address, uint32_t bytes) {
  uint16_t page[1024];
  for (unsigned i = 0; i < 1024; i++) page[i] = (uint16_t)(0x3f00u + (i * 37u) % 256u);
  for (uint32_t at = 0; at < bytes; at += sizeof page) tessera_tile_write(tile, address + at, page, sizeof page);
}

int main(int argc, char **argv) {
  char place[960], directory[1024], why[1024];
  uint32_t check = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0;
  snprintf(place, sizeof place, "%s", argv[0]);
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(place, '/');
    if (slash) *slash = '\0';
  }
  snprintf(directory, sizeof directory, "%s/kernels/fast_matmul", place);
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  if (tile == NULL || kernel_load(tile, directory) != 0) return fail("no programs: run make kernels");
  struct launch l;
  memset(&l, 0, sizeof l);
  uint32_t heap = 0;
  for (unsigned cb = 0; cb < 2; cb++) {
    l.buffer[cb] = (struct launch_buffer){kernel_alloc(&heap, 16 * 2048), 2048, 16, BF16};
    fill(tile, l.buffer[cb].address, 16 * 2048);
  }
  l.buffer[16] = (struct launch_buffer){kernel_alloc(&heap, 4096), 2048, 2, BF16};
  uint32_t outputs = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 50;
  if (tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, check) != TESSERA_OK) return fail("no such checker");
  l.args[0] = outputs, l.args[1] = KT, l.args[2] = 1;
  l.args[15] = 8, l.args[16] = outputs * KT / 8, l.args[17] = outputs;
  l.launches = 1;
  double start = seconds();
  if (kernel_launch(tile, &l, UINT64_C(1) << 40, why, sizeof why) != TESSERA_DONE) return fail(why);
  double took = seconds() - start;
  printf("kernels: bf16 LoFi matmul, three TRISCs, K = %u: %.0f tile products/s, %.2f million cycles/s (%llu cycles)\n", KT,
         outputs * KT / took, (double)tessera_tile_cycle(tile) / took / 1e6, (unsigned long long)tessera_tile_cycle(tile));
  tessera_tile_destroy(tile);
  return 0;
}
