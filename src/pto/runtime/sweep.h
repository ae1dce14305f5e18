/* Sweep: depth and period of a program's rings against time, memory and safety. */
#ifndef TESSERA_PTO_RUNTIME_SWEEP_H
#define TESSERA_PTO_RUNTIME_SWEEP_H

#include "pto/program/check.h"
#include "sim/parallel.h"

#define PTO_SWEEP_BLOCKS_MAX 16u

struct pto_sweep_options {
  uint32_t depth_min, depth_max; /* 0: the defaults, 1 and 16 */
  bool keep_depth;               /* use the program's own depth and period: only variants and blocks differ */
  uint32_t period;               /* the only period to run; 0: 1, half the depth and the depth */
  uint32_t schedules;            /* schedules to run for each verdict; 0: the default, 40 */
  int policy;                    /* policy of all pipes; -1: that of the program */
  uint32_t blocks[PTO_SWEEP_BLOCKS_MAX], block_count; /* block_count 0: the blocks of the program */
  unsigned threads;                                   /* host threads; 0: all */
  struct sim_watcher watcher;
};

struct pto_sweep_row {
  uint32_t variant; /* number of the program */
  uint32_t depth, period, blocks;
  bool done;      /* the watcher may stop a sweep before all are */
  bool fits;      /* into the memories and into the 16 flags */
  uint32_t kinds; /* findings, bit per enum pto_finding_kind; 0: safe */
  uint64_t cycles, tiles;
  uint64_t gm_bytes, ub_bytes, l1_bytes;
};

#define PTO_SWEEP_ROWS_MAX 4096u

struct pto_sweep {
  uint32_t count;
  uint32_t first_safe; /* smallest depth that is safe and within 2 % of the fastest; 0: none */
  struct pto_sweep_row rows[PTO_SWEEP_ROWS_MAX];
};

/* Is the program rejected even at the smallest depth? Then no row can run. */
bool pto_sweep_refused(const struct pto_program *program, const struct pto_sweep_options *options, struct pto_note *why,
                       bool *refused);
/* Every depth and period of every variant of a program on every number of blocks, on all threads of the host; order and
 * figures of the rows do not depend on the number of threads. Of one that the watcher has stopped only the rows that are done remain. */
bool pto_sweep_all(const struct pto_program *const *variants, uint32_t variant_count,
                   const struct pto_sweep_options *options, struct pto_sweep *sweep);
bool pto_sweep(const struct pto_program *program, const struct pto_sweep_options *options, struct pto_sweep *sweep);
uint32_t pto_sweep_first_safe(const struct pto_sweep *sweep); /* see first_safe in struct pto_sweep */
double pto_sweep_time(const struct pto_sweep_row *row);       /* cycles per tile */
/* Time per tile over depth, one line for each period rule, unsafe points hollow. Returns the full length. */
size_t pto_sweep_svg(const struct pto_sweep *sweep, const char *title, char *text, size_t size);

#endif
