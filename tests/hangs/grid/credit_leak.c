/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait_min) has been waiting for NoC semaphore 1 at 0x00001010 (now 0x0) to reach 1 since cycle N: NCRISC of Tensix (2,2) last wrote it at reader.c:@there in cycle N and waits itself; NCRISC of Tensix (2,2) would add enough only after a wait that lasts, or on some paths
 * never: does not write it again
 * The consumer's next credit is behind a second wait, for an item that the producer sends after that credit only: no closed chain. */
#include "noc.h"
void kernel_main(void) {
  if (my_x == 1) {
    uint32_t credits = 2;
    for (int i = 0; i < 6; i++) {
      if (!credits) {
        noc_semaphore_wait_min(get_semaphore(1), 1); /* here */
        credits = *(volatile uint32_t *)get_semaphore(1);
        noc_semaphore_set(get_semaphore(1), 0);
      }
      credits--;
      noc_semaphore_inc(get_noc_addr(2, my_y, get_semaphore(0)), 1);
    }
  } else {
    for (uint32_t i = 1; i <= 6; i++) {
      noc_semaphore_wait_min(get_semaphore(0), i);
      if (i & 2) noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(1)), 1); /* there */
    }
  }
  noc_async_atomic_barrier();
}
