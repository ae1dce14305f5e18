/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: no packet has written it, and the only other tile whose kernels have not ended, Tensix (2,2), waits itself
 * Data decides whether a tile sends: no closed chain is known. */
#include "noc.h"
void kernel_main(void) {
  uint32_t col = get_arg_val(0), peer = col ? 1 : 2, n = 0;
  volatile uint32_t *work = (volatile uint32_t *)0x60000;
  do {
    noc_semaphore_wait_min(get_semaphore(0), ++n);
    if (work[n] & 1) noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(0)), 1);
  } while (work[n] != 99);
  noc_async_atomic_barrier();
}
