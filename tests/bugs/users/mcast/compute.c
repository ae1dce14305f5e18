/* The three T cores of the receivers: a copy. Arguments: number of pages, index. */
#include "compute.h"

enum { CB_IN = 0, CB_OUT = 16 };

void kernel_main(void) {
  if (get_arg_val(1) == 0) return;
  unary_op_init(CB_IN, CB_OUT);
  copy_tile_init(CB_IN);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    tile_regs_acquire();
    cb_wait_front(CB_IN, 1);
    copy_tile(CB_IN, 0, 0);
    cb_pop_front(CB_IN, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_OUT, 1);
    pack_tile(0, CB_OUT);
    cb_push_back(CB_OUT, 1);
    tile_regs_release();
  }
}
