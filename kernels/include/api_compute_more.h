/* The compute API in C++, continued: packing to row-major blocks, transposes in Dst, reductions of blocks, names for changes of format.
 * Part of api_compute.h. */
#ifndef TENSIX_API_COMPUTE_MORE_H
#define TENSIX_API_COMPUTE_MORE_H

#include "pack_rows.h"

/* --- untilize while packing: tiles of Dst become rows of numbers in the output buffer --- */

/* block_ct tiles of a row that is full_ct tiles wide; block_rt such rows, each 32 rows of numbers. The block's place in the row is
 * block_c_index. narrow_row: only row_num_datums numbers of each row of a tile, 16 at most. */
template <uint32_t block_ct, uint32_t full_ct, uint32_t datums>
inline void pack_untilize_from(uint32_t ocb, uint32_t dst, uint32_t row, uint32_t block_c_index) {
#ifdef TRISC_PACK
  KERNEL_CHECK(!format_is_bfp(cb_format(ocb)), "pack_untilize: numbers that share exponents are not row-major");
  pack_check_buffer(ocb);
  uint32_t bytes = format_tile_bytes(cb_at(ocb)->format) / 1024 * datums, row_bytes = full_ct * bytes;
  uint32_t last =
      (32 * row + 31) * row_bytes + (block_c_index + 1) * block_ct * bytes - 1; /* byte after the write pointer */
  CB_CHECK_INDEX(ocb, last / cb_at(ocb)->page_bytes, CB_PAST_BACK);
  pack_row_major(cb_at(ocb)->write + 32 * row * row_bytes + block_c_index * block_ct * bytes, row_bytes, dst, block_ct,
                 datums);
#endif
  (void)ocb, (void)dst, (void)row, (void)block_c_index;
}
template <uint32_t block_ct = 8, uint32_t full_ct = block_ct, bool diagonal = false, bool narrow_row = false,
          uint32_t row_num_datums = 32, uint32_t tile_dst_ct_offset = 0, bool dense = false>
inline void pack_untilize_dest(uint32_t ocb, uint32_t block_rt = 1, uint32_t block_c_index = 0, uint32_t = 16, uint32_t = 4,
                               uint32_t tile_dst_rt_offset = 0) {
  static_assert(!diagonal && !dense, "pack_untilize_dest: this library packs plain rows");
  static_assert(!narrow_row || row_num_datums <= 16, "pack_untilize_dest: narrow rows have 16 numbers at most");
  for (uint32_t row = 0; row < block_rt; row++)
    pack_untilize_from<block_ct, full_ct, narrow_row ? row_num_datums : 32u>(
        ocb, tile_dst_ct_offset + (tile_dst_rt_offset + row) * block_ct, row, block_c_index);
}
template <uint32_t block_ct = 8, uint32_t full_ct = block_ct, bool... options>
inline void pack_untilize_dest_init(uint32_t ocb, uint32_t = 16, uint32_t = 4) {
  pack_reconfig_data_format(ocb);
}
template <uint32_t block_ct, uint32_t full_ct, bool narrow_row, uint32_t row_num_datums, bool... options>
inline void pack_untilize_dest_init(uint32_t ocb, uint32_t = 16, uint32_t = 4) {
  pack_reconfig_data_format(ocb);
}
template <uint32_t block_ct = 8, uint32_t full_ct = block_ct> inline void pack_untilize_init(uint32_t icb, uint32_t ocb) {
  copy_tile_init(icb);
  pack_reconfig_data_format(ocb);
}
template <uint32_t block_ct = 8, uint32_t full_ct = block_ct>
inline void pack_untilize_init_skip_remap(uint32_t icb, uint32_t ocb) {
  pack_untilize_init<block_ct, full_ct>(icb, ocb);
}
/* Rows of tiles of icb, in parts as wide as fit into Dst. */
template <uint32_t block_ct = 8, uint32_t full_ct = block_ct>
inline void pack_untilize_block(uint32_t icb, uint32_t block_rt, uint32_t ocb, uint32_t block_c_index = 0) {
  KERNEL_CHECK_VALUE(block_ct <= DST_TILES, DST_BLOCK("pack_untilize"), block_ct);
  for (uint32_t row = 0; row < block_rt; row++) {
    tile_regs_acquire();
    for (uint32_t i = 0; i < block_ct; i++) copy_tile(icb, row * block_ct + i, i);
    tile_regs_commit();
    tile_regs_wait();
    pack_untilize_from<block_ct, full_ct, 32>(ocb, 0, row, block_c_index);
    tile_regs_release();
  }
}
inline void pack_untilize_uninit(uint32_t) {}

