/* cores: trisc0 trisc1
 * code: 4
 * first line: deadlock: thread 0 (unpack) -> thread 1 (math) -> thread 0 (unpack); mutual_semaphores.c:@here (thread 0 (unpack)) has been waiting for a post to semaphore 5 (UNPACK_SYNC) */
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  TTI_SEMWAIT(0x1ff, 1u << semaphore_UNPACK_SYNC, p_stall_STALL_ON_ZERO); /* here */
  TTI_SEMPOST(1u << semaphore_MATH_DONE);
}
#endif
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  for (int i = 0; i < 400; i++) asm volatile("nop"); /* thread 0 waits first */
  TTI_SEMWAIT(0x1ff, 1u << semaphore_MATH_DONE, p_stall_STALL_ON_ZERO);
  TTI_SEMPOST(1u << semaphore_UNPACK_SYNC);
}
#endif
