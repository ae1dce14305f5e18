/* C = A + B, tile by tile. Argument 0: tiles. */
#include "compute.h"

void kernel_main(void) {
  binary_op_init(0, 1, 16);
  add_tiles_init();
  for (uint32_t i = 0; i < get_arg_val(0); i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    add_tiles(0, 1, 0, 0, 0);
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
