/* cores: trisc0 trisc1 trisc2
 * code: 4
 * first line: semaphore 1 (MATH_PACK): thread 2 (pack) last took it at acquire_thrice.c:@there in cycle N and TRISC2 has returned; acquire_thrice.c:@here (thread 1 (math), in tile_regs_acquire) has been waiting for semaphore 1 (MATH_PACK) to fall below its maximum of 1 since cycle */
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire(); /* here */
    tile_regs_commit();
  }
  tile_regs_wait();
  tile_regs_release(); /* there: once, not four times */
}
