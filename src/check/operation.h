/* Checker e: compares the operation that is called with the one that runs. */
#ifndef TESSERA_CHECK_OPERATION_H
#define TESSERA_CHECK_OPERATION_H

#include "check/internal.h"

void chk_operation(struct chk *c, unsigned thread, uint32_t word);
/* The same for unpacker 0, which reads a tile. */
void chk_unpack_operation(struct chk *c, unsigned thread);

#endif