/* A whole row of tiles of any width, in parts that fit into Dst. */
template <uint32_t full_ct> inline void fast_untilize_init(uint32_t icb, uint32_t ocb) { pack_untilize_init<1>(icb, ocb); }
template <uint32_t full_ct> inline void fast_untilize_init_skip_remap(uint32_t icb, uint32_t ocb) {
  pack_untilize_init<1>(icb, ocb);
}
template <uint32_t full_ct>
inline void fast_untilize_block(uint32_t icb, uint32_t ocb, uint32_t in_tile = 0, uint32_t out_tile = 0) {
  for (uint32_t first = 0; first < full_ct; first += DST_TILES) {
    uint32_t tiles = full_ct - first < DST_TILES ? full_ct - first : DST_TILES;
    tile_regs_acquire();
    for (uint32_t i = 0; i < tiles; i++) copy_tile(icb, in_tile + first + i, i);
    tile_regs_commit();
    tile_regs_wait();
#ifdef TRISC_PACK
    pack_check_buffer(ocb);
    uint32_t bytes = format_tile_bytes(cb_at(ocb)->format) / 32; /* bytes of one row of a tile */
    (void)pack_page_address(ocb, out_tile + full_ct - 1);
    pack_row_major(pack_page_address(ocb, out_tile) + first * bytes, full_ct * bytes, 0, tiles, 32);
#endif
    tile_regs_release();
  }
  (void)ocb, (void)out_tile;
}
template <uint32_t full_ct> inline void fast_untilize_uninit(uint32_t) {}

/* Rows of 16 numbers of a tile, in the order of Dst. */
static uint32_t pack_rows_count __attribute__((unused));
inline void pack_rows_init(uint32_t rows) {
  KERNEL_CHECK(rows && rows <= 64, "pack_rows: a tile has 64 rows of 16 numbers");
  pack_rows_count = rows;
}
inline void pack_rows(uint32_t dst, uint32_t ocb, uint32_t page = 0) {
#ifdef TRISC_PACK
  pack_check_buffer(ocb);
  pack_dst_rows(pack_page_address(ocb, page), dst, pack_rows_count);
#endif
  (void)dst, (void)ocb, (void)page;
}
inline void pack_rows_uninit() {}

/* --- reduce a row-major block: `block` tiles side by side, each tilized into SrcA while the scaler's tile is in SrcB --- */

/* The pool and the dimension of the reduction are REDUCE_OP and REDUCE_DIM, as they are at the call (kernel_api.h). */
template <PoolType pool, ReduceDim dim> struct tilize_reduction {
  static_assert(dim != ReduceDim::REDUCE_ROW, "tilizeA_B_reduce_init: a row-major block reduces to a row or to one number");
  template <bool neginf_srca = true, bool zero_srca_reduce = false>
  static void init(uint32_t icb, uint32_t scaler, uint32_t block, uint32_t = 4, uint32_t = 16) {
    reduce_init((uint32_t)pool, (uint32_t)dim, icb, scaler);
    KERNEL_CHECK(!format_is_bfp(cb_format(icb)), "tilize: numbers that share exponents are not row-major");
    KERNEL_CHECK(block < 2048, "tilize: a row must have fewer than 65536 numbers");
    UNPACK(unpack_configure_rows(cb_format(icb), 32 * block, 0);)
    (void)block;
  }
};
template <bool neginf_srca = true, bool zero_srca_reduce = false, PoolType pool = REDUCE_OP, ReduceDim dim = REDUCE_DIM>
inline void tilizeA_B_reduce_init(uint32_t icb, uint32_t scaler, uint32_t block) {
  tilize_reduction<pool, dim>::template init<neginf_srca, zero_srca_reduce>(icb, scaler, block);
}
template <bool neginf_srca = true, uint32_t reload_srcb = true, bool zero_srca = false, bool zero_srca_reduce = false>
inline void unpack_tilizeA_B_block(uint32_t icb, uint32_t icb_b, uint32_t block, uint32_t tile_b) {
  static_assert(reload_srcb && !zero_srca, "unpack_tilizeA_B_block: this library unpacks both operands of each tile");
#ifdef TRISC_UNPACK
  for (uint32_t i = 0; i < block; i++) llk_unpack_tilize_with(icb, i, icb_b, tile_b);
#endif
  (void)icb, (void)icb_b, (void)block, (void)tile_b;
}
inline void unpack_tilizeA_B_uninit(uint32_t) {}
/* The shape of a tile in faces. This library has tiles of 32 x 32 only, in four faces. */
namespace ckernel {
constexpr uint8_t MAX_FACE_R_DIM = 16, MAX_FACE_C_DIM = 16, MAX_TILE_R_DIM = 32, MAX_TILE_C_DIM = 32;
constexpr uint8_t MAX_NUM_FACES_R_DIM = 2, MAX_NUM_FACES_C_DIM = 2, MAX_NUM_FACES = 4;
struct TensorShape {
  uint8_t face_r_dim, face_c_dim, num_faces_r_dim, num_faces_c_dim;
  constexpr uint16_t total_row_dim() const { return (uint16_t)(face_r_dim * num_faces_r_dim); }
  constexpr uint16_t total_col_dim() const { return (uint16_t)(face_c_dim * num_faces_c_dim); }
  constexpr uint16_t total_tensor_size() const { return (uint16_t)(total_row_dim() * total_col_dim()); }
  constexpr uint8_t total_num_faces() const { return (uint8_t)(num_faces_r_dim * num_faces_c_dim); }
};
constexpr TensorShape DEFAULT_TENSOR_SHAPE = {16, 16, 2, 2};
constexpr TensorShape make_tensor_shape(uint8_t face_rows, uint8_t face_columns, uint8_t faces_down, uint8_t faces_across) {
  return {face_rows, face_columns, faces_down, faces_across};
}
/* Two faces lie side by side. */
constexpr TensorShape tensor_shape_from_num_faces(uint32_t face_rows = 16, uint32_t faces = 4) {
  return {(uint8_t)face_rows, 16, (uint8_t)(faces == 4 ? 2 : 1), (uint8_t)(faces == 4 ? 2 : faces)};
}
} // namespace ckernel
#define CHECK_TENSOR_SHAPE(name, shape) \
  KERNEL_CHECK((shape).total_row_dim() == 32 && (shape).total_col_dim() == 32, \
               name ": this library has tiles of 32 x 32 only")

