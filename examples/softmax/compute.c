/* Softmax over rows that are Wt tiles wide: e^(x - max) / sum. Arguments: 0 Ht x Wt, 1 Ht, 2 Wt.
 *
 *   1  max of each row                 reduce, transposed faces, into column 0 of one tile   buffer 24
 *   2  e^(x - max)                     sub with that column broadcast, then exp              buffer 25
 *   3  1 / sum of each row             matmul with a column of ones, then recip              buffer 26
 *   4  e^(x - max) * (1 / sum)         mul with that column broadcast                        buffer 16
 *
 * Buffers 1 and 2 hold the constants that the reader pushes first: the scaler of reduce and the column of ones. */
#include "compute.h"
#include "sfpu.h"

enum { CB_IN = 0, CB_SCALER = 1, CB_ONES = 2, CB_OUT = 16, CB_MAX = 24, CB_EXP = 25, CB_RECIP = 26 };

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

static void row_max(uint32_t wt) {
  reduce_init(POOL_MAX, REDUCE_ROW, CB_IN, CB_SCALER);
  tile_regs_acquire();
  for (uint32_t w = 0; w < wt; w++) reduce_tile(CB_IN, CB_SCALER, w, 0, 0);
  reduce_row_done(0);
  pack_one(CB_MAX);
}

static void row_exp(uint32_t wt) {
  cb_wait_front(CB_MAX, 1);
  compute_reconfigure_inputs(CB_IN, CB_MAX, 0);
  sub_tiles_bcast_init(BROADCAST_COL);
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    sub_tiles_bcast(CB_IN, CB_MAX, w, 0, 0);
    exp_tile(0);
    pack_one(CB_EXP);
  }
  cb_pop_front(CB_MAX, 1);
}

static void row_recip(uint32_t wt) {
  cb_wait_front(CB_EXP, wt);
  mm_init_short(CB_EXP, CB_ONES);
  tile_regs_acquire();
  for (uint32_t w = 0; w < wt; w++) matmul_tiles(CB_EXP, CB_ONES, w, 0, 0);
  recip_tile(0);
  pack_one(CB_RECIP);
}

static void row_scale(uint32_t wt) {
  cb_wait_front(CB_RECIP, 1);
  compute_reconfigure_inputs(CB_EXP, CB_RECIP, 0);
  mul_tiles_bcast_init(BROADCAST_COL);
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    mul_tiles_bcast(CB_EXP, CB_RECIP, w, 0, 0);
    pack_one(CB_OUT);
  }
  cb_pop_front(CB_RECIP, 1);
  cb_pop_front(CB_EXP, wt);
}

void kernel_main(void) {
  uint32_t ht = get_arg_val(1), wt = get_arg_val(2);
  binary_op_init(CB_IN, CB_SCALER, CB_OUT);
  cb_wait_front(CB_SCALER, 1);
  cb_wait_front(CB_ONES, 1);
  for (uint32_t h = 0; h < ht; h++) {
    cb_wait_front(CB_IN, wt);
    row_max(wt);
    row_exp(wt);
    cb_pop_front(CB_IN, wt);
    row_recip(wt);
    row_scale(wt);
  }
}
