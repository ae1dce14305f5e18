/* cores: trisc0 trisc1 trisc2
 * code: 4
 * first line: semaphore 1 (MATH_PACK): thread 1 (math) last posted it at wait_twice.c:@there in cycle N and TRISC1 has returned; wait_twice.c:@here (thread 2 (pack), in tile_regs_wait) has been waiting for a post to semaphore 1 (MATH_PACK) since cycle */
#include "compute.h"
void kernel_main(void) {
  tile_regs_acquire();
  tile_regs_commit(); /* there */
  tile_regs_wait();
  tile_regs_release();
  tile_regs_wait(); /* here: a second time */
  tile_regs_release();
}
