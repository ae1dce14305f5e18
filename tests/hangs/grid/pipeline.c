/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (2,2), in noc_semaphore_wait_min) has been waiting for NoC semaphore 1 at 0x00001010 (now 0x4) to reach 5 since cycle N: NCRISC of Tensix (3,2) last wrote it at reader.c:@there in cycle N and has returned
 * also: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait_min): waiting for NoC semaphore 1 at 0x00001010 (now 0x7) to reach 8
 * A pipeline of three tiles with credits: the last one leaves after four of ten. */
#include "noc.h"
enum { FULL, FREE };
void kernel_main(void) {
  uint32_t col = get_arg_val(0);
  for (uint32_t i = 0; i < 10; i++) {
    if (col > 0) noc_semaphore_wait_min(get_semaphore(FULL), i + 1);
    if (col == 2 && i == 4) return;
    if (col > 0) noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, get_semaphore(FREE)), 1); /* there */
    if (col < 2) {
      if (i >= 2) noc_semaphore_wait_min(get_semaphore(FREE), i - 1); /* here */
      noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(FULL)), 1);
    }
  }
  noc_async_atomic_barrier();
}
