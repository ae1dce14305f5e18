/* cores: trisc1
 * code: 4
 * first line: SrcA: TRISC0 has returned and never filled it; srca_never_filled.c:@here (thread 1 (math)) has been waiting for a filled bank of SrcA */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  TTI_STALLWAIT(p_stall_STALL_MATH, 1u << 7); /* here: SrcA valid */
  TTI_SETRWC(0, 0, 0, 0, 0, 0);
  TTI_MVMUL(0, 0, 0, 0);
  tensix_sync();
}
#endif
