/* cores: trisc1
 * code: 4
 * first line: semaphore 4 (PACK_DONE): never posted, and no program posts it; ttsync.c:@here (thread 1 (math)) has been waiting for a post */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  TTI_SEMWAIT(0x1ff, 1u << semaphore_PACK_DONE, p_stall_STALL_ON_ZERO); /* here */
  TTI_NOP;
  tensix_sync();
  *(volatile uint32_t *)0x20000u = 1;
}
#endif
