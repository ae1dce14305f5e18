/* cores: brisc ncrisc
 * code: 4
 * first line: NoC semaphore at 0x00030000: nothing has written it; BRISC would add enough only after a wait that lasts, or on some paths; wait_between.c:@here (NCRISC, in noc_semaphore_wait) has been waiting for the NoC semaphore at 0x00030000 (now 0x0) to become 0x1 since cycle
 * BRISC releases NCRISC only behind a second wait that nothing ends: no closed chain. */
#ifdef COMPILE_FOR_NCRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  noc_semaphore_wait(0x30000, 1); /* here */
  noc_semaphore_inc(get_noc_addr(my_x, my_y, 0x30010), 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  noc_semaphore_wait(0x30010, 1);
  noc_semaphore_wait(0x30020, 1);
  noc_semaphore_inc(get_noc_addr(my_x, my_y, 0x30000), 1);
}
#endif
