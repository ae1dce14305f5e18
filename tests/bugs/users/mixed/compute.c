/* The three T cores: C = (A + B) * D with a sum in between. Argument: number of pages. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_B = 1, CB_D = 2, CB_SUM = 24, CB_C = 16 };

static void sum(void) {
  compute_reconfigure_inputs(CB_A, CB_B, 0);
  pack_reconfig_data_format(CB_SUM);
  add_tiles_init();
  tile_regs_acquire();
  cb_wait_front(CB_A, 1);
  cb_wait_front(CB_B, 1);
  add_tiles(CB_A, CB_B, 0, 0, 0);
  cb_pop_front(CB_A, 1);
  cb_pop_front(CB_B, 1);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(CB_SUM, 1);
  pack_tile(0, CB_SUM);
  cb_push_back(CB_SUM, 1);
  tile_regs_release();
}

static void product(void) {
  compute_reconfigure_inputs(CB_SUM, CB_D, 0);
  pack_reconfig_data_format(CB_C);
  mul_tiles_init();
  tile_regs_acquire();
  cb_wait_front(CB_SUM, 1);
  cb_wait_front(CB_D, 1);
  mul_tiles(CB_SUM, CB_D, 0, 0, 0);
  cb_pop_front(CB_SUM, 1);
  cb_pop_front(CB_D, 1);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(CB_C, 1);
  pack_tile(0, CB_C);
  cb_push_back(CB_C, 1);
  tile_regs_release();
}

void kernel_main(void) {
  binary_op_init(CB_A, CB_B, CB_SUM);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    sum();
    product();
  }
}
