/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x0) to become 0x1 since cycle N: no packet has written it, and no kernel of the only other tile that has not ended sends one that ends the wait
 * Each tile would increment the other's semaphore, by 0: that ends no wait, and closes no chain. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
  noc_semaphore_wait(get_semaphore(0), 1); /* here */
  noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(0)), 0);
  noc_async_atomic_barrier();
}
