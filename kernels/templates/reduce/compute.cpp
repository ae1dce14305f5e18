// TRISC0 to TRISC2: the tiles of a row are reduced into one tile of Dst. Arguments: rows and columns of tiles.
#include "api/compute/reduce.h"

void kernel_main() {
  constexpr uint32_t cb_in = tt::CBIndex::c_0, cb_factor = tt::CBIndex::c_1, cb_out = tt::CBIndex::c_16;
  const uint32_t Ht = get_arg_val<uint32_t>(0), Wt = get_arg_val<uint32_t>(1);
  compute_kernel_hw_startup(cb_in, cb_factor, cb_out);
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_in, cb_factor, cb_out);
  cb_wait_front(cb_factor, 1);
  for (uint32_t h = 0; h < Ht; h++) {
    tile_regs_acquire();
    for (uint32_t w = 0; w < Wt; w++) {
      cb_wait_front(cb_in, 1);
      reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_in, cb_factor, 0, 0, 0);
      cb_pop_front(cb_in, 1);
    }
    tile_regs_commit();
    cb_reserve_back(cb_out, 1);
    tile_regs_wait();
    pack_tile(0, cb_out);
    tile_regs_release();
    cb_push_back(cb_out, 1);
  }
  reduce_uninit();
}
