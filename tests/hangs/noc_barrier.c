/* cores: brisc
 * code: 4
 * first line: NoC 1's counter of answered reads: every request has been answered; noc_barrier.c:@here (BRISC, in noc_async_read_barrier) has been waiting for NoC 1's counter of answered reads (now 0x0) to become 0x1 */
#ifdef COMPILE_FOR_BRISC
#include "noc.h"
void kernel_main(void) {
  noc_reads_wanted++;       /* counts a read that was never sent */
  noc_async_read_barrier(); /* here */
}
#endif
