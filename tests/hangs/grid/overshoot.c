/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x2, past it) to become 0x1 since cycle N: NCRISC of Tensix (2,2) last wrote it at reader.c:@there in cycle N and has returned
 * A wait for exactly 1, and an increment by 2. */
#include "noc.h"
void kernel_main(void) {
  if (get_arg_val(0) == 0) noc_semaphore_wait(get_semaphore(0), 1); /* here */
  else noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(0)), 2); /* there */
  noc_async_atomic_barrier();
}
