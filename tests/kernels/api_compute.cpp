// The compute API's names in C++, by the vendor's include paths: everything here compiles for all three T cores.
#include <cstdint>

#define DEBUG_CB_HASH
#define REDUCE_OP PoolType::MAX
#define REDUCE_DIM ReduceDim::REDUCE_COL

#include "api/compute/bcast.h"
#include "api/compute/common.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reduce.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/tilize.h"
#include "api/debug/dprint.h"
#include "compute_kernel_api/transpose_wh.h"

constexpr auto cb_in0 = tt::CBIndex::c_0, cb_in1 = tt::CBIndex::c_1, cb_out = tt::CBIndex::c_16;

static void products() {
  compute_kernel_hw_startup<SrcOrder::Reverse>(cb_in0, cb_in1, cb_out);
  matmul_init(cb_in0, cb_in1);
  matmul_tiles(cb_in0, cb_in1, 0, 0, 0);
  mm_init(cb_in0, cb_in1, cb_out, 0);
  mm_block_init(cb_in0, cb_in1, cb_out, 0, 2, 2, 1);
  matmul_block(cb_in0, cb_in1, 0, 0, 0, 0, 2, 2, 1);
}

static void elementwise() {
  compute_kernel_hw_startup(cb_in0, cb_in1, cb_out);
  add_init(cb_in0, cb_in1);
  add_tiles(cb_in0, cb_in1, 0, 0, 0);
  mul_tiles_init(cb_in0, cb_in1);
  sub_bcast_cols_init_short(cb_in0, cb_in1);
  sub_tiles_bcast_cols(cb_in0, cb_in1, 0, 0, 0);
  mul_tiles_bcast<BroadcastType::ROW>(cb_in0, cb_in1, 0, 0, 0);
  binary_dest_reuse_tiles_init<EltwiseBinaryType::ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(cb_in0);
  binary_dest_reuse_tiles<EltwiseBinaryType::ELWMUL, EltwiseBinaryReuseDestType::DEST_TO_SRCA>(cb_in0, 0, 0);
  unary_bcast_init<BroadcastType::COL>(cb_in0, cb_out);
  unary_bcast<BroadcastType::COL>(cb_in0, 0, 0);
  reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_in0, cb_in1, cb_out);
  reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_in0, cb_in1, 0, 0, 0);
  reduce_uninit();
}

static void copies() {
  init_sfpu(cb_in0, cb_out);
  copy_tile_to_dst_init_short(cb_in0);
  copy_tile(cb_in0, 0, 0);
  exp_tile_init();
  exp_tile(0);
  tilize_init(cb_in0, 4, cb_out);
  tilize_block(cb_in0, 4, cb_out);
  untilize_init(cb_in0);
  untilize_block(cb_in0, 4, cb_out);
  transpose_wh_init_short(cb_in0);
  transpose_wh_tile(cb_in0, 0, 0);
  reconfig_data_format(cb_in0, cb_in1);
  reconfig_data_format_srca(cb_in0);
  pack_reconfig_data_format(cb_in0, cb_out);
  pack_tile<true>(0, cb_out, 3);
  pack_tile(0, cb_out, 1);
  pack_tile_block(0, cb_out, 2);
}

// One of each kind of signature; tests/test_sfpu.c runs every function.
static void vector_unit() {
  exp_tile_init<true>();
  exp_tile<true, false>(0, VectorMode::RC);
  exp_tile(0, (int)VectorMode::C);
  recip_tile<false>(1, VectorMode::C);
  sigmoid_tile<VectorMode::RC, true>(0);
  gelu_tile<false>(0);
  gelu_tile_init_pack<false>();
  gelu_tile_pack<false>(0);
  sigmoid_tile_pack<VectorMode::C, false>(0);
  softplus_tile_pack(0, 0x3f800000, 0x3f800000, 0x41a00000);
  exp_packthread_tile_init<true>();
  exp_packthread_tile<true, true>(0, VectorMode::C, 0x3f00);
  power_tile(0, 0x40000000);
  clamp_tile(0, 0, 0x3f800000);
  add_binary_tile_init();
  add_binary_tile(0, 1, 0);
  add_int_tile<DataFormat::Int32>(0, 1, 0);
  where_tile<DataFormat::Float16_b>(0, 1, 2, 0);
  where_tile<DataFormat::Int32>(0, 1, 2, 0);
  typecast_tile_init<(uint32_t)DataFormat::Int32, (uint32_t)DataFormat::Float32>();
  typecast_tile<(uint32_t)DataFormat::Int32, (uint32_t)DataFormat::Float32>(0);
  typecast_tile<(uint32_t)DataFormat::Float32, (uint32_t)DataFormat::UInt32>(0);
  fill_tile(0, 1.5f);
  fill_tile_int<DataFormat::Int32>(0, 7);
  round_tile(0, 2);
  bitwise_and_tile<DataFormat::Int32>(0, 255);
  copy_dest_values(0, 1);
  mask_tile(0, 1);
  reconfig_full_operand_srca(cb_in0);
  reconfig_df_both(cb_in0, cb_in1);
  fast_tilize_block(cb_in0, 2, cb_out);
}

