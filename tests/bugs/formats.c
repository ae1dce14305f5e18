/* Two formats in, two formats out: A (BFLOAT16) and B (FLOAT16_B as BFP8) are copied in turn to buffers 16 and 17. Argument: 0 tiles. */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16, CB_SECOND = 17 };

static void copy_one(uint32_t from, uint32_t to) {
  tile_regs_acquire();
  cb_wait_front(from, 1);
  copy_tile(from, 0, 0);
  cb_pop_front(from, 1);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(to, 1);
  pack_tile(0, to);
  cb_push_back(to, 1);
  tile_regs_release();
}

void kernel_main(void) {
  unary_op_init(CB_A, CB_OUT);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    copy_tile_init(CB_A);
    pack_reconfig_data_format(CB_OUT);
    copy_one(CB_A, CB_OUT);
    copy_tile_init(CB_B);
    pack_reconfig_data_format(CB_SECOND);
    copy_one(CB_B, CB_SECOND);
  }
}
