/* The number of pushes, pops, allocations and frees of each core, from a walk through the program without waits. */
#ifndef TESSERA_PTO_PROGRAM_COUNT_H
#define TESSERA_PTO_PROGRAM_COUNT_H

#include "pto/program/program.h"

struct pto_counts {
  uint64_t push[PTO_PIPES_MAX][PTO_CORES], pop[PTO_PIPES_MAX][PTO_CORES], freed[PTO_PIPES_MAX][PTO_CORES];
  bool exact; /* false: control flow depends on data, or the walk was too long */
};
void pto_count(const struct pto_program *program, struct pto_counts *counts);

#endif
