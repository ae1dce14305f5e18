/* cores: trisc1
 * code: 4
 * first line: semaphore 4 (PACK_DONE): never posted, and no program posts it; fifo_full.c:@here (thread 1 (math)) has been waiting for a post */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  TTI_SEMWAIT(0x1ff, 1u << semaphore_PACK_DONE, p_stall_STALL_ON_ZERO); /* here */
  for (uint32_t i = 0; i < 200; i++) TT_NOP;
}
#endif
