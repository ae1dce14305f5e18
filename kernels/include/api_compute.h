/* The compute API in C++ over compute.h and sfpu.h: the vendor's names, overloads and default arguments. Functions of the vector unit
 * come from sfpu_functions.def (sfpu.h); this file has the rest. An option that this library lacks stops the kernel with one line. */
#ifndef TENSIX_API_COMPUTE_H
#define TENSIX_API_COMPUTE_H

#include "api_common.h"
#include "api_sfpu.h"
#include "compute.h"
#include "pack_rows.h"
#include "transpose_dest.h"

namespace ckernel {
enum class SrcOrder : uint8_t { Regular, Reverse }; /* Reverse: icb1 feeds SrcA and icb0 SrcB, as in matmul */
enum BroadcastType { NONE = BROADCAST_NONE, COL = BROADCAST_COL, ROW = BROADCAST_ROW, SCALAR = BROADCAST_SCALAR };
enum EltwiseBinaryType { ELWADD = ELWADD_TYPE, ELWSUB = ELWSUB_TYPE, ELWMUL = ELWMUL_TYPE };
enum class EltwiseBinaryReuseDestType { NONE, DEST_TO_SRCA, DEST_TO_SRCB };
static_assert((int)PoolType::MAX == POOL_MAX && (int)PoolType::AVG == POOL_AVG, "enum pool_type");
static_assert((int)ReduceDim::REDUCE_COL == ::REDUCE_COL && (int)ReduceDim::REDUCE_SCALAR == ::REDUCE_SCALAR,
              "enum reduce_dim");
enum class ReluType {
  NO_RELU = RELU_NONE,
  ZERO_RELU = RELU_ZERO,
  MIN_THRESHOLD_RELU = RELU_MIN_THRESHOLD,
  MAX_THRESHOLD_RELU = RELU_MAX_THRESHOLD
};

/* A mode of the packer's ReLU with its threshold, 16 bits. */
struct ReluConfig {
  static constexpr ReluConfig none() { return {ReluType::NO_RELU, 0}; }
  static constexpr ReluConfig zero() { return {ReluType::ZERO_RELU, 0}; }
  static constexpr ReluConfig min_threshold(uint32_t threshold) { return {ReluType::MIN_THRESHOLD_RELU, threshold}; }
  static constexpr ReluConfig max_threshold(uint32_t threshold) { return {ReluType::MAX_THRESHOLD_RELU, threshold}; }
  static constexpr ReluConfig from_packed(uint32_t word) { return {(ReluType)(word & 3u), word >> 16}; }
  constexpr ReluType get_mode() const { return mode; }
  constexpr uint32_t get_threshold() const { return threshold; }
  ReluType mode;
  uint32_t threshold;
};
} // namespace ckernel
using namespace ckernel;

/* --- starting --- */

/* SrcA and SrcB hold no INT32: such tiles are copied past them, and functions of the vector unit take both operands from Dst. */
inline bool compute_goes_past_src(uint32_t icb0, uint32_t icb1) {
  return cb_format(icb0) == DATA_FORMAT_INT32 || cb_format(icb1) == DATA_FORMAT_INT32;
}
template <SrcOrder order = SrcOrder::Regular>
inline void compute_kernel_hw_startup(uint32_t icb0, uint32_t icb1, uint32_t ocb) {
  if (compute_goes_past_src(icb0, icb1)) unary_op_init(icb0, ocb);
  else if (order == SrcOrder::Reverse) compute_configure(icb1, icb0, ocb, 0);
  else compute_configure(icb0, icb1, ocb, 0);
}
template <SrcOrder order = SrcOrder::Regular> inline void compute_kernel_hw_startup(uint32_t icb, uint32_t ocb) {
  unary_op_init(icb, ocb);
}
inline void unary_op_init_common(uint32_t icb, uint32_t ocb) {
  unary_op_init(icb, ocb);
  copy_tile_init(icb);
}
inline void binary_op_init_common(uint32_t icb0, uint32_t icb1, uint32_t ocb) {
  if (compute_goes_past_src(icb0, icb1)) unary_op_init_common(icb0, ocb);
  else binary_op_init(icb0, icb1, ocb);
}
inline void init_sfpu(uint32_t icb, uint32_t ocb) { unary_op_init_common(icb, ocb); }
inline void unary_op_init_common_no_pack(uint32_t icb) {
  FORMATS_OF_START(icb, icb, 3u);
  copy_tile_init(icb);
}

