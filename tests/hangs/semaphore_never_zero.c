/* cores: trisc1
 * code: 4
 * first line: semaphore 3 (UNPACK_OPERAND_SYNC): never taken, and no program takes it; semaphore_never_zero.c:@here (TRISC1, in semaphore_read) has been waiting for semaphore 3 (UNPACK_OPERAND_SYNC) (now 1) to become 0 */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  t6_semaphore_init(3, 0, 4);
  tensix_sync();
  semaphore_post(3);
  while (semaphore_read(3) != 0) {} /* here */
}
#endif
