/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: NoC semaphore 0 at 0x00001000: BRISC last wrote it at writer.c:@there in cycle N and waits itself; reader.c:@here (NCRISC, in noc_semaphore_wait)
 * The way to the writer's next branch is too long to be followed: the report has what is known, and claims neither a closed chain nor that the line is not
 * reached again. */
#include "noc.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 5; i++) {
#ifdef COMPILE_FOR_NCRISC
    noc_semaphore_wait(get_semaphore(0), 1); /* here */
    noc_semaphore_set(get_semaphore(0), 0);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(1)), 1);
#else
    if (i < 3) noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(0)), 1); /* there */
    noc_semaphore_wait(get_semaphore(1), 1);
    noc_semaphore_set(get_semaphore(1), 0);
    for (volatile uint32_t k = 0; k < (i < 2 ? 10 : 200000); k++) {}
#endif
  }
  noc_async_atomic_barrier();
}