/* Sets the formats of the inputs from here on. Every *_init does this for its own buffers too, but not in the vendor's library: compute.h checks that
 * a kernel does not depend on it. */
template <SrcOrder order = SrcOrder::Regular> inline void reconfig_data_format(uint32_t icb0, uint32_t icb1) {
  const uint32_t a = order == SrcOrder::Reverse ? icb1 : icb0, b = order == SrcOrder::Reverse ? icb0 : icb1;
  FORMATS_OF_START(a, b, 3u);
  compute_reconfigure_inputs(a, b, 0);
}
template <SrcOrder order = SrcOrder::Regular>
inline void reconfig_data_format(uint32_t, uint32_t icb0, uint32_t, uint32_t icb1) {
  reconfig_data_format<order>(icb0, icb1);
}
inline void reconfig_data_format_srca(uint32_t srca) {
  FORMATS_OF_START(srca, srca, 1u);
  compute_reconfigure_inputs(srca, compute_input_cb[1], 0);
}
inline void reconfig_data_format_srca(uint32_t, uint32_t srca) { reconfig_data_format_srca(srca); }
inline void reconfig_data_format_srcb(uint32_t srcb) {
  FORMATS_OF_START(srcb, srcb, 2u);
  compute_reconfigure_inputs(compute_input_cb[0], srcb, 0);
}
inline void reconfig_data_format_srcb(uint32_t, uint32_t srcb) { reconfig_data_format_srcb(srcb); }
inline void pack_reconfig_data_format(uint32_t, uint32_t ocb) { pack_reconfig_data_format(ocb); }
template <bool tile_shape> inline void pack_reconfig_data_format(uint32_t ocb) { pack_reconfig_data_format(ocb); }
template <bool tile_shape> inline void pack_reconfig_data_format(uint32_t, uint32_t ocb) { pack_reconfig_data_format(ocb); }

/* The parts of one core, for kernels that call them inside UNPACK and MATH. */
enum class p_dim_stride_target { IGNORE, FACE_ROW_MAJOR };
#define RECONFIG_PART(name, change) \
  template <bool wide = DST_ACCUM_MODE, p_dim_stride_target shape = p_dim_stride_target::IGNORE, bool skip_int8 = false> \
  inline void name(uint32_t cb) { \
    change(cb); \
  } \
  template <bool wide = DST_ACCUM_MODE, p_dim_stride_target shape = p_dim_stride_target::IGNORE, bool skip_int8 = false> \
  inline void name(uint32_t, uint32_t cb) { \
    change(cb); \
  }
#ifdef TRISC_UNPACK
RECONFIG_PART(llk_unpack_reconfig_data_format_srca, reconfig_data_format_srca)
RECONFIG_PART(llk_unpack_reconfig_data_format_srcb, reconfig_data_format_srcb)
#endif

/* Aliases of the same change; all tiles are 32x32, so their shape never changes. */
#define RECONFIG_NAMES(name) \
  template <SrcOrder order = SrcOrder::Regular> inline void name(uint32_t icb0, uint32_t icb1) { \
    reconfig_data_format<order>(icb0, icb1); \
  } \
  template <SrcOrder order = SrcOrder::Regular> inline void name(uint32_t, uint32_t icb0, uint32_t, uint32_t icb1) { \
    reconfig_data_format<order>(icb0, icb1); \
  }
/* As inside the vendor's library: whether tiles change their shape, and whether INT8 is skipped; neither has an effect here. */
#define RECONFIG_TEMPLATES(name) \
  template <bool tile_shape, bool skip_int8> inline void name##_both(uint32_t icb0, uint32_t icb1) { \
    reconfig_data_format(icb0, icb1); \
  } \
  template <bool tile_shape, bool skip_int8> inline void name##_both(uint32_t, uint32_t icb0, uint32_t, uint32_t icb1) { \
    reconfig_data_format(icb0, icb1); \
  } \
  RECONFIG_SIDE_TEMPLATES(name, srca) RECONFIG_SIDE_TEMPLATES(name, srcb)
