/* cores: brisc ncrisc
 * code: 4
 * two tiles: noc_wrong_tile.c:@here (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for the NoC semaphore at 0x00030000 (now 0x0) to become 0x1 since cycle
 * first line: the NoC semaphore at 0x00030000: */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  if (my_x == 1) noc_semaphore_wait(0x30000, 1); /* here */
  else { noc_semaphore_inc(get_noc_addr(2, 2, 0x30000), 1); noc_async_atomic_barrier(); } /* to itself */
}
#else
void kernel_main(void) {}
#endif
