/* The three T cores: the sum of `steps` tiles, with the partial sum in buffer 24. Arguments: number of sums, steps. */
#include "compute.h"

enum { CB_A = 0, CB_ACC = 24, CB_C = 16 };

static void first(void) {
  copy_tile_init(CB_A);
  cb_wait_front(CB_A, 1);
  tile_regs_acquire();
  copy_tile(CB_A, 0, 0);
  tile_regs_commit();
  cb_pop_front(CB_A, 1);
  cb_reserve_back(CB_ACC, 1);
  tile_regs_wait();
  pack_tile(0, CB_ACC);
  tile_regs_release();
  cb_push_back(CB_ACC, 1);
}

static void next(uint32_t to) {
  cb_wait_front(CB_A, 1);
  cb_wait_front(CB_ACC, 1);
  tile_regs_acquire();
  add_tiles(CB_A, CB_ACC, 0, 0, 0);
  tile_regs_commit();
  cb_pop_front(CB_A, 1);
  cb_pop_front(CB_ACC, 1);
  cb_reserve_back(to, 1);
  tile_regs_wait();
  pack_tile(0, to);
  tile_regs_release();
  cb_push_back(to, 1);
}

void kernel_main(void) {
  uint32_t sums = get_arg_val(0), steps = get_arg_val(1);
  binary_op_init(CB_A, CB_ACC, CB_C);
  for (uint32_t i = 0; i < sums; i++) {
    first();
    add_tiles_init();
    for (uint32_t k = 1; k < steps; k++) next(k + 1 < steps ? CB_ACC : CB_C);
  }
}
