/* The three T cores: the sum of tiles; the packer adds to the page in L1. Arguments: number of tiles. */
#include "compute.h"

enum { CB_A = 0, CB_C = 16 };

void kernel_main(void) {
  unary_op_init(CB_A, CB_C);
  copy_tile_init(CB_A);
  cb_reserve_back(CB_C, 1);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    pack_reconfig_l1_acc(i > 0);
    cb_wait_front(CB_A, 1);
    tile_regs_acquire();
    copy_tile(CB_A, 0, 0);
    tile_regs_commit();
    cb_pop_front(CB_A, 1);
    tile_regs_wait();
    pack_tile_at(0, CB_C, 0);
    tile_regs_release();
  }
  pack_reconfig_l1_acc(0);
  cb_push_back(CB_C, 1);
}
