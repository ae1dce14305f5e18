/* Where the slots of pipes lie, which pipes lie on each other, and what the two ends of a pipe disagree about. */
#ifndef TESSERA_PTO_PROGRAM_REGIONS_H
#define TESSERA_PTO_PROGRAM_REGIONS_H

#include "pto/program/program.h"

/* Bytes of a memory that a pipe's slots take. */
struct pto_region {
  uint8_t core, loc; /* PTO_GM: of all cores */
  uint64_t begin, end;
};
bool pto_own_region(const struct pto_program *program, unsigned pipe, unsigned core, struct pto_region *region);
/* Two pipes in use at the same time with slots on the same bytes; `common`: the first such bytes. */
bool pto_pipes_meet(const struct pto_program *program, unsigned a, unsigned b, struct pto_region *common);
/* In what a Vector's end of a pipe differs from the Cube's; nothing in hardware compares them. */
enum pto_mismatch {
  PTO_ENDS_AGREE,
  PTO_ENDS_DIR,
  PTO_ENDS_FIFO,
  PTO_ENDS_SLOT_NUM,
  PTO_ENDS_SLOT_SIZE,
  PTO_ENDS_PERIOD,
  PTO_ENDS_RATIO,
  PTO_ENDS_ADDRESS, /* of the slots that one writes and the other reads */
};
enum pto_mismatch pto_ends_differ(const struct pto_program *program, unsigned pipe, unsigned vector, uint64_t *cube_at,
                                  uint64_t *vector_at);
const char *pto_mismatch_name(unsigned mismatch);

#endif
