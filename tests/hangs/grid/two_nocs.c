/* grid: 1-2,2
 * cores: reader writer
 * code: 4
 * first line: deadlock: BRISC of Tensix (1,2) -> NCRISC of Tensix (2,2) -> BRISC of Tensix (1,2); writer.c:@here (BRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 1
 * The reader over NoC 0 and the other tile's writer over NoC 1 wait for each other. */
#include "noc.h"
void kernel_main(void) {
  uint32_t peer = get_arg_val(0) ? 1 : 2;
#ifdef COMPILE_FOR_NCRISC
  enum { MINE, YOURS };
#else
  enum { YOURS, MINE };
#endif
  noc_semaphore_wait(get_semaphore(MINE), 1); /* here */
  noc_semaphore_inc(get_noc_addr(peer, my_y, get_semaphore(YOURS)), 1);
  noc_async_atomic_barrier();
}
