/* A grid: the same launch on many blocks (one Cube and two Vectors each). The blocks share the tensors in global memory and its
 * bandwidth; each has its own flags and its own rings, unless the program puts a ring into a tensor. */
#ifndef TESSERA_PTO_RUNTIME_GRID_H
#define TESSERA_PTO_RUNTIME_GRID_H

#include "pto/runtime/machine.h"

struct pto_grid {
  uint32_t count;
  struct pto_machine **blocks;
  enum pto_end_kind *ends;
  struct pto_gm_link link;
  uint8_t *gm;
  struct pto_races *races;
  volatile int stop; /* the caller requested the end of the run */
  bool bounded;      /* a block with more than PTO_WORK_MAX ends as at the limit */
};

/* One program for each block, or one program for all if program_count is 1 and `count` is larger. Programs must be finished,
 * declare the same tensors and outlive the grid. NULL: out of memory, or the programs are incompatible. */
struct pto_grid *pto_grid_new(const struct pto_program *const *programs, uint32_t program_count, uint32_t count,
                              bool with_data);
/* Do both declare the same tensors? */
bool pto_same_tensors(const struct pto_program *a, const struct pto_program *b);
void pto_grid_free(struct pto_grid *grid);
void pto_grid_set_policy(struct pto_grid *grid, int policy);
/* Reports a ring of this block that lies on the bytes of a ring of an earlier block. */
void pto_grid_rings(const struct pto_grid *grid, uint32_t block);
/* Runs all blocks in the order of time. The worst end of any block: a fault, a deadlock, a hazard, the limit. */
enum pto_end_kind pto_grid_run(struct pto_grid *grid, sim_time limit);
sim_time pto_grid_cycles(const struct pto_grid *grid);
/* Share of the run in which global memory's bandwidth was in use, in per mille. */
uint32_t pto_grid_gm_use(const struct pto_grid *grid);

#endif
