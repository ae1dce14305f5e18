// As api_run.cpp, further operations: argument 0 chooses the operation on four tiles of buffers 0 and 1 (64 x 64 numbers
// each, tiles in rows of two), the result goes to buffer 16.
#include <cstdint>
#include "api/compute/bcast.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/pack_untilize.h"
#include "api/compute/reduce.h"
#include "api/compute/reduce_custom.h"
#include "api/compute/tilize.h"
#include "api/compute/transpose_dest.h"

constexpr auto a = tt::CBIndex::c_0, b = tt::CBIndex::c_1, between = tt::CBIndex::c_24, out = tt::CBIndex::c_16;

// Instantiated once: a core has 24 KiB of code.
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

// Untilizes, then tilizes again: 2 x 2 tiles at once, or column by column of a row that is two tiles wide.
template <bool by_columns> static void rows_and_back() {
  compute_kernel_hw_startup(a, out);
  pack_untilize_init<by_columns ? 1 : 2, 2>(a, between);
  for (uint32_t row = 0; row < 2; row++) {
    cb_reserve_back(between, 2);
    if (by_columns) {
      for (uint32_t column = 0; column < 2; column++) {
        tile_regs_acquire();
        copy_tile(a, column, 0);
        tile_regs_commit();
        tile_regs_wait();
        pack_untilize_dest<1, 2>(between, 1, column);
        tile_regs_release();
      }
    } else {
      pack_untilize_block<2>(a, 1, between);
    }
    cb_push_back(between, 2);
    cb_pop_front(a, 2);
    cb_wait_front(between, 2);
    tilize_init(between, 2, out);
    pack_reconfig_data_format(out);
    cb_reserve_back(out, 2);
    tilize_block(between, 2, out);
    cb_push_back(out, 2);
    cb_pop_front(between, 2);
    pack_untilize_init<2>(a, between);
  }
}

static void product_transposed(bool block) {
  if (block) mm_block_init(a, b, out, 1, 2, 2, 2);
  else mm_init(a, b, out, 1);
  if (block) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < 2; k++) matmul_block(a, b, k, 2 * k, 0, 1, 2, 2, 2);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(out, 4);
    pack_block(0, out, 4);
    cb_push_back(out, 4);
    tile_regs_release();
    return;
  }
  each([](uint32_t i) {
    for (uint32_t k = 0; k < 2; k++) matmul_tiles(a, b, i / 2 * 2 + k, 2 * k + i % 2, 0);
  });
}

// In place, of the sum of both; transposed in Dst or only within the faces.
template <bool of_faces> static void transposed_in_dst() {
  start();
  add_init(a, b);
  each([](uint32_t i) {
    add_tiles(a, b, i, i, 0);
    transpose_dest_init();
    transpose_dest<false, of_faces>(0);
    add_init(a, b);
  });
}

static void block_maximum() {
  start();
  reduce_block_max_row_init<2>(out);
  each([](uint32_t i) { reduce_block_max_row<2>(a, b, 2 * i, 0); }, 2);
  reduce_block_max_row_uninit(a);
  copy_tile_to_dst_init_short(a);
  each([](uint32_t i) { copy_tile(a, 2 + i, 0); }, 2);
}

// 24 rows of 16 numbers of each tile, to the page of the output in order.
static void some_rows() {
  init_sfpu(a, out);
  pack_rows_init(24);
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire();
    copy_tile(a, i, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(out, 1);
    pack_rows(0, out);
    cb_push_back(out, 1);
    tile_regs_release();
  }
  pack_rows_uninit();
}

void kernel_main() {
  uint32_t op = get_arg_val<uint32_t>(0);
  cb_wait_front(a, 4);
  cb_wait_front(b, 4);
  switch (op) {
    case 22: rows_and_back<false>(); break;
    case 23: rows_and_back<true>(); break;
    case 24: product_transposed(false); break;
    case 25: product_transposed(true); break;
    case 26: transposed_in_dst<true>(); break;
    case 27: transposed_in_dst<false>(); break;
    case 28: block_maximum(); break;
    default: some_rows();
  }
}
