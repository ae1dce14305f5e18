/* grid: 1-3,2
 * cores: reader
 * code: 4
 * first line: no packet has written it, NCRISC of Tensix (1,2) loops forever at reader.c:
 * also: loop forever: NCRISC of Tensix (1,2) at reader.c:
 * Two clients take two locks of a server in opposite order: the server has given both, and loops without reading a request. */
#include "noc.h"
static void lock(uint32_t l, uint32_t c) {
  noc_semaphore_inc(get_noc_addr(1, my_y, 0x70000 + 64 * l + 16 * c), 1);
  noc_semaphore_wait(get_semaphore(2 + l), 1);
}
void kernel_main(void) {
  uint32_t col = get_arg_val(0);
  if (col == 0) {
    volatile uint32_t *request = (volatile uint32_t *)0x70000;
    uint32_t held[2] = {0, 0};
    for (uint32_t l = 0;; l ^= 1)
      for (uint32_t c = 1; c < 3; c++)
        if (!held[l] && request[16 * l + 4 * c]) {
          held[l] = c;
          noc_semaphore_inc(get_noc_addr(1 + c, my_y, get_semaphore(2 + l)), 1);
        }
  }
  lock(col == 1 ? 0 : 1, col);
  for (volatile int i = 0; i < 300; i++) {}
  lock(col == 1 ? 1 : 0, col);
  noc_async_atomic_barrier();
}
