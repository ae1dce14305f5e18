/* Checker e: compares the operation that is called with the one that runs. */
#ifndef TESSERA_CHECK_OPERATION_H
#define TESSERA_CHECK_OPERATION_H

#include "check/internal.h"

void chk_operation(struct chk *c, unsigned thread, uint32_t word);
#define CHK_COMMITS (1u << 1) /* semaphore.MATH_PACK */
/* Moves out of Dst (MOVD2B), a commit (SEMPOST of the math core), the end of the run. */
void chk_reduction_moves(struct chk *c);
void chk_reduction_commits(struct chk *c, unsigned thread);
void chk_reduction_finish(struct chk *c);
/* The same for unpacker 0, which reads a tile. */
void chk_unpack_operation(struct chk *c, unsigned thread);

#endif
