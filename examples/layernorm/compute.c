/* Layer norm over rows that are Wt data tiles wide. Arguments: Ht, Wt.
 *
 *   1  mean                               matmul with a column of 1/columns                         buffer 24
 *   2  A - mean                           sub with the column broadcast                             buffer 25
 *   3  (A - mean)^2                       mul                                                       buffer 26
 *   4  1 / sqrt(variance + epsilon)       matmul with that column, then rsqrt                       buffer 24
 *   5  (A - mean) * that                  mul with the column broadcast                             buffer 26
 *   6  that * g + b                       mul, then add with row 0 of g and b broadcast             buffers 27, 16 */
#include "compute.h"
#include "sfpu.h"

enum {
  CB_A = 0,
  CB_G = 1,
  CB_B = 2,
  CB_MEAN = 3,
  CB_EPSILON = 4,
  CB_C = 16,
  CB_ROWS = 24,
  CB_CENTRED = 25,
  CB_WORK = 26,
  CB_SCALED = 27
};

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

/* One number per row: the mean of wt tiles; with `inverse` 1 / sqrt(mean + epsilon). */
static void rows_of(uint32_t cb, uint32_t wt, uint32_t inverse) {
  cb_wait_front(cb, wt);
  mm_init_short(cb, CB_MEAN);
  tile_regs_acquire();
  if (inverse) matmul_tiles(CB_EPSILON, CB_MEAN, 0, 0, 0);
  for (uint32_t w = 0; w < wt; w++) matmul_tiles(cb, CB_MEAN, w, 0, 0);
  if (inverse) rsqrt_tile(0);
  pack_one(CB_ROWS);
}

/* cb_out = cb_a op cb_b, tile by tile. */
static void each(uint32_t type, uint32_t cb_a, uint32_t cb_b, uint32_t broadcast, uint32_t cb_out, uint32_t wt) {
  cb_wait_front(cb_a, wt);
  compute_reconfigure_inputs(cb_a, cb_b, 0);
  eltwise_init(type, broadcast);
  for (uint32_t w = 0; w < wt; w++) {
    tile_regs_acquire();
    eltwise_tiles(cb_a, cb_b, w, broadcast == BROADCAST_COL ? 0 : w, 0);
    pack_one(cb_out);
  }
}

static void one_row(uint32_t wt) {
  rows_of(CB_A, wt, 0);
  cb_wait_front(CB_ROWS, 1);
  each(ELWSUB_TYPE, CB_A, CB_ROWS, BROADCAST_COL, CB_CENTRED, wt);
  cb_pop_front(CB_ROWS, 1);
  cb_pop_front(CB_A, wt);
  each(ELWMUL_TYPE, CB_CENTRED, CB_CENTRED, BROADCAST_NONE, CB_WORK, wt);
  rows_of(CB_WORK, wt, 1);
  cb_pop_front(CB_WORK, wt);
  cb_wait_front(CB_ROWS, 1);
  each(ELWMUL_TYPE, CB_CENTRED, CB_ROWS, BROADCAST_COL, CB_WORK, wt);
  cb_pop_front(CB_ROWS, 1);
  cb_pop_front(CB_CENTRED, wt);
  each(ELWMUL_TYPE, CB_WORK, CB_G, BROADCAST_ROW, CB_SCALED, wt);
  cb_pop_front(CB_WORK, wt);
  each(ELWADD_TYPE, CB_SCALED, CB_B, BROADCAST_ROW, CB_C, wt);
  cb_pop_front(CB_SCALED, wt);
}

void kernel_main(void) {
  uint32_t ht = get_arg_val(0), wt = get_arg_val(1);
  binary_op_init(CB_A, CB_G, CB_C);
  cb_wait_front(CB_MEAN, 1);
  cb_wait_front(CB_EPSILON, 1);
  cb_wait_front(CB_G, wt);
  cb_wait_front(CB_B, wt);
  for (uint32_t h = 0; h < ht; h++) one_row(wt);
}
