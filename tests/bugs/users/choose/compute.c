/* The three T cores: one of three operations. Arguments: number of tiles, operation, operation that is initialised. */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_C = 16 };

static void start(uint32_t operation) {
  if (operation == 0) add_tiles_init();
  else if (operation == 1) sub_tiles_init();
  else mul_tiles_init();
}

static void compute(uint32_t operation) {
  if (operation == 0) add_tiles(CB_A, CB_B, 0, 0, 0);
  else if (operation == 1) sub_tiles(CB_A, CB_B, 0, 0, 0);
  else mul_tiles(CB_A, CB_B, 0, 0, 0);
}

void kernel_main(void) {
  uint32_t operation = get_arg_val(1);
  binary_op_init(CB_A, CB_B, CB_C);
  start(get_arg_val(2));
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_wait_front(CB_A, 1);
    cb_wait_front(CB_B, 1);
    tile_regs_acquire();
    compute(operation);
    tile_regs_commit();
    cb_pop_front(CB_A, 1);
    cb_pop_front(CB_B, 1);
    cb_reserve_back(CB_C, 1);
    tile_regs_wait();
    pack_tile(0, CB_C);
    tile_regs_release();
    cb_push_back(CB_C, 1);
  }
}
