/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: trisc1
 * why: bound by TRISC1: starved_thread.c:@here (kernel_main
 * change: do less on this core between its pushes */
#define READS 16
#include "parts.h"
#if defined TRISC_UNPACK || defined TRISC_MATH || defined TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  for (uint32_t i = 0; i < 16; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
#if defined TRISC_MATH && !defined CHANGED
    volatile uint32_t sum = 0;
    for (uint32_t k = 0; k < 200; k++) sum += k * i; /* here: scalar work between the tiles */
#endif
    matmul_tiles(0, 1, 0, 0, 0);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
#endif
