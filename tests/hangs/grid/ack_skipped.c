/* grid: 1-2,2
 * cores: reader
 * code: 4
 * first line: deadlock: NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2)
 * also: (now 0x0) to become 0x1 since cycle N: NCRISC of Tensix (2,2) last wrote it at reader.c:@there in cycle N and waits itself
 * The handshake of ack_missing.c with one acknowledgement left out in the middle: now each tile waits for the other. */
#include "noc.h"
enum { READY, ACK };
static inline void say(uint32_t x, uint32_t s) { noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(s)), 1); } /* there */
static inline void hear(uint32_t s) {
  noc_semaphore_wait(get_semaphore(s), 1);
  noc_semaphore_set(get_semaphore(s), 0);
}
void kernel_main(void) {
  uint32_t col = get_arg_val(0), peer = col ? 1 : 2;
  for (uint32_t i = 0; i < 5; i++) {
    if (col == 0) {
      say(peer, READY);
      hear(ACK);
    } else {
      hear(READY);
      if (i != 3) say(peer, ACK);
    }
  }
  noc_async_atomic_barrier();
}
