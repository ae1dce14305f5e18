/* Must not compile: address mode 8 does not fit the three bits of its field. */
#include "compute.h"

void kernel_main(void) { MATH(TTI_MVMUL(p_setrwc_CLR_NONE, 0, 8, 0);) }
