/* The three T cores: sums. Argument: number of tiles. */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_C = 16 };

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0);
  binary_op_init(CB_A, CB_B, CB_C);
  add_tiles_init();
  cb_wait_front(CB_A, tiles);
  cb_reserve_back(CB_C, tiles);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(CB_B, 1);
    tile_regs_acquire();
    add_tiles(CB_A, CB_B, i, 0, 0);
    tile_regs_commit();
    cb_pop_front(CB_B, 1);
    tile_regs_wait();
    pack_tile(0, CB_C);
    tile_regs_release();
  }
  cb_pop_front(CB_A, tiles);
  cb_push_back(CB_C, tiles);
}
