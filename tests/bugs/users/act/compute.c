/* The three T cores: silu of A into buffer 24, then the product with B. Argument: number of tiles. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_B = 1, CB_MID = 24, CB_C = 16 };

static void activate(void) {
  copy_tile_init(CB_A);
  cb_wait_front(CB_A, 1);
  tile_regs_acquire();
  copy_tile(CB_A, 0, 0);
  silu_tile(0);
  tile_regs_commit();
  cb_pop_front(CB_A, 1);
  cb_reserve_back(CB_MID, 1);
  tile_regs_wait();
  pack_tile(0, CB_MID);
  tile_regs_release();
  cb_push_back(CB_MID, 1);
}

static void multiply(void) {
  mul_tiles_init();
  cb_wait_front(CB_MID, 1);
  cb_wait_front(CB_B, 1);
  tile_regs_acquire();
  mul_tiles(CB_MID, CB_B, 0, 0, 0);
  tile_regs_commit();
  cb_pop_front(CB_MID, 1);
  cb_pop_front(CB_B, 1);
  cb_reserve_back(CB_C, 1);
  tile_regs_wait();
  pack_tile(0, CB_C);
  tile_regs_release();
  cb_push_back(CB_C, 1);
}

void kernel_main(void) {
  binary_op_init(CB_MID, CB_B, CB_C);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    activate();
    multiply();
  }
}
