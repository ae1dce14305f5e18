/* cores: trisc1
 * code: 4
 * first line: semaphore 3 (UNPACK_OPERAND_SYNC): TRISC1 last posted it at semaphore_three.c:@there in cycle N; semaphore_three.c:@here (TRISC1, in semaphore_read) has been waiting for semaphore 3 (UNPACK_OPERAND_SYNC) (now 1) to become 3 */
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  t6_semaphore_init(3, 0, 4);
  tensix_sync();
  semaphore_post(3); /* there */
  while (semaphore_read(3) != 3) {} /* here */
}
#endif
