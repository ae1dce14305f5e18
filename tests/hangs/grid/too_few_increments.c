/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait_min) has been waiting for NoC semaphore 3 at 0x00001030 (now 0x0) to reach 4 since cycle N: no packet has written it, and the only other tile whose kernels have not ended, Tensix (2,2), waits itself; NCRISC of Tensix (2,2) would add 3 of the 4 that are missing
 * Each would give the other three of four increments: no wait ends if the other one does. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
  noc_semaphore_wait_min(get_semaphore(3), 4); /* here */
  for (int i = 0; i < 3; i++) noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(3)), 1);
  noc_async_atomic_barrier();
}
