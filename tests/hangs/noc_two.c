/* cores: brisc ncrisc
 * code: 4
 * two tiles: has been waiting for the NoC semaphore at 0x00030000 (now 0x1) to become 0x2 since cycle 3125: NCRISC of Tensix (2,2) last wrote it at noc_two.c:@there in cycle N and has returned
 * first line: the NoC semaphore at 0x00030000: nothing has written it; noc_two.c:@here (NCRISC, in noc_semaphore_wait) */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  if (my_x == 1) noc_semaphore_wait(0x30000, 2); /* here: one comes */
  else { noc_semaphore_inc(get_noc_addr(1, 2, 0x30000), 1); noc_async_atomic_barrier(); } /* there */
}
#else
void kernel_main(void) {}
#endif
