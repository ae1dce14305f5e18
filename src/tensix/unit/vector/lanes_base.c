/* The lanes' arithmetic for the compiler's default target: vectors of 16 bytes (SSE2, NEON). */
#define NUM_VEC_BYTES 16
#define LANES_TABLE tx_lanes_base
#define LANES_NAME "base"
#include "tensix/unit/vector/lanes_body.h"