#define RECONFIG_SIDE_TEMPLATES(name, side) \
  template <bool tile_shape, bool skip_int8> inline void name##_##side(uint32_t cb) { reconfig_data_format_##side(cb); } \
  template <bool tile_shape, bool skip_int8> inline void name##_##side(uint32_t, uint32_t cb) { \
    reconfig_data_format_##side(cb); \
  }
#define RECONFIG_SIDE_NAMES(name, side) \
  inline void name##_##side(uint32_t cb) { reconfig_data_format_##side(cb); } \
  inline void name##_##side(uint32_t, uint32_t cb) { reconfig_data_format_##side(cb); }
#define RECONFIG_ALL(name) RECONFIG_SIDE_NAMES(name, srca) RECONFIG_SIDE_NAMES(name, srcb)
RECONFIG_NAMES(reconfig_full_operand)
RECONFIG_ALL(reconfig_full_operand)
RECONFIG_NAMES(reconfig_df_both)
RECONFIG_ALL(reconfig_df)
RECONFIG_TEMPLATES(reconfig_df)
template <SrcOrder = SrcOrder::Regular> inline void reconfig_tile_shape(uint32_t, uint32_t) {}
template <SrcOrder = SrcOrder::Regular> inline void reconfig_tile_shape(uint32_t, uint32_t, uint32_t, uint32_t) {}
inline void reconfig_tile_shape_srca(uint32_t, uint32_t = 0) {}
inline void reconfig_tile_shape_srcb(uint32_t, uint32_t = 0) {}

/* --- Dst, the older pair of calls --- */

inline void acquire_dst() {
  tile_regs_acquire();
  tile_regs_wait();
}
inline void release_dst() {
  tile_regs_commit();
  tile_regs_release();
}

/* --- matmul --- */

/* transpose: each tile of in1 is transposed. */
inline void mm_init(uint32_t in0, uint32_t in1, uint32_t out, uint32_t transpose) {
  mm_init(in0, in1, out);
  if (transpose) mm_init_transposed(in0, in1, 1);
}
inline void matmul_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0) { mm_init_transposed(in0, in1, transpose); }
inline void mm_init_short(uint32_t in0, uint32_t in1, uint32_t transpose) { matmul_init(in0, in1, transpose); }
inline void mm_init_short_with_dt(uint32_t in0, uint32_t in1, uint32_t, uint32_t transpose = 0) {
  FORMATS_OF_START(in1, in0, 1u);
  matmul_init(in0, in1, transpose);
}
inline void mm_init_short_with_both_dt(uint32_t in0, uint32_t in1, uint32_t, uint32_t, uint32_t transpose = 0) {
  FORMATS_OF_START(in1, in0, 3u);
  matmul_init(in0, in1, transpose);
}
inline void matmul_block_init(uint32_t in0, uint32_t in1, uint32_t transpose = 0, uint32_t ct = 1, uint32_t rt = 1,
                              uint32_t = 1) {
  mm_block_init_transposed(in0, in1, ct, rt, transpose);
}
inline void mm_block_init(uint32_t in0, uint32_t in1, uint32_t out, uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t) {
  mm_block_init(in0, in1, out, ct, rt);
  if (transpose) mm_block_init_transposed(in0, in1, ct, rt, 1);
}
inline void mm_block_init_short(uint32_t in0, uint32_t in1, uint32_t transpose, uint32_t ct, uint32_t rt, uint32_t) {
  matmul_block_init(in0, in1, transpose, ct, rt);
}
inline void mm_block_init_short_with_dt(uint32_t in0, uint32_t in1, uint32_t, uint32_t transpose, uint32_t ct, uint32_t rt,
                                        uint32_t) {
  FORMATS_OF_START(in1, in0, 1u);
  matmul_block_init(in0, in1, transpose, ct, rt);
}
inline void mm_block_init_short_with_both_dt(uint32_t in0, uint32_t in1, uint32_t, uint32_t, uint32_t transpose, uint32_t ct,
                                             uint32_t rt, uint32_t) {
  FORMATS_OF_START(in1, in0, 3u);
  matmul_block_init(in0, in1, transpose, ct, rt);
}
inline void matmul_tiles(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst, uint32_t) {
  matmul_tiles(in0, in1, tile0, tile1, dst); /* the last init has set whether to transpose */
}
inline void matmul_block(uint32_t in0, uint32_t in1, uint32_t tile0, uint32_t tile1, uint32_t dst, uint32_t, uint32_t ct,
                         uint32_t rt, uint32_t kt) {
  matmul_block(in0, in1, tile0, tile1, dst, ct, rt, kt);
}
/* Only the math core's part, for a kernel that unpacks by itself. */
inline void matmul_block_math_dynamic_throttle(uint32_t, uint32_t, uint32_t dst, uint32_t, uint32_t ct, uint32_t rt) {
  MATH(matmul_follow_throttle(ct >= rt);)
  MATH(math_matmul_block(dst, MATH_FIDELITY, matmul_block_throttle, ct, rt);)
  (void)dst, (void)ct, (void)rt;
}

