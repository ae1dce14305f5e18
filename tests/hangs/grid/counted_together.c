/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: deadlock: NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2)
 * A barrier behind its own release: the first tile needs an increment of each of the others, which wait for it. */
#include "noc.h"
void kernel_main(void) {
  if (get_arg_val(0) == 0) {
    noc_semaphore_wait(get_semaphore(0), 2); /* here */
    for (uint32_t x = 2; x <= 3; x++) noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(1)), 1);
  } else {
    noc_semaphore_wait(get_semaphore(1), 1);
    noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(0)), 1);
  }
  noc_async_atomic_barrier();
}