/* The math core's part of reduce_tile. */
template <PoolType pool, ReduceDim dim> inline void reduce_tile_math(uint32_t dst, uint32_t faces = 4) {
  static_assert(dim != ReduceDim::REDUCE_ROW,
                "reduce_tile_math: reduce_tile has rows, because the unpack core takes part in them");
  KERNEL_CHECK(faces == 4, "reduce_tile_math: this library has tiles of four faces only");
  if (dim == ReduceDim::REDUCE_SCALAR && dst_take_reduced(dst)) {
    MATH(math_reduce_scalar_again(dst);)
  }
  MATH(math_reduce_tile(dst);)
  if (dim == ReduceDim::REDUCE_SCALAR) reduce_scalar_done(dst);
  if (dim == ReduceDim::REDUCE_SCALAR) dst_set_reduced(dst);
  (void)dst, (void)faces;
}
template <PoolType pool, ReduceDim dim> inline void reduce_tile_math(uint32_t dst, const ckernel::TensorShape &shape) {
  CHECK_TENSOR_SHAPE("reduce_tile_math", shape);
  reduce_tile_math<pool, dim>(dst);
}

/* --- transpose a tile of Dst --- */

template <bool is_32bit = false, bool transpose_of_faces = true> inline void transpose_dest_init(uint32_t = 0) {}
template <bool is_32bit = false, bool transpose_of_faces = true> inline void transpose_dest(uint32_t dst) {
  KERNEL_CHECK(!is_32bit || DST_ACCUM_MODE, "transpose_dest: numbers of 32 bits need DST_ACCUM_MODE 1");
  transpose_dest_tile(dst, transpose_of_faces);
}
template <bool is_32bit = false> inline void transpose_wh_dest_init_short(uint32_t = 0) {}
template <bool is_32bit = false> inline void transpose_wh_dest(uint32_t dst) { transpose_dest<is_32bit>(dst); }

/* --- broadcasts and operands from Dst, other names --- */

template <EltwiseBinaryType type, BroadcastType broadcast> inline void bcast_init(uint32_t icb0, uint32_t icb1) {
  binary_init(type, broadcast, icb0, icb1, 0);
}
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse> inline void binary_reuse_dest_init(uint32_t icb) {
  binary_dest_reuse_tiles_init<type, reuse>(icb);
}
template <EltwiseBinaryType type, EltwiseBinaryReuseDestType reuse>
inline void binary_reuse_dest_tiles(uint32_t icb, uint32_t tile, uint32_t dst) {
  binary_dest_reuse_tiles<type, reuse>(icb, tile, dst);
}

/* --- the maximum of each row over a block of tiles, in column 0 of Dst tile `dst` --- */