/* --- add, subtract, multiply --- */

inline void binary_init(uint32_t type, uint32_t broadcast, uint32_t icb0, uint32_t icb1, uint32_t onto) {
  FORMATS_OF_INIT(icb0, icb1, 3u);
  compute_reconfigure_inputs(icb0, icb1, 0);
  eltwise_init_onto(type, broadcast, onto);
}
template <bool full = true, EltwiseBinaryType type = ELWADD>
inline void binary_tiles_init(uint32_t icb0, uint32_t icb1, bool onto = false) {
  binary_init(type, BROADCAST_NONE, icb0, icb1, onto);
}

/* NAME_init, NAME_tiles_init, NAME_block, NAME_bcast_{rows,cols,scalar}_init and NAME_tiles_bcast_{rows,cols,scalar} of one operation */
#define BINARY_BCAST(name, type, places, place, broadcast) \
  inline void name##_bcast_##places##_init(uint32_t icb0, uint32_t icb1) { binary_init(type, broadcast, icb0, icb1, 0); } \
  inline void name##_bcast_##places##_init_short(uint32_t icb0, uint32_t icb1) { \
    binary_init(type, broadcast, icb0, icb1, 0); \
  } \
  inline void name##_tiles_bcast_##places(uint32_t icb0, uint32_t icb1, uint32_t tile0, uint32_t tile1, uint32_t dst, \
                                          uint32_t row = 0) { \
    KERNEL_CHECK(row == 0, "broadcast: this library repeats row 0 only"); \
    eltwise_tiles(icb0, icb1, tile0, tile1, dst); \
    MATH(KERNEL_CALLED(#name "_" #places);) \
  }
#define BINARY_OPERATION(name, type) \
  inline void name##_init(uint32_t icb0, uint32_t icb1, bool onto = false) { \
    binary_init(type, BROADCAST_NONE, icb0, icb1, onto); \
  } \
  inline void name##_tiles_init(uint32_t icb0, uint32_t icb1, bool onto = false) { \
    binary_init(type, BROADCAST_NONE, icb0, icb1, onto); \
  } \
  inline void name##_block(uint32_t icb0, uint32_t icb1, uint32_t tile0, uint32_t tile1, uint32_t dst, uint32_t tiles) { \
    for (uint32_t i = 0; i < tiles; i++) eltwise_tiles(icb0, icb1, tile0 + i, tile1 + i, dst + i); \
    MATH(KERNEL_CALLED(#name "_block");) \
  } \
  BINARY_BCAST(name, type, rows, row, BROADCAST_ROW) \
  BINARY_BCAST(name, type, cols, col, BROADCAST_COL) \
  BINARY_BCAST(name, type, scalar, scalar, BROADCAST_SCALAR) \
  inline void name##_tiles_bcast_scalar_init_short(uint32_t icb0, uint32_t icb1) { \
    binary_init(type, BROADCAST_SCALAR, icb0, icb1, 0); \
  } \
  template <BroadcastType broadcast> \
  inline void name##_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t tile0, uint32_t tile1, uint32_t dst, \
                                 uint32_t row = 0) { \
    KERNEL_CHECK(row == 0, "broadcast: this library repeats row 0 only"); \
    eltwise_tiles(icb0, icb1, tile0, tile1, dst); \
    MATH(KERNEL_CALLED_AS(#name "_tiles_bcast", (uint32_t)broadcast);) \
  } \
  template <EltwiseBinaryReuseDestType reuse> inline void name##_reuse_dest_init(uint32_t icb) { \
    eltwise_reuse_init(type, icb); \
  } \
  template <EltwiseBinaryReuseDestType reuse> \
  inline void name##_reuse_dest_tiles(uint32_t icb, uint32_t tile, uint32_t dst) { \
    eltwise_reuse_tile(type, reuse == EltwiseBinaryReuseDestType::DEST_TO_SRCB, icb, tile, dst); \
  }
