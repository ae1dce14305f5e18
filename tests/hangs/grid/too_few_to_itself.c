/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: NoC semaphore 1 at 0x00001010: nothing has written it; NCRISC would add 1 of the 2 that are missing; writer.c:@here (BRISC, in noc_semaphore_wait_min) has been waiting for NoC semaphore 1 at 0x00001010 (now 0x0) to reach 2 since cycle N
 * Two cores of one tile: one wants two increments and would get one. */
#include "noc.h"
void kernel_main(void) {
#ifdef COMPILE_FOR_NCRISC
  noc_semaphore_wait(get_semaphore(0), 1);
  noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(1)), 1);
#else
  noc_semaphore_wait_min(get_semaphore(1), 2); /* here */
  noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(0)), 1);
#endif
  noc_async_atomic_barrier();
}
