/* cores: trisc1
 * code: 4
 * first line: SrcB: TRISC0 has returned and never filled it; srcb_never_filled.c:@here (thread 1 (math)) has been waiting for a filled bank of SrcB */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  TTI_STALLWAIT(p_stall_STALL_MATH, 1u << 8); /* here: SrcB valid */
  TTI_MVMUL(0, 0, 0, 0);
}
#endif