BINARY_OPERATION(add, ELWADD_TYPE)
BINARY_OPERATION(sub, ELWSUB_TYPE)
BINARY_OPERATION(mul, ELWMUL_TYPE)

template <EltwiseBinaryType type, BroadcastType broadcast>
inline void init_bcast(uint32_t icb0, uint32_t icb1, uint32_t ocb) {
  binary_op_init(icb0, icb1, ocb);
  eltwise_init(type, broadcast);
}
template <EltwiseBinaryType type, BroadcastType broadcast>
inline void any_tiles_bcast(uint32_t icb0, uint32_t icb1, uint32_t tile0, uint32_t tile1, uint32_t dst) {
  eltwise_tiles(icb0, icb1, tile0, tile1, dst);
}
template <EltwiseBinaryType type = ELWADD, EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE>
inline void binary_dest_reuse_tiles_init(uint32_t icb) {
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "binary_dest_reuse_tiles: DEST_TO_SRCA or DEST_TO_SRCB");
  eltwise_reuse_init(type, icb);
}
template <EltwiseBinaryType type = ELWADD, EltwiseBinaryReuseDestType reuse = EltwiseBinaryReuseDestType::NONE>
inline void binary_dest_reuse_tiles(uint32_t icb, uint32_t tile, uint32_t dst) {
  static_assert(reuse != EltwiseBinaryReuseDestType::NONE, "binary_dest_reuse_tiles: DEST_TO_SRCA or DEST_TO_SRCB");
  eltwise_reuse_tile(type, reuse == EltwiseBinaryReuseDestType::DEST_TO_SRCB, icb, tile, dst);
}
template <BroadcastType broadcast> inline void unary_bcast_init(uint32_t icb) { copy_bcast_init(icb, broadcast); }
template <BroadcastType broadcast> inline void unary_bcast_init(uint32_t icb, uint32_t ocb) {
  binary_op_init(icb, icb, ocb);
  copy_bcast_init(icb, broadcast);
}
template <BroadcastType broadcast> inline void unary_bcast(uint32_t icb, uint32_t tile, uint32_t dst) {
  copy_bcast_tile(icb, tile, dst);
}
template <BroadcastType broadcast> inline void unary_bcast_uninit(uint32_t) {}

/* --- copy and transpose --- */

inline void copy_tile_to_dst_init_short(uint32_t icb, uint32_t transpose = 0, uint32_t /* of 16x16 faces */ = 0) {
  if (transpose) transpose_wh_init(icb);
  else copy_tile_init(icb);
  copy_may_turn = 1;
}
inline void copy_tile_to_dst_init_short_with_dt(uint32_t, uint32_t icb, uint32_t transpose = 0) {
  FORMATS_OF_START(icb, icb, 1u);
  copy_tile_to_dst_init_short(icb, transpose);
}
inline void copy_block(uint32_t icb, uint32_t tile, uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; i++) copy_tile(icb, tile + i, dst + i);
}
inline void copy_block_matmul_partials(uint32_t icb, uint32_t tile, uint32_t dst, uint32_t tiles) {
  copy_block(icb, tile, dst, tiles);
}
inline void transpose_wh_init(uint32_t icb, uint32_t ocb) {
  unary_op_init(icb, ocb);
  transpose_wh_init(icb);
}
inline void transpose_wh_init_short(uint32_t icb) { transpose_wh_init(icb); }
inline void transpose_init(uint32_t icb) { transpose_wh_init(icb); }
inline void transpose_tile(uint32_t icb, uint32_t tile, uint32_t dst) { transpose_wh_tile(icb, tile, dst); }
inline void transpose_block(uint32_t icb, uint32_t tile, uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; i++) transpose_wh_tile(icb, tile + i, dst + i);
}

