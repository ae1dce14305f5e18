/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_async_write_barrier) has been waiting for NoC 0's counter of acknowledged writes (now 0x2) to become 0x3 since cycle N: every request has been answered; its multicast at reader.c:@there in cycle N to (2,2) to (3,2) had 2 receivers: (2,2) (3,2), and it waits for 1 answer more
 * The multicast departs after the first poll of the barrier: the hang is not before it. */
#include "noc.h"
void kernel_main(void) {
  if (my_x != 1) return;
  noc_semaphore_set(get_semaphore(0), 1);
  noc_semaphore_set_multicast(get_semaphore(0), get_noc_multicast_addr(2, 2, 3, 2, get_semaphore(0)), 3, 0); /* there */
  noc_async_write_barrier(); /* here */
}
