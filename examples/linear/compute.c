/* C = relu(A x W + b), one data tile at a time; the product stays in FP32 until b is added. Arguments: Mt, Kt, Nt. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_W = 1, CB_B = 2, CB_C = 16, CB_PRODUCT = 24 };

/* The packer changes between FP32 (the product) and BF16 (C). */
static void pack_one(uint32_t cb) {
  pack_reconfig_data_format(cb);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

static void product(uint32_t kt, uint32_t nt, uint32_t n) {
  mm_init_short(CB_A, CB_W);
  tile_regs_acquire();
  for (uint32_t k = 0; k < kt; k++) matmul_tiles(CB_A, CB_W, k, k * nt + n, 0);
  pack_one(CB_PRODUCT);
}

static void add_bias_and_relu(uint32_t n) {
  cb_wait_front(CB_PRODUCT, 1);
  compute_reconfigure_inputs(CB_PRODUCT, CB_B, 0);
  add_tiles_bcast_init(BROADCAST_ROW);
  tile_regs_acquire();
  add_tiles_bcast(CB_PRODUCT, CB_B, 0, n, 0);
  relu_tile(0);
  pack_one(CB_C);
  cb_pop_front(CB_PRODUCT, 1);
}

void kernel_main(void) {
  uint32_t mt = get_arg_val(0), kt = get_arg_val(1), nt = get_arg_val(2);
  mm_init(CB_A, CB_W, CB_C);
  cb_wait_front(CB_W, kt * nt);
  cb_wait_front(CB_B, nt);
  for (uint32_t m = 0; m < mt; m++) {
    cb_wait_front(CB_A, kt);
    for (uint32_t n = 0; n < nt; n++) {
      product(kt, nt, n);
      add_bias_and_relu(n);
    }
    cb_pop_front(CB_A, kt);
  }
}
