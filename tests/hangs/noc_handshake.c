/* cores: brisc ncrisc
 * code: 3
 * two tiles: noc_handshake.c:@there (NCRISC of Tensix (2,2), in noc_semaphore_wait) has been waiting for the NoC semaphore at 0x00030010 (now 0x0) to become 0x1 since cycle
 * first line: only this tile is simulated */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  uint32_t other = 3 - my_x;
  for (uint32_t i = 1; i <= 3; i++) {
    if (my_x == 2 && i == 3) noc_semaphore_wait(0x30010, 1); /* there: no tile sends it */
    noc_semaphore_inc(get_noc_addr(other, 2, 0x30000), 1);
    noc_semaphore_wait_min(0x30000, i); /* here */
  }
}
#else
void kernel_main(void) {}
#endif
