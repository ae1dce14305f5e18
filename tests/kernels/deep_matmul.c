/* The matmul of examples/matmul with waits for eight tiles at a time: less counting per product. Argument 1 is a multiple of
 * 8. */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16, CHUNK = 8 };

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0) * get_arg_val(2), kt = get_arg_val(1);
  mm_init(CB_A, CB_B, CB_OUT);
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < kt; k += CHUNK) {
      cb_wait_front(CB_A, CHUNK);
      cb_wait_front(CB_B, CHUNK);
      for (uint32_t j = 0; j < CHUNK; j++) matmul_tiles(CB_A, CB_B, j, j, 0);
      cb_pop_front(CB_A, CHUNK);
      cb_pop_front(CB_B, CHUNK);
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_OUT, 1);
    pack_tile(0, CB_OUT);
    cb_push_back(CB_OUT, 1);
    tile_regs_release();
  }
}
