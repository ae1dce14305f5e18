// As api_run.cpp: the vector unit on rows and columns of tiles. Together the operations do not fit into a core's code: FIRST_HALF has those below 37.
#include <cstdint>
#include "api/compute/cumsum.h"
#include "api/compute/sfpu_binary_bcast.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/welford.h"

constexpr auto a = tt::CBIndex::c_0, b = tt::CBIndex::c_1, out = tt::CBIndex::c_16;

__attribute__((noinline)) static void finish(uint32_t tile) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(out, 1);
  pack_tile(tile, out);
  cb_push_back(out, 1);
  tile_regs_release();
}
__attribute__((noinline)) static void take_both(uint32_t i) {
  tile_regs_acquire();
  copy_tile(a, i, 0);
  copy_tile(b, i, 1);
}
template <BroadcastType broadcast, EltwiseBinaryType type> static void with_vector() {
  sfpu_bcast_init<broadcast>();
  for (uint32_t i = 0; i < 4; i++) {
    take_both(i);
    sfpu_bcast<broadcast, type>(0, 1);
    if (broadcast == BroadcastType::COL) copy_tile_init(a);
    finish(0);
  }
}
template <PoolType pool, ReduceDim dim> static void reduced() {
  sfpu_reduce_init<pool, DataFormat::Float16_b>();
  for (uint32_t i = 0; i < 4; i++) {
    take_both(i);
    sfpu_reduce<pool, DataFormat::Float16_b, dim>(0);
    copy_tile_init(a);
    finish(0);
  }
}
// Down the two tiles of each column of tiles; the output is in the order 0 2 1 3.
[[maybe_unused]] static void cumulated() {
  cumsum_tile_init();
  for (uint32_t column = 0; column < 2; column++)
    for (uint32_t row = 0; row < 2; row++) {
      take_both(2 * row + column);
      cumsum_tile(0, row == 0);
      finish(0);
    }
}
// Of each column of tiles: means and variances over 32 + 20 rows; then the same with the state saved and restored, and by a table.
[[maybe_unused]] static void statistics() {
  constexpr std::array<uint32_t, 2> two = {0x3f800000, 0x3f000000};
  for (uint32_t column = 0; column < 2; column++)
    for (uint32_t variance = 0; variance < 2; variance++) {
      tile_regs_acquire();
      copy_tile(a, column, 0);
      copy_tile(a, 2 + column, 1);
      copy_tile(b, 0, 2);
      copy_tile(b, 0, 3);
      welford_init();
      if (variance) welford_update<2>(0, 0, two);
      else welford_update<0>(0, 0, {});
      if (variance) {
        welford_save_state(2);
        welford_clear();
        welford_restore_state(2);
      }
      welford_update_rows<0>(1, 32, 4, 20, {});
      welford_finalize_to_row<0>(2, 51, {});
      finish(2 + variance);
    }
}

[[maybe_unused]] static void rotated(bool add) {
  sfpu_add_top_row_init();
  alt_complex_rotate90_tile_init();
  for (uint32_t i = 0; i < 4; i++) {
    take_both(i);
    if (add) sfpu_add_top_row<DataFormat::Float16_b>(0, 1, 1);
    else alt_complex_rotate90_tile(0);
    finish(add ? 1 : 0);
  }
}

void kernel_main() {
  cb_wait_front(a, 4);
  cb_wait_front(b, 4);
  compute_kernel_hw_startup(a, out);
  copy_tile_init(a);
  switch (get_arg_val<uint32_t>(0)) {
#ifdef FIRST_HALF
    case 30: with_vector<BroadcastType::ROW, ELWADD>(); break;
    case 31: with_vector<BroadcastType::ROW, ELWMUL>(); break;
    case 32: with_vector<BroadcastType::COL, ELWSUB>(); break;
    case 33: reduced<PoolType::SUM, ReduceDim::REDUCE_COL>(); break;
    case 34: reduced<PoolType::MAX, ReduceDim::REDUCE_COL>(); break;
    case 35: reduced<PoolType::MIN, ReduceDim::REDUCE_ROW>(); break;
    case 36: reduced<PoolType::AVG, ReduceDim::REDUCE_ROW>(); break;
#else
    case 37: cumulated(); break;
    case 39: rotated(false); break;
    case 40: rotated(true); break;
    default: statistics();
#endif
  }
}
