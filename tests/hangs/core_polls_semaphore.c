/* cores: trisc2
 * code: 4
 * first line: semaphore 4 (PACK_DONE): never posted, and no program posts it; core_polls_semaphore.c:@here (TRISC2, in semaphore_read) has been waiting for a post to semaphore 4 (PACK_DONE) */
#ifdef TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  while (semaphore_read(semaphore_PACK_DONE) == 0) {} /* here */
}
#endif
