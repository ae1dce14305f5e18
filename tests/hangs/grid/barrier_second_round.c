/* grid: 1-4,2
 * cores: reader
 * code: 4
 * first line: reader.c:@here, called at reader.c:@held (NCRISC of Tensix (1,2), in noc_semaphore_wait_min)
 * also: NCRISC of Tensix (3,2) has returned after writing it once; 3 tiles wrote it 2 times at reader.c:@there
 * One tile arrives at the first barrier only. kernel_main calls the second one last: a jump, which leaves no return address behind. */
#include "noc.h"
enum { ARRIVE, GO };
static uint32_t phase;
static __attribute__((noinline)) void barrier(uint32_t col, uint32_t cols) {
  phase++;
  noc_semaphore_inc(get_noc_addr(1, my_y, get_semaphore(ARRIVE)), 1); /* there */
  if (col == 0) {
    noc_semaphore_wait_min(get_semaphore(ARRIVE), cols * phase); /* here */
    for (uint32_t i = 0; i < cols; i++) noc_semaphore_inc(get_noc_addr(worker_x(1, i), my_y, get_semaphore(GO)), 1);
    noc_async_atomic_barrier();
  }
  noc_semaphore_wait_min(get_semaphore(GO), phase);
}
void kernel_main(void) {
  uint32_t col = get_arg_val(0), cols = get_arg_val(1);
  barrier(col, cols);
  if (col == 2) return;
  barrier(col, cols); /* held */
}
