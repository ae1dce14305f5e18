/* A block of 16 rows and columns of a Src bank, turned: TRNSPSRCB and transposing UNPACRs. */
#ifndef TESSERA_NUM_TURN_H
#define TESSERA_NUM_TURN_H

#include <stdint.h>

/* `out` and `in` do not overlap. */
void num_turn_block(uint32_t (*out)[16], const uint32_t (*in)[16]);

#endif
