/* The cost of a poll of the host through the libttsim ABI, as UMD polls: three words of a window's configuration, one word of L1, one clock
 * call. The chip is idle, so the cost is that of the calls. CPU time, best of several loops. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../src/host/abi/debug.c"
#include "../src/host/abi/ttsim.c"

#define LOOPS 7u
#define CALLS 100000u
#define BAR0 0x100000000ull
#define WINDOW_0 (BAR0 + 0x1fc00000u)

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* the machine is shared */
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Tile (1,2) at the 2 MiB from `address` on. */
static void point_window(uint64_t address) {
  uint64_t low = address >> 21 | 1ull << 43 | 2ull << 49;
  uint32_t words[3] = {(uint32_t)low, (uint32_t)(low >> 32), 0};
  for (unsigned i = 0; i < 3; i++) libttsim_pci_mem_wr_bytes(WINDOW_0 + 4 * i, &words[i], 4);
}

static void configure(void) { libttsim_pci_mem_wr_bytes(WINDOW_0, &(uint32_t){0}, 4); }

static void read_l1(void) {
  uint32_t value;
  libttsim_pci_mem_rd_bytes(BAR0 + 0x10000, &value, 4);
}

static void tick(void) { libttsim_clock(1); }

static void poll(void) {
  point_window(0);
  read_l1();
  tick();
}

static double measure(void (*call)(void)) {
  double best = 1;
  for (unsigned loop = 0; loop < LOOPS; loop++) {
    double begin = seconds();
    for (unsigned i = 0; i < CALLS; i++) call();
    double took = (seconds() - begin) / CALLS;
    if (took < best) best = took;
  }
  return best * 1e9;
}

int main(void) {
  setenv("TESSERA_THREADS", "1", 1);
  libttsim_init();
  if (!devices) return 1;
  point_window(0);
  libttsim_pci_mem_wr_bytes(BAR0 + 0x10000, &(uint32_t){7}, 4); /* creates the tile */
  for (unsigned i = 0; i < 100; i++) poll();
  point_window(0);
  printf("host: a word of a window's configuration %.0f ns\n", measure(configure));
  printf("host: a word of L1 %.0f ns\n", measure(read_l1));
  printf("host: a clock call %.0f ns\n", measure(tick));
  double five = measure(poll);
  printf("host: the five calls of a poll %.0f ns, %.0f ns a call\n", five, five / 5);
  libttsim_exit();
  return 0;
}
