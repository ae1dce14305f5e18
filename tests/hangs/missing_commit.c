/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * code: 4
 * first line: semaphore 1 (MATH_PACK): never posted: TRISC1 has not called tile_regs_commit; missing_commit.c:@here (thread 2 (pack), in tile_regs_wait) has been waiting for a post */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_reserve_back(0, 1);
  cb_push_back(0, 1);
  cb_reserve_back(1, 1);
  cb_push_back(1, 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_wait_front(16, 1);
  cb_pop_front(16, 1);
}
#endif
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  tile_regs_acquire();
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  matmul_tiles(0, 1, 0, 0, 0);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
  tile_regs_wait(); /* here */
  cb_reserve_back(16, 1);
  pack_tile(0, 16);
  cb_push_back(16, 1);
  tile_regs_release();
}
#endif
