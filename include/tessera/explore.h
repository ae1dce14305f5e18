/* Tessera, Tensix tile and chip: runs a program under other schedules that hardware may have.
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
  char what[256];                     /* the difference in a sentence; of programs whose every run hangs, that */
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

/* --- a chip --- */

struct tessera_chip;

#define TESSERA_ALL_TILES 255u /* x and y of a delay that applies to every tile */

/* Delays of packets: those of a kind that leave the tile within `cycles` from `cycle` on arrive `cycles` later, and the link into a tile
 * is busy for that time. Packets of one static or linked virtual channel stay in order; others may overtake each other. */
struct tessera_chip_delay {
  uint64_t cycle;
  uint32_t cycles;
  uint32_t target; /* tessera_chip_delay_target() */
  uint32_t x, y;   /* of the tile, as in tessera/chip.h; TESSERA_ALL_TILES */
  char place[160]; /* position of the held core, or of the core of the held thread; "" */
};
/* "BRISC", "all cores", "writes on NoC 0"; returns the length, as snprintf does. "" after the last. */
size_t tessera_chip_delay_target(uint32_t target, char *text, size_t size);

struct tessera_chip_range {
  uint32_t x, y; /* of a tile, or of any port of a DRAM controller */
  uint64_t address, length;
};

struct tessera_chip_explore_options {
  uint32_t schedules; /* 0: 300 */
  uint32_t threads;   /* host threads; 0: one for each processor. The result does not depend on it */
  uint64_t seed;
  uint64_t max_cycles;                     /* of the run without delays; 0: 10^9 */
  const struct tessera_chip_range *output; /* compared first: the memory in which the results are */
  size_t output_count;
  int output_only;                         /* 1: other memory is not compared */
  const struct tessera_chip_range *ignore; /* may differ */
  size_t ignore_count;
  /* (word & mask) == value at this place ends the run, compared every `until_every` cycles; 0: the run ends by itself. */
  uint32_t until_x, until_y, until_mask, until_value;
  uint64_t until_address, until_every;
  tessera_progress_fn *progress; /* NULL: none */
  void *progress_context;
};

struct tessera_chip_exploration {
  uint64_t cycles;       /* of the run without delays */
  uint64_t hash;         /* of L1 and DRAM after it */
  uint32_t runs, broken; /* number of schedules, and of those that changed the result */
  enum tessera_difference difference;
  uint32_t x, y; /* TESSERA_DIFFERENT_OUTPUT: the tile of the first word; TESSERA_DIFFERENT_FINDING: of the finding */
  uint64_t address;
  uint32_t expected, found;
  int in_output;                        /* 1: the word is in one of the ranges `output` */
  char expected_by[320], found_by[320]; /* its last writer in the run without delays and under the smallest schedule; "" */
  const char *finding;
  char what[256];
  uint32_t delay_count;
  struct tessera_chip_delay delay[TESSERA_EXPLORE_DELAYS];
};

/* The chip must be loaded and started with timing on, and not yet run; the call does not change it. Compares how the run ends, its error
 * findings, L1 of all tiles and DRAM. `stop` as in tessera_tile_explore_until; NULL: none. */
enum tessera_result tessera_chip_explore(struct tessera_chip *chip, const struct tessera_chip_explore_options *options,
                                         const volatile int *stop, struct tessera_chip_exploration *found);
/* Runs the chip itself under the schedule that was found, up to `cycles` cycles, with the tiles' checkers: afterwards its reports, hang
 * and findings are those of that schedule. */
enum tessera_result tessera_chip_run_explored(struct tessera_chip *chip, const struct tessera_chip_exploration *found,
                                              uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif
