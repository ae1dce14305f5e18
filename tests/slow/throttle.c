/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: trisc1
 * why: bound by the throttle of the matrix unit
 * change: MM_THROTTLE is 5; 0 removes the NOPs */
#define READS 1
#ifdef CHANGED
#define MM_THROTTLE 0
#else
#define MM_THROTTLE 5
#endif
#include "parts.h"
#if defined TRISC_UNPACK || defined TRISC_MATH || defined TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  for (uint32_t i = 0; i < 16; i++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < 16; k++) {
      matmul_tiles(0, 1, 0, 0, 0); /* here */
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
#endif
