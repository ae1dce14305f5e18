/* grid: 1-4,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_async_write_barrier) has been waiting for NoC 0's counter of acknowledged writes (now 0x5) to become 0x6 since cycle N: every request has been answered; its multicast at reader.c:@there in cycle N to (2,2) to (4,2) had 3 receivers: (2,2) (3,2) (4,2), the one at reader.c:@held in cycle N to (2,2) to (3,2) had 2: (2,2) (3,2), and it waits for 1 answer more
 * The rectangle of the data is one tile short of its number of receivers; the flag's multicast after it is right. */
#include "noc.h"
void kernel_main(void) {
  if (my_x != 1) return;
  uint32_t flag = get_semaphore(0);
  noc_async_write_multicast(0x40000, get_noc_multicast_addr(2, my_y, 3, my_y, 0x40000), 64, 3, 0); /* held */
  noc_semaphore_set(flag, 1);
  noc_semaphore_set_multicast(flag, get_noc_multicast_addr(2, my_y, 4, my_y, flag), 3, 0); /* there */
  noc_async_write_barrier();                                                               /* here */
}
