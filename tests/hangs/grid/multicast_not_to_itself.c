/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: no packet has written it; NCRISC of Tensix (1,2) wrote it in 2 other tiles and not in its own by its multicast at reader.c:@there in cycle N to (1,2) to (3,2)
 * The sender waits as its receivers do, but only the calls with _loopback_src send to the sender too. */
#include "noc.h"
enum { GO, ONE };
void kernel_main(void) {
  if (get_arg_val(0) == 0) {
    noc_semaphore_set(get_semaphore(ONE), 1);
    noc_semaphore_set_multicast(get_semaphore(ONE), get_noc_multicast_addr(1, my_y, 3, my_y, get_semaphore(GO)), 2, 0); /* there */
    noc_async_write_barrier();
  }
  noc_semaphore_wait(get_semaphore(GO), 1); /* here */
}
