// Calls the C++ compute API, for tests/cli_kernel_api.sh: argument 0 chooses the operation on four tiles of buffers 0 and 1 (64 x 64 numbers
// each, tiles in rows of two), the result goes to buffer 16. A core has 24 KiB of code, so that the operations are two programs: FIRST_HALF has
// those below 11.
#include <cstdint>
#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reduce.h"
#include "api/compute/tilize.h"
#include "api/compute/untilize.h"
#include "api/debug/dprint.h"

constexpr auto a = tt::CBIndex::c_0, b = tt::CBIndex::c_1, between = tt::CBIndex::c_24, out = tt::CBIndex::c_16;
using Reuse = EltwiseBinaryReuseDestType;

// Instantiated once: this is most of the code.
__attribute__((noinline)) static void finish() {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(out, 1);
  pack_tile(0, out);
  cb_push_back(out, 1);
  tile_regs_release();
}
template <typename F> static void each(F f, uint32_t tiles = 4) {
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    f(i);
    finish();
  }
}
__attribute__((noinline)) static void start() { compute_kernel_hw_startup(a, b, out); }

#ifdef FIRST_HALF
static void binary(uint32_t op) {
  start();
  switch (op) {
    case 0:
      add_init(a, b);
      each([](uint32_t i) { add_tiles(a, b, i, i, 0); });
      break;
    case 1:
      sub_tiles_init(a, b);
      each([](uint32_t i) { sub_tiles(a, b, i, i, 0); });
      break;
    case 2:
      mul_init(a, b);
      each([](uint32_t i) { mul_tiles(a, b, i, i, 0); });
      break;
    case 3:
      add_init(a, b, true);
      each([](uint32_t i) {
        add_tiles(a, b, i, i, 0);
        add_tiles(a, b, i, i, 0);
      });
      break;
    case 4:
      mul_bcast_rows_init(a, b);
      each([](uint32_t i) { mul_tiles_bcast_rows(a, b, i, i, 0); });
      break;
    case 5:
      sub_bcast_cols_init_short(a, b);
      each([](uint32_t i) { sub_tiles_bcast_cols(a, b, i, i, 0); });
      break;
    default:
      init_bcast<ELWADD, BroadcastType::SCALAR>(a, b, out);
      each([](uint32_t i) { any_tiles_bcast<ELWADD, BroadcastType::SCALAR>(a, b, i, i, 0); });
  }
}

template <EltwiseBinaryType type, Reuse reuse> static void reused() {
  start();
  each([](uint32_t i) {
    copy_tile_to_dst_init_short(a);
    copy_tile(a, i, 0);
    binary_dest_reuse_tiles_init<type, reuse>(b);
    binary_dest_reuse_tiles<type, reuse>(b, i, 0);
  });
}

#else
template <BroadcastType broadcast> static void repeated() {
  unary_bcast_init<broadcast>(a, out);
  each([](uint32_t i) { unary_bcast<broadcast>(a, i, 0); });
}

// Two tiles onto one; the other two tiles of the result are copies.
template <PoolType pool, ReduceDim dim> static void reduced() {
  start();
  reduce_init<pool, dim>(a, b, out);
  each(
      [](uint32_t i) {
        reduce_tile<pool, dim>(a, b, 2 * i, 0, 0);
        reduce_tile<pool, dim>(a, b, 2 * i + 1, 0, 0);
      },
      2);
  reduce_uninit();
  copy_tile_to_dst_init_short(a);
  each([](uint32_t i) { copy_tile(a, 2 + i, 0); }, 2);
}

static void there_and_back() {
  compute_kernel_hw_startup(a, out);
  for (uint32_t row = 0; row < 2; row++) {
    untilize_init(a);
    pack_reconfig_data_format(between);
    cb_reserve_back(between, 2);
    untilize_block(a, 2, between);
    cb_push_back(between, 2);
    cb_pop_front(a, 2);
    cb_wait_front(between, 2);
    tilize_init(between, 2, out);
    pack_reconfig_data_format(out);
    cb_reserve_back(out, 2);
    tilize_block(between, 2, out);
    cb_push_back(out, 2);
    cb_pop_front(between, 2);
  }
}

static void product() {
  mm_block_init(a, b, out, 0, 2, 2, 2);
  tile_regs_acquire();
  for (uint32_t k = 0; k < 2; k++) matmul_block(a, b, k, 2 * k, 0, 0, 2, 2, 2);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(out, 4);
  for (uint32_t i = 4; i-- > 0;) pack_tile<true>(i, out, i); // out of order
  cb_push_back(out, 4);
  tile_regs_release();
}

static void unary(uint32_t op) {
  init_sfpu(a, out);
  if (op == 19) transpose_wh_init_short(a);
  each([op](uint32_t i) {
    if (op == 19) transpose_wh_tile(a, i, 0);
    else copy_tile(a, i, 0);
    if (op == 20 || op == 21) exp_tile_init();
    if (op == 20) exp_tile(0, VectorMode::C);
    if (op == 21) exp_tile<true>(0, VectorMode::R);
  });
}
#endif

void kernel_main() {
  uint32_t op = get_arg_val<uint32_t>(0);
  cb_wait_front(a, 4);
  cb_wait_front(b, 4);
  switch (op) {
#ifdef FIRST_HALF
    case 7: reused<ELWADD, Reuse::DEST_TO_SRCA>(); break;
    case 8: reused<ELWSUB, Reuse::DEST_TO_SRCA>(); break;
    case 9: reused<ELWSUB, Reuse::DEST_TO_SRCB>(); break;
    case 10: reused<ELWMUL, Reuse::DEST_TO_SRCA>(); break;
    default: binary(op);
#else
    case 11: repeated<BroadcastType::COL>(); break;
    case 12: repeated<BroadcastType::ROW>(); break;
    case 13: reduced<PoolType::SUM, ReduceDim::REDUCE_ROW>(); break;
    case 14: reduced<PoolType::SUM, ReduceDim::REDUCE_COL>(); break;
    case 15: reduced<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(); break;
    case 16: reduced<PoolType::MAX, ReduceDim::REDUCE_ROW>(); break;
    case 17: there_and_back(); break;
    case 18: product(); break;
    default: unary(op);
#endif
  }
  DPRINT_PACK("operation {} of {}: {:+} {}\n", op, "api_run", -15, true);
  DPRINT_UNPACK("{}\n", HEX{0xabc});
}
