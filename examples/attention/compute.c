/* A fused attention block, one row of data tiles of Q at a time. Arguments: St, Tt, Dt (rows of Q, rows of K and V, features, in tiles).
 *
 *   0  K transposed, once                                                                           buffer 24
 *   1  Q / sqrt(features)                 mul with a tile of that number                            buffer 25
 *   2  scores                             matmul with K transposed                                  buffer 26
 *   3  maximum of each row                reduce                                                    buffer 28
 *   4  e^(score - maximum)                sub with the column broadcast, then exp                   buffer 27
 *   5  1 / sum of each row                matmul with a column of ones, then recip                  buffer 28
 *   6  probabilities                      mul with the column broadcast                             buffer 26
 *   7  probabilities x V                  matmul                                                    buffer 16 */
#include "compute.h"
#include "sfpu.h"

enum { CB_Q = 0, CB_K = 1, CB_V = 2, CB_FACTOR = 3, CB_SCALER = 4, CB_ONES = 5, CB_C = 16 };
enum { CB_KT = 24, CB_QS = 25, CB_SCORE = 26, CB_EXP = 27, CB_ROWS = 28 };

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}

/* Tile (t, d) of K becomes tile (d, t): the unpacker transposes the faces, and the tiles are read in transposed order. */
static void transpose_k(uint32_t tt, uint32_t dt) {
  cb_wait_front(CB_K, tt * dt);
  transpose_wh_init(CB_K);
  for (uint32_t d = 0; d < dt; d++)
    for (uint32_t t = 0; t < tt; t++) {
      tile_regs_acquire();
      transpose_wh_tile(CB_K, t * dt + d, 0);
      pack_one(CB_KT);
    }
  cb_wait_front(CB_KT, tt * dt);
}

static void each(uint32_t type, uint32_t cb_a, uint32_t cb_b, uint32_t broadcast, uint32_t cb_out, uint32_t tiles,
                 uint32_t exponential) {
  cb_wait_front(cb_a, tiles);
  cb_wait_front(cb_b, 1);
  compute_reconfigure_inputs(cb_a, cb_b, 0);
  eltwise_init(type, broadcast);
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    eltwise_tiles(cb_a, cb_b, i, 0, 0);
    if (exponential) exp_tile(0);
    pack_one(cb_out);
  }
}

/* A row of `inner` tiles times inner x columns tiles. */
static void product(uint32_t cb_a, uint32_t cb_b, uint32_t cb_out, uint32_t inner, uint32_t columns) {
  cb_wait_front(cb_a, inner);
  mm_init_short(cb_a, cb_b);
  for (uint32_t n = 0; n < columns; n++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < inner; k++) matmul_tiles(cb_a, cb_b, k, k * columns + n, 0);
    pack_one(cb_out);
  }
}

static void row_max(uint32_t tt) {
  cb_wait_front(CB_SCORE, tt);
  reduce_init(POOL_MAX, REDUCE_ROW, CB_SCORE, CB_SCALER);
  tile_regs_acquire();
  for (uint32_t t = 0; t < tt; t++) reduce_tile(CB_SCORE, CB_SCALER, t, 0, 0);
  reduce_row_done(0);
  pack_one(CB_ROWS);
}

static void row_inverse_sum(uint32_t tt) {
  cb_wait_front(CB_EXP, tt);
  mm_init_short(CB_EXP, CB_ONES);
  tile_regs_acquire();
  for (uint32_t t = 0; t < tt; t++) matmul_tiles(CB_EXP, CB_ONES, t, 0, 0);
  recip_tile(0);
  pack_one(CB_ROWS);
}

static void one_row(uint32_t tt, uint32_t dt) {
  each(ELWMUL_TYPE, CB_Q, CB_FACTOR, BROADCAST_NONE, CB_QS, dt, 0);
  cb_pop_front(CB_Q, dt);
  product(CB_QS, CB_KT, CB_SCORE, dt, tt);
  cb_pop_front(CB_QS, dt);
  row_max(tt);
  each(ELWSUB_TYPE, CB_SCORE, CB_ROWS, BROADCAST_COL, CB_EXP, tt, 1);
  cb_pop_front(CB_SCORE, tt);
  cb_pop_front(CB_ROWS, 1);
  row_inverse_sum(tt);
  each(ELWMUL_TYPE, CB_EXP, CB_ROWS, BROADCAST_COL, CB_SCORE, tt, 0);
  cb_pop_front(CB_EXP, tt);
  cb_pop_front(CB_ROWS, 1);
  product(CB_SCORE, CB_V, CB_C, tt, dt);
  cb_pop_front(CB_SCORE, tt);
}

void kernel_main(void) {
  uint32_t st = get_arg_val(0), tt = get_arg_val(1), dt = get_arg_val(2);
  unary_op_init(CB_K, CB_C);
  transpose_k(tt, dt);
  cb_wait_front(CB_V, tt * dt);
  cb_wait_front(CB_FACTOR, 1);
  cb_wait_front(CB_SCALER, 1);
  cb_wait_front(CB_ONES, 1);
  for (uint32_t s = 0; s < st; s++) one_row(tt, dt);
}
