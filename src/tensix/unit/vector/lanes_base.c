/* The lanes' arithmetic for whatever the compiler's default target is: vectors of 16 bytes (SSE2, NEON). */
#define NUM_VEC_BYTES 16
#define LANES_TABLE tx_lanes_base
#define LANES_NAME "base"
#include "tensix/unit/vector/lanes_body.h"
