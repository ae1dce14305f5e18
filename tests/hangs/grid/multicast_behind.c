/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: deadlock: NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2); reader.c:@here (NCRISC of Tensix (2,2), in noc_semaphore_wait) has been waiting for NoC semaphore 1 at 0x00001010 (now 0x0) to become 0x1 since cycle N, reader.c:@there (NCRISC of Tensix (1,2), in noc_semaphore_wait)
 * The tile that would multicast the release waits for the tiles that it would release. */
#include "noc.h"
void kernel_main(void) {
  if (get_arg_val(0) == 0) {
    noc_semaphore_wait(get_semaphore(0), 2); /* there */
    noc_semaphore_set(get_semaphore(1), 1);
    noc_semaphore_set_multicast(get_semaphore(1), get_noc_multicast_addr(2, my_y, 3, my_y, get_semaphore(1)), 2, 0);
    noc_async_write_barrier();
  } else {
    noc_semaphore_wait(get_semaphore(1), 1); /* here */
    noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(0)), 1);
  }
  noc_async_atomic_barrier();
}
