/* grid: 1-2,2
 * cores: reader writer
 * code: 4
 * first line: NoC semaphore 0 at 0x00001000: BRISC last wrote it at writer.c:@there in cycle N and cannot reach that line again; reader.c:@here (NCRISC, in noc_semaphore_wait_min)
 * never: has not reached its write
 * The credit is given once: its line was reached, and is not reached again. */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    if (i) noc_semaphore_wait_min(get_semaphore(0), i + 1); /* here */
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
  }
}
#else
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(0, 1);
    cb_pop_front(0, 1);
    if (i < 1) noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(0)), 1); /* there */
  }
  noc_async_atomic_barrier();
}
#endif
