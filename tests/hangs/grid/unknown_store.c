/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 1 at 0x00001010 (now 0x0) to become 0x1 since cycle N: NCRISC of Tensix (2,2) last wrote it at reader.c:@there in cycle N and cannot reach that line again
 * The handshake of ack_missing.c with stores through a pointer in L1, whose target is not known when the code ahead is followed. */
#include "noc.h"
enum { READY, ACK };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), peer = col ? 1 : 2;
  volatile uint32_t *volatile *where = (volatile uint32_t *volatile *)0x60000;
  *(volatile uint32_t *)0x60000 = 0x61000;
  for (uint32_t i = 0; i < 5; i++) {
    if (col == 0) {
      noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(READY)), 1);
      noc_semaphore_wait(get_semaphore(ACK), 1); /* here */
      noc_semaphore_set(get_semaphore(ACK), 0);
      **where = i;
    } else {
      noc_semaphore_wait(get_semaphore(READY), 1);
      noc_semaphore_set(get_semaphore(READY), 0);
      **where = i;
      if (i < 3) noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(ACK)), 1); /* there */
    }
  }
  noc_async_atomic_barrier();
}
