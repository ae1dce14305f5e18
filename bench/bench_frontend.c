/* Simple Tensix instructions per second through the whole front end with timing on, one core; and the memory of a tile. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tensix/tile/tile.h"

#define WORDS 2000000u

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct tx_script_op *plain(uint32_t word, uint32_t count) {
  struct tx_script_op *ops = malloc(count * sizeof *ops);
  for (uint32_t i = 0; ops && i < count; i++) ops[i] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = word};
  return ops;
}

/* Best of three: the machine is shared. */
static double rate(struct tx_tile *t, const struct tx_script *script, unsigned threads, uint64_t instructions) {
  double best = 0;
  for (unsigned round = 0; round < 3; round++) {
    tx_tile_reset(t, true);
    for (unsigned i = 0; i < 9; i++) /* a MOP of 127 x 127 for cases that push one */
      for (unsigned thread = 0; thread < TX_THREADS; thread++)
        t->frontend[thread].mop.cfg[i] = i < 2 ? 127 : (uint32_t)TX_SETADC << 24;
    for (unsigned thread = 0; thread < threads; thread++) tx_script_attach(t, thread, script);
    double start = seconds();
    if (tx_tile_run(t, UINT64_C(1) << 40) != SIM_END_DONE) return 0;
    double now = (double)instructions / (seconds() - start);
    if (now > best) best = now;
  }
  return best;
}

static void figure(struct tx_tile *t, const char *name, uint32_t word, unsigned threads) {
  struct tx_script script = {.ops = plain(word, WORDS), .count = WORDS};
  if (!script.ops) return;
  printf("front end, %-28s %u thread%s %8.1f million instructions/s\n", name, threads, threads > 1 ? "s" : " ",
         rate(t, &script, threads, (uint64_t)WORDS * threads) / 1e6);
  free((void *)script.ops);
}

int main(void) {
  struct tx_tile *t = malloc(sizeof *t);
  if (!t) return 1;
  for (unsigned threads = 1; threads <= 3; threads += 2) {
    figure(t, "NOP", (uint32_t)TX_NOP << 24, threads);
    figure(t, "SETADC", (uint32_t)TX_SETADC << 24, threads);
    figure(t, "SETRWC", (uint32_t)TX_SETRWC << 24, threads);
    figure(t, "DMANOP", (uint32_t)TX_DMANOP << 24, threads);
  }
  struct tx_script_op mops[64];
  for (unsigned i = 0; i < 64; i++)
    mops[i] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = (uint32_t)TX_MOP << 24 | 1u << 23};
  struct tx_script script = {.ops = mops, .count = 64};
  printf("front end, %-28s 1 thread  %8.1f million instructions/s\n", "SETADC by MOP 127 x 127",
         rate(t, &script, 1, 64 * UINT64_C(32639)) / 1e6);
  double start = seconds();
  for (unsigned i = 0; i < 100; i++) tx_tile_reset(t, true);
  printf("tile: %zu KiB, reset in %.0f us\n", sizeof *t / 1024, (seconds() - start) * 1e4);
  free(t);
  return 0;
}