// tests/test_sort.c and tests/test_pool.c run what is behind these names.
static void rows_and_sorting() {
  ckernel::topk_tile_init();
  ckernel::topk_local_sort<true>(0, 0, 5);
  topk_local_sort(0, 1, 5, 5, 4, 6);
  topk_merge<false, true>(0, 0, 32);
  topk_rebuild(0, true, 0, 32, 5, 1);
  topk_uint16_prepare_value_tile_for_pack(0);
  ema_init(0x3f000000, 0x3f000000);
  ema_clear_previous_output();
  ema_tile(0);
  reshuffle_rows_tile_init();
  reshuffle_rows_tile(0, 0x80000);
  tiled_prod_tile_init();
  tiled_prod_tile(0);
  max_reduce_with_indices_init();
  max_reduce_with_indices<9>(0, 2);
  max_reduce_with_indices<32, ckernel::DataLayout::ROW_MAJOR, true>(0, 2, 1);
  polygamma_tile(0, 0x40000000, 0xc0000000);
  sfpu_add_int(0);
  eqz_tile_uint16(0);
  relu_max_tile_uint16(0, 7);
  add_int_tile<DataFormat::UInt16>(0, 1, 0);
  typecast_tile_init<(uint32_t)DataFormat::UInt16, (uint32_t)DataFormat::Float16_b>();
  typecast_tile<(uint32_t)DataFormat::UInt16, (uint32_t)DataFormat::Float16_b>(0);
  tilizeA_B_reduce_init<true, false>(cb_in0, cb_in1, 4);
  unpack_tilizeA_B_block<true, true, false, false>(cb_in0, cb_in1, 4, 0);
  reduce_tile_math<PoolType::MAX, ReduceDim::REDUCE_COL>(0);
  unpack_tilizeA_B_uninit(cb_in0);
}

static void debugging() {
  uint32_t row[8];
  set_fp32_dest_acc<DST_ACCUM_MODE != 0>();
  dbg_halt();
  dbg_read_dest_tile<DataFormat::Float16_b>(0, (void *)0x140000);
  dbg_write_dest_tile<DataFormat::Float16_b>(1, (const void *)0x140000);
  dbg_read_dest_acc_row(0, row);
  dbg_unhalt();
  hash_cb_trisc(cb_in0, 1, 7);
  clear_compute_special_value_flags();
  uint32_t flags = get_compute_special_value_flags();
  ASSERT(!get_compute_special_value_flags_fpu(flags) && !get_compute_special_value_flags_sfpu(flags));
  DPRINT("{}", TileSlice(cb_in0, 0, SliceRange::hw0_32_16()));
  restore_fp32_dest_acc<DST_ACCUM_MODE != 0>();
}

/* Forms of signatures beside the usual ones. */
static void other_forms() {
  PACK((llk_pack_relu_config(ReluConfig::zero())));
  pack_relu_config(ReluConfig::none());
  static_assert(ReluConfig::from_packed(0x3f800002u).get_threshold() == 0x3f80u, "the upper half");
  copy_dest_values<DataFormat::Float16_b>(1, 0);
  transpose_wh_dest_init_short<false>();
  transpose_wh_dest<false>(0);
  leaky_relu_tile(0);
  copy_tile_to_dst_init_short(cb_in0, 1, 1);
  tilize_block(cb_in0, 1, cb_out, 0, 0);
  fast_tilize_block(cb_in0, 1, cb_out, 0, 0);
}

namespace NAMESPACE {
void MAIN {
  uint32_t tiles = get_arg_val<uint32_t>(0);
  for (uint32_t i = 0; i < tiles; i++) {
    acquire_dst();
    products();
    elementwise();
    copies();
    vector_unit();
    rows_and_sorting();
    debugging();
    other_forms();
    release_dst();
  }
  DPRINT_MATH("{} tiles, {} done\n", tiles, 1.5f);
  DPRINT << "end" << ENDL();
}
} // namespace NAMESPACE
