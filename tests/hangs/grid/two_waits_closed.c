/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: deadlock: NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2); reader.c:@here
 * The release is behind a second wait, which the other tile of the chain ends too: the chain is closed. */
#include "noc.h"
void kernel_main(void) {
  if (my_x == 1) {
    noc_semaphore_wait(get_semaphore(1), 1);
    noc_semaphore_inc(get_noc_addr(2, my_y, get_semaphore(0)), 1);
    noc_semaphore_inc(get_noc_addr(2, my_y, get_semaphore(0)), 1);
  } else {
    noc_semaphore_wait_min(get_semaphore(0), 1); /* here */
    noc_semaphore_wait_min(get_semaphore(0), 2);
    noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(1)), 1);
  }
  noc_async_atomic_barrier();
}
