/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 1 at 0x00001010 (now 0x0) to become 0x1
 * also: NCRISC of Tensix (2,2) last wrote it at reader.c:@there in cycle N and cannot reach that line again
 * A handshake whose semaphores are reset after each round. The second tile acknowledges three rounds of five: its branch is decided against the
 * acknowledgement that the first tile waits for, so that there is no closed chain. */
#include "noc.h"
enum { READY, ACK };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), peer = col ? 1 : 2;
  for (uint32_t i = 0; i < 5; i++) {
    if (col == 0) {
      noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(READY)), 1);
      noc_semaphore_wait(get_semaphore(ACK), 1); /* here */
      noc_semaphore_set(get_semaphore(ACK), 0);
    } else {
      noc_semaphore_wait(get_semaphore(READY), 1);
      noc_semaphore_set(get_semaphore(READY), 0);
      if (i < 3) noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(ACK)), 1); /* there */
    }
  }
  noc_async_atomic_barrier();
}
