/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: trisc1
 * why: bound by the vector unit
 * change: fewer or cheaper SFPU instructions */
#define READS 16
#include "parts.h"
#if defined TRISC_UNPACK || defined TRISC_MATH || defined TRISC_PACK
#include "compute.h"
#include "sfpu.h"
#ifdef CHANGED
#define sfpu_tile(function, dst) (void)0
#endif
void kernel_main(void) {
  binary_op_init(0, 1, 16);
  eltwise_init(0, 0);
  for (uint32_t i = 0; i < 16; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    eltwise_tiles(0, 1, 0, 0, 0);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    sfpu_tile(SFPU_EXP, 0); /* here */
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
#endif
