/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: deadlock: BRISC -> NCRISC -> BRISC; writer.c:@held (BRISC) has been waiting for page 1 of CB 0 since cycle N, reader.c:@here (NCRISC, in noc_semaphore_wait_min) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x0) to reach 1
 * The credit comes over the NoC from the tile's own writer. */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    noc_semaphore_wait_min(get_semaphore(0), i + 1); /* here: the first credit is never given */
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
  }
}
#else
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(0, 1); /* held */
    cb_pop_front(0, 1);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(0)), 1);
  }
  noc_async_atomic_barrier();
}
#endif
