/* The three T cores: the product with a tile of constants that stays. Argument: number of tiles. */
#include "compute.h"

enum { CB_A = 0, CB_TWO = 1, CB_C = 16 };

void kernel_main(void) {
  binary_op_init(CB_A, CB_TWO, CB_C);
  mul_tiles_init();
  cb_wait_front(CB_TWO, 1);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_wait_front(CB_A, 1);
    tile_regs_acquire();
    mul_tiles(CB_A, CB_TWO, 0, 0, 0);
    tile_regs_commit();
    cb_pop_front(CB_A, 1);
    cb_reserve_back(CB_C, 1);
    tile_regs_wait();
    pack_tile(0, CB_C);
    tile_regs_release();
    cb_push_back(CB_C, 1);
  }
}
