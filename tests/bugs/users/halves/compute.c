/* The three T cores: C = A + B, tile by tile. This source is compiled for unpack, math and pack. Argument: number of tiles. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_B = 1, CB_C = 16 };

void kernel_main(void) {
  binary_op_init(CB_A, CB_B, CB_C);
  add_tiles_init();
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    tile_regs_acquire();
    cb_wait_front(CB_A, 1);
    cb_wait_front(CB_B, 1);
    add_tiles(CB_A, CB_B, 0, 0, 0);
    cb_pop_front(CB_A, 1);
    cb_pop_front(CB_B, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_C, 1);
    pack_tile(0, CB_C);
    cb_push_back(CB_C, 1);
    tile_regs_release();
  }
}
