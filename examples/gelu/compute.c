/* C = gelu(A) by the vector unit, tile by tile. Argument: number of tiles. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_C = 16 };

void kernel_main(void) {
  unary_op_init(CB_A, CB_C);
  copy_tile_init(CB_A);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    tile_regs_acquire();
    cb_wait_front(CB_A, 1);
    copy_tile(CB_A, 0, 0);
    cb_pop_front(CB_A, 1);
    gelu_tile(0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_C, 1);
    pack_tile(0, CB_C);
    cb_push_back(CB_C, 1);
    tile_regs_release();
  }
}
