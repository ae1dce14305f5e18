/* cores: brisc ncrisc
 * code: 4
 * first line: the NoC semaphore at 0x00030000: NCRISC last wrote it at noc_sem.c:@held in cycle N and has returned; noc_sem.c:@here (BRISC, in noc_semaphore_wait) has been waiting for the NoC semaphore at 0x00030000 (now 0x1) to become 0x2 */
#ifdef COMPILE_FOR_BRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  noc_semaphore_wait(0x30000, 2); /* here */
}
#endif
#ifdef COMPILE_FOR_NCRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  noc_semaphore_inc(get_noc_addr(my_x, my_y, 0x30000), 1); /* held */
}
#endif
