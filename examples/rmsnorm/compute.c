/* RMSnorm over rows that are Wt data tiles wide. Arguments: Ht, Wt.
 *
 *   1  A * A                              mul                                                       buffer 24
 *   2  1 / sqrt(mean + epsilon)           matmul with a column of 1/columns, then rsqrt             buffer 25
 *   3  A * that                           mul with the column broadcast                             buffer 26
 *   4  that * g                           mul with row 0 of g broadcast                             buffer 16 */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_G = 1, CB_MEAN = 2, CB_EPSILON = 3, CB_C = 16, CB_SQUARE = 24, CB_SCALE = 25, CB_NORM = 26 };

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

static void square(uint32_t wt) {
  compute_reconfigure_inputs(CB_A, CB_A, 0);
  mul_tiles_init();
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    mul_tiles(CB_A, CB_A, w, w, 0);
    pack_one(CB_SQUARE);
  }
}

static void scale_of_rows(uint32_t wt) {
  cb_wait_front(CB_SQUARE, wt);
  mm_init_short(CB_SQUARE, CB_MEAN);
  tile_regs_acquire();
  matmul_tiles(CB_EPSILON, CB_MEAN, 0, 0, 0);
  for (uint32_t w = 0; w < wt; w++) matmul_tiles(CB_SQUARE, CB_MEAN, w, 0, 0);
  rsqrt_tile(0);
  pack_one(CB_SCALE);
  cb_pop_front(CB_SQUARE, wt);
}

static void multiply(uint32_t cb_a, uint32_t cb_b, uint32_t broadcast, uint32_t cb_out, uint32_t wt) {
  compute_reconfigure_inputs(cb_a, cb_b, 0);
  mul_tiles_bcast_init(broadcast);
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    mul_tiles_bcast(cb_a, cb_b, w, broadcast == BROADCAST_ROW ? w : 0, 0);
    pack_one(cb_out);
  }
}

void kernel_main(void) {
  uint32_t ht = get_arg_val(0), wt = get_arg_val(1);
  binary_op_init(CB_A, CB_G, CB_C);
  cb_wait_front(CB_MEAN, 1);
  cb_wait_front(CB_EPSILON, 1);
  cb_wait_front(CB_G, wt);
  for (uint32_t h = 0; h < ht; h++) {
    cb_wait_front(CB_A, wt);
    square(wt);
    scale_of_rows(wt);
    cb_wait_front(CB_SCALE, 1);
    multiply(CB_A, CB_SCALE, BROADCAST_COL, CB_NORM, wt);
    cb_pop_front(CB_A, wt);
    cb_pop_front(CB_SCALE, 1);
    cb_wait_front(CB_NORM, wt);
    multiply(CB_NORM, CB_G, BROADCAST_ROW, CB_C, wt);
    cb_pop_front(CB_NORM, wt);
  }
}