/* The first block determines the input buffers. */
static uint32_t reduce_block_is_ready __attribute__((unused)), reduce_block_tiles __attribute__((unused));
inline void reduce_block_start(uint32_t tiles) {
  reduce_block_is_ready = 0;
  reduce_block_tiles = tiles;
}
inline void reduce_block_run(uint32_t icb, uint32_t scaler, uint32_t first, uint32_t dst, uint32_t tiles) {
  if (!reduce_block_is_ready) reduce_init(POOL_MAX, REDUCE_ROW, icb, scaler);
  reduce_block_is_ready = 1;
  for (uint32_t i = 0; i < tiles; i++) reduce_onto(icb, scaler, first + i, 0, dst);
  reduce_row_done(dst);
  dst_set_reduced(dst);
}
#define REDUCE_BLOCK_INIT(name) \
  template <uint32_t block_ct, bool respect_trigger = false, uint32_t faces = 4> inline void name(uint32_t) { \
    reduce_block_start(block_ct); \
  } \
  inline void name##_runtime(uint32_t, uint32_t block_ct, bool = false, uint32_t = 4) { reduce_block_start(block_ct); } \
  template <uint32_t block_ct, bool respect_trigger = false> inline void name(const TensorShape &shape, uint32_t) { \
    CHECK_TENSOR_SHAPE(#name, shape); \
    reduce_block_start(block_ct); \
  } \
  inline void name##_runtime(const TensorShape &shape, uint32_t, uint32_t block_ct, bool = false) { \
    CHECK_TENSOR_SHAPE(#name "_runtime", shape); \
    reduce_block_start(block_ct); \
  }
REDUCE_BLOCK_INIT(reduce_block_max_row_init)
REDUCE_BLOCK_INIT(reduce_block_max_row_reinit_short)
REDUCE_BLOCK_INIT(reduce_block_max_row_reinit_minimal)
template <uint32_t block_ct, bool respect_trigger = false, uint32_t faces = 4>
inline void reduce_block_max_row(uint32_t icb, uint32_t scaler, uint32_t first, uint32_t dst) {
  reduce_block_run(icb, scaler, first, dst, block_ct);
}
inline void reduce_block_max_row_runtime(uint32_t icb, uint32_t scaler, uint32_t first, uint32_t dst, bool = false,
                                         bool = false, uint32_t = 4) {
  reduce_block_run(icb, scaler, first, dst, reduce_block_tiles);
}
template <uint32_t block_ct, bool respect_trigger = false>
inline void reduce_block_max_row(const TensorShape &shape, uint32_t icb, uint32_t scaler, uint32_t first, uint32_t dst) {
  CHECK_TENSOR_SHAPE("reduce_block_max_row", shape);
  reduce_block_run(icb, scaler, first, dst, block_ct);
}
inline void reduce_block_max_row_runtime(const TensorShape &shape, uint32_t icb, uint32_t scaler, uint32_t first,
                                         uint32_t dst, bool = false, bool = false) {
  CHECK_TENSOR_SHAPE("reduce_block_max_row_runtime", shape);
  reduce_block_run(icb, scaler, first, dst, reduce_block_tiles);
}
template <bool respect_trigger = false> inline void reduce_block_max_row_uninit(uint32_t) { reduce_block_is_ready = 0; }
inline void reduce_block_max_row_uninit_runtime(uint32_t, bool = false, bool = false) { reduce_block_is_ready = 0; }

/* --- formats, other names. Inits set all of a buffer's format, so nothing is skipped --- */

RECONFIG_NAMES(reconfig_data_format_skip_int8)
inline void reconfig_data_format_srca_skip_int8(uint32_t cb) { reconfig_data_format_srca(cb); }
inline void reconfig_data_format_srca_skip_int8(uint32_t, uint32_t cb) { reconfig_data_format_srca(cb); }
inline void reconfig_data_format_srcb_skip_int8(uint32_t cb) { reconfig_data_format_srcb(cb); }
inline void reconfig_data_format_srcb_skip_int8(uint32_t, uint32_t cb) { reconfig_data_format_srcb(cb); }
inline void reconfig_ts_both(uint32_t, uint32_t) {}
inline void reconfig_ts_both(uint32_t, uint32_t, uint32_t, uint32_t) {}
inline void reconfig_ts_srca(uint32_t, uint32_t = 0) {}
inline void reconfig_ts_srcb(uint32_t, uint32_t = 0) {}
inline void fast_tilize_init_skip_remap(uint32_t icb, uint32_t block, uint32_t) { tilize_init(icb, block); }
inline void fast_tilize_init_with_dt_skip_remap(uint32_t icb, uint32_t block, uint32_t) { tilize_init(icb, block); }

#endif
