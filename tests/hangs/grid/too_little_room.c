/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: CB 0 is full (2 pages): NCRISC pushed 2 pages, the last at reader.c:@held; BRISC popped none; BRISC would pop 1 of the 2 pages that are missing; reader.c:@here (NCRISC) has been waiting for 2 free pages since cycle N
 * The other core would pop one page of two. */
#include "noc.h"
void kernel_main(void) {
#ifdef COMPILE_FOR_NCRISC
  cb_reserve_back(0, 2);
  cb_push_back(0, 2); /* held */
  cb_reserve_back(0, 2); /* here */
  cb_push_back(1, 1);
#else
  cb_wait_front(1, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
#endif
}
