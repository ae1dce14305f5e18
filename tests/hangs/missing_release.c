/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * code: 4
 * first line: semaphore 1 (MATH_PACK): never taken: TRISC2 has not called tile_regs_release; missing_release.c:@here (thread 1 (math), in tile_regs_acquire) has been waiting for semaphore 1 (MATH_PACK) to fall below its maximum of 2 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
    cb_reserve_back(1, 1);
    cb_push_back(1, 1);
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}
#endif
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  for (uint32_t i = 0; i < 3; i++) {
    tile_regs_acquire(); /* here */
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    matmul_tiles(0, 1, 0, 0, 0);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
  }
}
#endif
