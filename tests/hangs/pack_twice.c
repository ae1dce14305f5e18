/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * code: 4
 * first line: semaphore 1 (MATH_PACK): thread 1 (math) last posted it at pack_twice.c:@held in cycle N and TRISC1 has returned; pack_twice.c:@here (thread 2 (pack), in tile_regs_wait) has been waiting for a post to semaphore 1 (MATH_PACK) */
/* the packer releases Dst twice for each acquire: waits for a third result */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { for (int i = 0; i < 2; i++) { cb_reserve_back(0, 1); cb_push_back(0, 1); } }
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { for (int i = 0; i < 3; i++) { cb_wait_front(16, 1); cb_pop_front(16, 1); } }
#endif
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
#include "compute.h"
void kernel_main(void) {
  unary_op_init(0, 16);
  copy_tile_init(0);
#ifndef TRISC_PACK
  for (int i = 0; i < 2; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    copy_tile(0, 0, 0);
    cb_pop_front(0, 1);
    tile_regs_commit(); /* held */
  }
#else
  for (int i = 0; i < 3; i++) {
    tile_regs_wait(); /* here */
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
#endif
}
#endif
