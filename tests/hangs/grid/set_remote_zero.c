/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x0) to become 0x1 since cycle N: no packet has written it, and no kernel of the only other tile that has not ended sends one that ends the wait
 * Each tile would copy a 0 into the other's semaphore: the value of the word that is copied decides. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
  noc_semaphore_wait(get_semaphore(0), 1); /* here */
  noc_semaphore_set(get_semaphore(1), 0);
  noc_semaphore_set_remote(get_semaphore(1), get_noc_addr(peer, my_y, get_semaphore(0)));
  noc_async_write_barrier();
}