/* --- reduce --- */

template <PoolType pool = REDUCE_OP, ReduceDim dim = REDUCE_DIM, bool fp32 = false>
inline void reduce_init(uint32_t icb, uint32_t scaler, uint32_t) {
  static_assert(pool != PoolType::MIN, "reduce_init: the matrix unit has no minimum; negate, and take the maximum");
  reduce_init((uint32_t)pool, (uint32_t)dim, icb, scaler);
  MATH(pack_masked = 1;)
}
template <PoolType, ReduceDim> inline void reduce_init(uint32_t pool, uint32_t dim, uint32_t icb, uint32_t scaler) {
  reduce_init(pool, dim, icb, scaler); /* the form of compute.h, through the macro of kernel_api.h */
}
inline void reduce_uninit(uint32_t = 0) { MATH(pack_masked = 0;) }
/* Each call produces a finished tile: the result of the last call is transposed back first (the transpose is its own
 * inverse), or spread over its row again. */
template <PoolType pool = REDUCE_OP, ReduceDim dim = REDUCE_DIM, bool fp32 = false>
inline void reduce_tile(uint32_t icb, uint32_t scaler, uint32_t tile, uint32_t tile_scaler, uint32_t dst) {
  if (dim != ReduceDim::REDUCE_COL && dst_take_reduced(dst)) {
    if (dim == ReduceDim::REDUCE_ROW) reduce_row_done(dst);
    if (dim == ReduceDim::REDUCE_SCALAR) {
      MATH(math_reduce_scalar_again(dst);)
    }
  }
  reduce_onto(icb, scaler, tile, tile_scaler, dst);
  MATH(KERNEL_CALLED_AS("reduce_tile", (uint32_t)pool * 4u + (uint32_t)dim);)
  if (dim == ReduceDim::REDUCE_ROW) reduce_row_done(dst);
  if (dim == ReduceDim::REDUCE_SCALAR) reduce_scalar_done(dst);
  dst_set_reduced(dst);
}
template <PoolType pool = REDUCE_OP, ReduceDim dim = REDUCE_DIM, bool fp32 = false>
inline void reduce_block(uint32_t icb, uint32_t scaler, uint32_t tile, uint32_t tile_scaler, uint32_t dst, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; i++) reduce_tile<pool, dim, fp32>(icb, scaler, tile + i, tile_scaler, dst + i);
}

/* --- tilize and untilize, with their packing --- */

