/* C = f(A op B): add, subtract or multiply tiles, B broadcast or not, then a function of the vector unit or none.
 * Arguments: 0 tiles, 7 op, 11 broadcast, 12 function + 1 or 0. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0), op = get_arg_val(7), broadcast = get_arg_val(11), function = get_arg_val(12);
  binary_op_init(CB_A, CB_B, CB_OUT);
  eltwise_init(op, broadcast);
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    cb_wait_front(CB_A, 1);
    cb_wait_front(CB_B, 1);
    eltwise_tiles(CB_A, CB_B, 0, 0, 0);
    cb_pop_front(CB_A, 1);
    cb_pop_front(CB_B, 1);
    if (function) sfpu_tile(function - 1, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_OUT, 1);
    pack_tile(0, CB_OUT);
    cb_push_back(CB_OUT, 1);
    tile_regs_release();
  }
}
