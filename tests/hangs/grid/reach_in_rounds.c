/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (2,2), in noc_semaphore_wait_min) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x3) to reach 4 since cycle N: NCRISC of Tensix (1,2) last wrote it at reader.c:@there in cycle N and has returned
 * Polls of a stream whose body adds in registers, and stores in some rounds alone: the wait is for the next count. */
#include "noc.h"
void kernel_main(void) {
  uint32_t sum = 0;
  if (my_x == 1) {
    noc_semaphore_inc(get_noc_addr(2, my_y, get_semaphore(0)), 3); /* there */
    noc_async_atomic_barrier();
    return;
  }
  for (uint32_t i = 1; i <= 8; i++) {
    noc_semaphore_wait_min(get_semaphore(0), i); /* here */
    sum += *(volatile uint32_t *)(0x60000 + 4 * i);
    if (i % 4 == 3) *(volatile uint32_t *)0x70000 = sum;
  }
}
