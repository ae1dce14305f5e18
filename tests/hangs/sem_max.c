/* cores: trisc1 trisc2
 * code: 4
 * first line: semaphore 7 (MATH_DONE): never taken, and no program takes it; sem_max.c:@here (thread 1 (math)) has been waiting for semaphore 7 (MATH_DONE) to fall below its maximum of 2 */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  TTI_SEMINIT(2, 0, 1u << semaphore_MATH_DONE);
  for (uint32_t i = 0; i < 3; i++) {
    TTI_SEMWAIT(0x1ff, 1u << semaphore_MATH_DONE, p_stall_STALL_ON_MAX); /* here */
    TTI_SEMPOST(1u << semaphore_MATH_DONE);
  }
}
#endif
#ifdef TRISC_PACK
#include "compute.h"
void kernel_main(void) { TTI_SEMGET(1u << semaphore_PACK_DONE); /* the wrong one */ }
#endif
