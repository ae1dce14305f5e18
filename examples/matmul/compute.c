/* C = A x B in tiles: the whole matmul with the high-level calls. Arguments: Mt, Kt, Nt.
 * The reader delivers, for each output tile, the Kt tiles of A's row and of B's column; the writer takes one tile of C. */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0) * get_arg_val(2), kt = get_arg_val(1);
  mm_init(CB_A, CB_B, CB_OUT);
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < kt; k++) {
      cb_wait_front(CB_A, 1);
      cb_wait_front(CB_B, 1);
      matmul_tiles(CB_A, CB_B, 0, 0, 0);
      cb_pop_front(CB_A, 1);
      cb_pop_front(CB_B, 1);
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_OUT, 1);
    pack_tile(0, CB_OUT);
    cb_push_back(CB_OUT, 1);
    tile_regs_release();
  }
}
