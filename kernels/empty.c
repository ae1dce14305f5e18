/* A kernel for a core that has nothing to do. */
#include "circular_buffer.h"

void kernel_main(void) {}
