/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: 2 cores that wait would add 2 of the 3 that are missing
 * The same barrier with one increment too few: no increment ends its wait. */
#include "noc.h"
void kernel_main(void) {
  if (get_arg_val(0) == 0) {
    noc_semaphore_wait(get_semaphore(0), 3); /* here */
    for (uint32_t x = 2; x <= 3; x++) noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(1)), 1);
  } else {
    noc_semaphore_wait(get_semaphore(1), 1);
    noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(0)), 1);
  }
  noc_async_atomic_barrier();
}
