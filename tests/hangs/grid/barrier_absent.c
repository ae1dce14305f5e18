/* grid: 1-4,2
 * cores: reader
 * code: 4
 * first line: (now 0x3) to become 0x4 since cycle N: NCRISC of Tensix (3,2) has returned without writing it; 3 tiles wrote it once at reader.c:@there, a line that its code has too
 * also: to reach 1 since cycle N: no packet has written it, and the tile that would, Tensix (1,2), waits itself
 * One tile returns without arriving at the barrier. */
#include "noc.h"
enum { ARRIVE, GO };
static void barrier(uint32_t col, uint32_t cols) {
  noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(ARRIVE)), 1); /* there */
  if (col == 0) {
    noc_semaphore_wait(get_semaphore(ARRIVE), cols); /* here */
    for (uint32_t i = 0; i < cols; i++) noc_semaphore_inc(get_noc_addr(worker_x(1, i), my_y, get_semaphore(GO)), 1);
  }
  noc_semaphore_wait_min(get_semaphore(GO), 1);
}
void kernel_main(void) {
  uint32_t col = get_arg_val(0), cols = get_arg_val(1);
  if (col == 2) return; /* nothing to do here */
  barrier(col, cols);
}