inline void tilize_init(uint32_t icb, uint32_t block, uint32_t) { tilize_init(icb, block); }
inline void tilize_init_short(uint32_t icb, uint32_t block, uint32_t) { tilize_init(icb, block); }
inline void tilize_init_short_with_dt(uint32_t, uint32_t icb, uint32_t block, uint32_t) {
  FORMATS_OF_START(icb, icb, 1u);
  tilize_init(icb, block);
}
inline void tilize_block(uint32_t icb, uint32_t block, uint32_t ocb, uint32_t tile_in = 0, uint32_t page_out = 0) {
  for (uint32_t i = 0; i < block; i++) {
    tile_regs_acquire();
    tilize_tile(icb, tile_in + i, 0);
    tile_regs_commit();
    tile_regs_wait();
    if (page_out) pack_tile_at(0, ocb, page_out + i);
    else pack_tile(0, ocb);
    tile_regs_release();
  }
}
inline void tilize_uninit(uint32_t, uint32_t) {}
inline void tilize_uninit_with_dt(uint32_t, uint32_t icb, uint32_t) { FORMATS_OF_START(icb, icb, 1u); }
inline void fast_tilize_init(uint32_t icb, uint32_t block, uint32_t) { tilize_init(icb, block); }
inline void fast_tilize_init_with_dt(uint32_t icb, uint32_t block, uint32_t) {
  FORMATS_OF_START(icb, icb, 3u);
  tilize_init(icb, block);
}
inline void fast_tilize_block(uint32_t icb, uint32_t block, uint32_t ocb, uint32_t tile_in = 0, uint32_t page_out = 0) {
  tilize_block(icb, block, ocb, tile_in, page_out);
}
inline void fast_tilize_uninit(uint32_t, uint32_t, uint32_t = 0) {}
/* A row of tiles becomes 32 rows of numbers. untilize_init gets the width only with the first block. */
inline void untilize_init(uint32_t icb) { untilize_init(icb, 1); }
/* A row that fits into this part of Dst: rows of the block in Dst, packed as tiles are. */
inline void untilize_narrow(uint32_t icb, uint32_t wt, uint32_t ocb) {
  tile_regs_acquire();
  for (uint32_t i = 0; i < wt; i++) untilize_tile(icb, i, i, wt);
  tile_regs_commit();
  tile_regs_wait();
  for (uint32_t i = 0; i < wt; i++) pack_tile(i, ocb);
  tile_regs_release();
}
/* A wider one: tiles in parts that fit, and the packer places each row of each part. */
inline void untilize_wide(uint32_t icb, uint32_t wt, uint32_t ocb) {
  copy_tile_init(icb);
#ifdef TRISC_PACK
  KERNEL_CHECK(!format_is_bfp(cb_format(ocb)), "untilize: numbers that share exponents are not row-major");
  pack_check_buffer(ocb);
  uint32_t bytes = format_tile_bytes(cb_at(ocb)->format) / 32; /* one row of a tile */
  uint32_t place = pack_page_address(ocb, cb_at(ocb)->packed);
  (void)pack_page_address(ocb, cb_at(ocb)->packed + wt - 1);
  cb_at(ocb)->packed += wt;
#endif
  for (uint32_t first = 0; first < wt; first += DST_TILES) {
    uint32_t tiles = wt - first < DST_TILES ? wt - first : DST_TILES;
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; i++) copy_tile(icb, first + i, i);
    tile_regs_commit();
    tile_regs_wait();
    PACK(pack_row_major(place + first * bytes, wt * bytes, 0, tiles, 32);)
    tile_regs_release();
  }
  untilize_init(icb, 1);
  (void)ocb;
}
template <uint32_t block_ct_dim = 1> inline void untilize_block(uint32_t icb, uint32_t wt, uint32_t ocb) {
  KERNEL_CHECK(wt && wt % block_ct_dim == 0,
               "untilize_block<N>(in, width, out): the width in tiles must be a multiple of N");
  if (wt <= DST_TILES) untilize_narrow(icb, wt, ocb);
  else untilize_wide(icb, wt, ocb);
}
inline void untilize_uninit(uint32_t) {}
/* --- packing --- */

inline void pack_init(uint32_t ocb) { pack_reconfig_data_format(ocb); }
/* Out of order: to page `page` after the write pointer, without counting. */
template <bool out_of_order> inline void pack_tile(uint32_t dst, uint32_t ocb, uint32_t page = 0) {
  if (out_of_order) pack_tile_at(dst, ocb, page);
  else pack_tile(dst, ocb);
}
inline void pack_tile(uint32_t dst, uint32_t ocb, uint32_t) { pack_tile(dst, ocb); } /* in order: the number is not used */
inline void pack_block(uint32_t dst, uint32_t ocb, uint32_t tiles) {
  for (uint32_t i = 0; i < tiles; i++) pack_tile(dst + i, ocb);
}
inline void pack_tile_block(uint32_t dst, uint32_t ocb, uint32_t tiles) { pack_block(dst, ocb, tiles); }
inline void matmul_pack_tile(uint32_t dst, uint32_t ocb, uint32_t tiles) { pack_block(dst, ocb, tiles); }
inline void llk_pack_relu_config(ReluType type, uint32_t threshold = 0) { pack_relu_config((uint32_t)type, threshold); }
inline void llk_pack_relu_config(ckernel::ReluConfig relu) { llk_pack_relu_config(relu.get_mode(), relu.get_threshold()); }
inline void pack_relu_config(ckernel::ReluConfig relu) { llk_pack_relu_config(relu); }

#include "api_compute_more.h"
#include "api_debug.h"
#include "api_rows.h"
#include "api_sort.h"

#endif
