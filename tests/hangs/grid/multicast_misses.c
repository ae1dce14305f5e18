/* grid: 1-4,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here (NCRISC of Tensix (4,2), in noc_semaphore_wait) has been waiting for NoC semaphore 0 at 0x00001000 (now 0x0) to become 0x1 since cycle N: no packet has written it; NCRISC of Tensix (1,2) wrote it in 2 other tiles by its multicast at reader.c:@there in cycle N to (2,2) to (3,2), and the kernels of all other tiles have ended
 * The rectangle of the multicast ends one tile too early. */
#include "noc.h"
enum { GO, READY };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), cols = get_arg_val(1);
  if (col == 0) {
    noc_semaphore_wait(get_semaphore(READY), cols - 1);
    noc_semaphore_set(get_semaphore(GO), 1);
    noc_semaphore_set_multicast(get_semaphore(GO), get_noc_multicast_addr(2, my_y, 3, my_y, get_semaphore(GO)), 2, 0); /* there */
    noc_async_write_barrier();
  } else {
    noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(READY)), 1);
    noc_semaphore_wait(get_semaphore(GO), 1); /* here */
  }
}
