/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: waits itself; NCRISC of Tensix (2,2) would add enough only after a wait that lasts, or on some paths
 * Each tile would release the other one, but only behind a second wait that nothing ends. */
#include "noc.h"
void kernel_main(void) {
  noc_semaphore_wait(get_semaphore(0), 1);
  while (*(volatile uint32_t *)0x60000 != 5) {}
  noc_semaphore_inc(get_noc_addr(3 - my_x, my_y, get_semaphore(0)), 1);
  noc_async_atomic_barrier();
}
