// TRISC0 to TRISC2: four steps per row of tiles, with intermediate results in buffers of L1. Arguments: rows and columns of tiles.
#include "api/compute/bcast.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/recip.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"

constexpr uint32_t cb_in = tt::CBIndex::c_0, cb_factor = tt::CBIndex::c_1, cb_out = tt::CBIndex::c_16;
constexpr uint32_t cb_max = tt::CBIndex::c_24, cb_exp = tt::CBIndex::c_25, cb_sum = tt::CBIndex::c_26;

static void pack_one(uint32_t cb) {
  tile_regs_commit();
  cb_reserve_back(cb, 1);
  tile_regs_wait();
  pack_tile(0, cb);
  tile_regs_release();
  cb_push_back(cb, 1);
}

// A row's largest number, so that no exponential overflows.
static void row_maximum(uint32_t Wt) {
  reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(cb_in, cb_factor, cb_max);
  tile_regs_acquire();
  for (uint32_t w = 0; w < Wt; w++) reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(cb_in, cb_factor, w, 0, 0);
  reduce_uninit();
  pack_one(cb_max);
}

static void exponentials(uint32_t Wt) {
  cb_wait_front(cb_max, 1);
  for (uint32_t w = 0; w < Wt; w++) {
    sub_bcast_cols_init_short(cb_in, cb_max);
    tile_regs_acquire();
    sub_tiles_bcast_cols(cb_in, cb_max, w, 0, 0);
    exp_tile_init();
    exp_tile(0);
    pack_one(cb_exp);
  }
  cb_pop_front(cb_max, 1);
}

static void reciprocal_of_sum(uint32_t Wt) {
  cb_wait_front(cb_exp, Wt);
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_exp, cb_factor, cb_sum);
  tile_regs_acquire();
  for (uint32_t w = 0; w < Wt; w++) reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_exp, cb_factor, w, 0, 0);
  reduce_uninit();
  recip_tile_init();
  recip_tile(0);
  pack_one(cb_sum);
}

static void quotients(uint32_t Wt) {
  cb_wait_front(cb_sum, 1);
  mul_bcast_cols_init_short(cb_exp, cb_sum);
  for (uint32_t w = 0; w < Wt; w++) {
    tile_regs_acquire();
    mul_tiles_bcast_cols(cb_exp, cb_sum, w, 0, 0);
    pack_one(cb_out);
  }
  cb_pop_front(cb_exp, Wt);
  cb_pop_front(cb_sum, 1);
}

void kernel_main() {
  const uint32_t Ht = get_arg_val<uint32_t>(0), Wt = get_arg_val<uint32_t>(1);
  compute_kernel_hw_startup(cb_in, cb_factor, cb_out);
  cb_wait_front(cb_factor, 1);
  for (uint32_t h = 0; h < Ht; h++) {
    cb_wait_front(cb_in, Wt);
    row_maximum(Wt);
    exponentials(Wt);
    cb_pop_front(cb_in, Wt);
    reciprocal_of_sum(Wt);
    quotients(Wt);
  }
}
