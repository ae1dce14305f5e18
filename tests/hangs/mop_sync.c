/* cores: trisc1
 * code: 4
 * first line: semaphore 4 (PACK_DONE): never posted, and no program posts it; mop_sync.c:@here (thread 1 (math)) has been waiting for a post */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  mop_template_t t = {.outer = 64, .inner = 1, .loop_op0 = TT_OP_NOP};
  mop_program(&t);
  TTI_SEMWAIT(0x1ff, 1u << semaphore_PACK_DONE, p_stall_STALL_ON_ZERO); /* here */
  mop_run();
  mop_sync();
}
#endif
