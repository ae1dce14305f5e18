/* Addresses of the slots of pipes, pipes that overlap, and mismatches between the two ends of a pipe. */
#ifndef TESSERA_PTO_PROGRAM_REGIONS_H
#define TESSERA_PTO_PROGRAM_REGIONS_H

#include "pto/program/program.h"

/* A range of a memory that a pipe's slots occupy. */
struct pto_region {
  uint8_t core, loc; /* PTO_GM: for all cores */
  uint64_t begin, end;
};
bool pto_own_region(const struct pto_program *program, unsigned pipe, unsigned core, struct pto_region *region);
/* Two pipes that are in use at the same time with overlapping slots; `common`: the first such bytes. */
bool pto_pipes_meet(const struct pto_program *program, unsigned a, unsigned b, struct pto_region *common);
/* Differences between a Vector's end of a pipe and the Cube's; hardware does not compare them. */
enum pto_mismatch {
  PTO_ENDS_AGREE,
  PTO_ENDS_DIR,
  PTO_ENDS_FIFO,
  PTO_ENDS_SLOT_NUM,
  PTO_ENDS_SLOT_SIZE,
  PTO_ENDS_PERIOD,
  PTO_ENDS_RATIO,
  PTO_ENDS_ADDRESS, /* the address of the slots that one end writes and the other reads */
};
enum pto_mismatch pto_ends_differ(const struct pto_program *program, unsigned pipe, unsigned vector, uint64_t *cube_at,
                                  uint64_t *vector_at);
const char *pto_mismatch_name(unsigned mismatch);

#endif
