/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: NCRISC of Tensix (3,2) has returned after writing it 3 times; 1 tile wrote it 4 times at reader.c:@there
 * A barrier with a multicast, whose semaphores are reset in every round: one tile leaves a round out. */
#include "noc.h"
enum { READY, GO };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), cols = get_arg_val(1);
  for (uint32_t r = 0; r < 4; r++) {
    if (col == 0) {
      noc_semaphore_wait(get_semaphore(READY), cols - 1);
      noc_semaphore_set(get_semaphore(READY), 0);
      noc_semaphore_set(get_semaphore(GO), 1);
      noc_semaphore_set_multicast(get_semaphore(GO), get_noc_multicast_addr(2, my_y, 3, my_y, get_semaphore(GO)), 2, 0);
      noc_async_write_barrier();
    } else {
      if (col == 2 && r == 2) continue;
      noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(READY)), 1); /* there */
      noc_semaphore_wait(get_semaphore(GO), 1);
      noc_semaphore_set(get_semaphore(GO), 0);
    }
  }
  noc_async_atomic_barrier();
}
