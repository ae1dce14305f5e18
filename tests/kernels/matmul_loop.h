/* A matrix product in the vendor's C++ names, for the forms of one tile product: matmul_api.cpp, matmul_llk.cpp, matmul_mop.cpp.
 * Each defines multiply_tile(). The build defines num_tiles (tiles of the result) and Kt (products per tile). */
#pragma once

#include <cstdint>
#include "compute_kernel_api/matmul.h"

namespace {
constexpr tt::CBIndex left = tt::CBIndex::c_0, right = tt::CBIndex::c_1, result = tt::CBIndex::c_16;

/* Adds the product of the two front tiles to tile 0 of Dst. */
void multiply_tile();

void sum_products(uint32_t count) {
  while (count--) {
    cb_wait_front(left, 1);
    cb_wait_front(right, 1);
    multiply_tile();
    cb_pop_front(right, 1);
    cb_pop_front(left, 1);
  }
}

void write_tile() {
  cb_reserve_back(result, 1);
  tile_regs_wait();
  pack_tile(0, result);
  tile_regs_release();
  cb_push_back(result, 1);
}
} // namespace

namespace NAMESPACE {
void MAIN {
  mm_init(left, right, result);
  for (uint32_t tile = 0; tile != num_tiles; tile++) {
    tile_regs_acquire();
    sum_products(Kt);
    tile_regs_commit();
    write_tile();
  }
}
} // namespace NAMESPACE
