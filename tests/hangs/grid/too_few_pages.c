/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: CB 1: BRISC pushed none; BRISC would push 1 of the 2 pages that are missing; reader.c:@here (NCRISC) has been waiting for page 2 since cycle N
 * The other core would push one page of two. */
#include "noc.h"
void kernel_main(void) {
#ifdef COMPILE_FOR_NCRISC
  cb_wait_front(1, 2); /* here */
  cb_push_back(0, 1);
#else
  cb_wait_front(0, 1);
  cb_reserve_back(1, 1);
  cb_push_back(1, 1);
#endif
}
