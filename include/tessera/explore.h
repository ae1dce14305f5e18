/* Tessera, Tensix tile: runs a program under other schedules that hardware may have.
 *
 * Every schedule delays cores, threads, units and the NoC at some cycles, and keeps every order that hardware guarantees. A
 * correctly synchronised program ends with the same L1 under all of them. */
#ifndef TESSERA_EXPLORE_H
#define TESSERA_EXPLORE_H

#include "tessera/debug.h"
#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_EXPLORE_DELAYS 64u

struct tessera_delay {
  uint64_t cycle;  /* when it begins */
  uint32_t cycles; /* how long */
  uint32_t target; /* tessera_delay_target(); */
  char place[160]; /* position of the held core, or of the core of the held thread; "" */
};
const char *tessera_delay_target(uint32_t target); /* "TRISC0", "thread 1 (math)", "the packer"; "" after the last */

struct tessera_explore_options {
  uint32_t schedules; /* 0: 300 */
  uint32_t threads;   /* host threads; 0: one for each processor. The result does not depend on it */
  uint64_t seed;
  uint64_t max_cycles;               /* of the run without delays; 0: 10^9 */
  const struct tessera_word *ignore; /* ranges of L1 that may differ: address, and the length in `value` */
  size_t ignore_count;
  tessera_progress_fn *progress; /* NULL: none */
  void *progress_context;
};

enum tessera_difference {
  TESSERA_SAME,             /* no schedule changed the result */
  TESSERA_DIFFERENT_OUTPUT, /* a word of L1 differs at the end */
  TESSERA_DIFFERENT_END,    /* one run ended, the other hung */
  TESSERA_DIFFERENT_FAULT,
  TESSERA_DIFFERENT_FINDING /* an error finding that the run without delays does not have */
};
const char *tessera_difference_name(enum tessera_difference difference); /* "output" */

struct tessera_exploration {
  uint64_t cycles;                    /* of the run without delays */
  uint32_t runs, broken;              /* number of schedules, and of those that changed the result */
  enum tessera_difference difference; /* found by the smallest schedule */
  uint32_t address, expected, found;  /* TESSERA_DIFFERENT_OUTPUT: the first word */
  const char *finding;                /* TESSERA_DIFFERENT_FINDING: its name; else "" */
  char what[256];                     /* the difference in a sentence */
  uint32_t delay_count;
  struct tessera_delay delay[TESSERA_EXPLORE_DELAYS];
};

/* The tile must be loaded and started with timing on; the call does not change it. */
enum tessera_result tessera_tile_explore(struct tessera_tile *tile, const struct tessera_explore_options *options,
                                         struct tessera_exploration *found);
/* The same; ends soon after *stop has become other than 0, with TESSERA_STOPPED. A signal handler or another thread may set it.
 * `found` then has the schedules that were run until then (runs 0: the run without delays has not ended), and the first that
 * changed the result is not made smaller. stop NULL: as tessera_tile_explore. */
enum tessera_result tessera_tile_explore_until(struct tessera_tile *tile, const struct tessera_explore_options *options,
                                               const volatile int *stop, struct tessera_exploration *found);

#ifdef __cplusplus
}
#endif
#endif
