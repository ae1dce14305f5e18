/* cores: trisc1 trisc2
 * code: 4
 * first line: semaphore 1 (MATH_PACK): TRISC1 has returned and never posted it; replay_swallows_post.c:@here (thread 2 (pack)) has been waiting for a post */
/* A REPLAY that records two words more than the program intends also records the SEMPOST. */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  replay_record(0, 3);
  TTI_NOP;
  TTI_SEMPOST(1u << semaphore_MATH_PACK);
}
#endif
#ifdef TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  TTI_SEMWAIT(p_stall_STALL_TDMA, 1u << semaphore_MATH_PACK, p_stall_STALL_ON_ZERO); /* here */
  TTI_STALLWAIT(p_stall_STALL_TDMA, p_stall_PACK);
}
#endif
