/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: deadlock: NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2); reader.c:@here (NCRISC of Tensix (2,2), in noc_semaphore_wait_min) has been waiting for NoC semaphore 3 at 0x00001030 (now 0x1) to reach 4 since cycle N
 * One increment has come, and three together end the wait. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
  noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(3)), 1);
  noc_async_atomic_barrier();
  noc_semaphore_wait_min(get_semaphore(3), 4); /* here */
  for (int i = 0; i < 3; i++) noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(3)), 1);
  noc_async_atomic_barrier();
}
