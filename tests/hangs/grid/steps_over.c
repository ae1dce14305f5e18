/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x0) to become 0x2 since cycle N: no packet has written it, and the only other tile whose kernels have not ended, Tensix (2,2), waits itself; NCRISC of Tensix (2,2) would add 3 where 2 are missing, and step over the value
 * The semaphore would be 1, then 3, and never 2. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = my_x == 1 ? 2 : 1;
  noc_semaphore_wait(get_semaphore(0), 2); /* here */
  noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(0)), 1);
  noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(0)), 2);
  noc_async_atomic_barrier();
}
