/* cores: trisc1 trisc2
 * code: 4
 * first line: semaphore 4 (PACK_DONE): never posted, and no program posts it; wrong_semaphore.c:@here (thread 2 (pack)) has been waiting for a post */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) { t6_semaphore_post(semaphore_MATH_PACK, 0); }
#endif
#ifdef TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  TTI_SEMWAIT(p_stall_STALL_TDMA, 1u << semaphore_PACK_DONE, p_stall_STALL_ON_ZERO); /* here: MATH_PACK was meant */
  TTI_STALLWAIT(p_stall_STALL_TDMA, p_stall_PACK);
}
#endif
