/* The three T cores: copies every page, twice as many as A has. Argument: pages of A. */
#include "compute.h"

enum { CB_IN = 0, CB_OUT = 16 };

void kernel_main(void) {
  unary_op_init(CB_IN, CB_OUT);
  copy_tile_init(CB_IN);
  for (uint32_t i = 0, tiles = 2 * get_arg_val(0); i < tiles; i++) {
    cb_wait_front(CB_IN, 1);
    tile_regs_acquire();
    copy_tile(CB_IN, 0, 0);
    tile_regs_commit();
    cb_pop_front(CB_IN, 1);
    cb_reserve_back(CB_OUT, 1);
    tile_regs_wait();
    pack_tile(0, CB_OUT);
    tile_regs_release();
    cb_push_back(CB_OUT, 1);
  }
}
