/* The API of compute kernels. Every function is compiled for all three T cores and executes each core's part.
 *
 *   mm_init(cb_a, cb_b, cb_out);
 *   tile_regs_acquire();
 *   for (k...) { cb_wait_front(cb_a, 1); ... matmul_tiles(cb_a, cb_b, 0, 0, 0); cb_pop_front(cb_a, 1); ... }
 *   tile_regs_commit();
 *   tile_regs_wait();
 *   cb_reserve_back(cb_out, 1); pack_tile(0, cb_out); cb_push_back(cb_out, 1);
 *   tile_regs_release();
 *
 * Tiles are 32x32, in faces 0 1 / 2 3 of 16x16. */
#ifndef TENSIX_COMPUTE_H
#define TENSIX_COMPUTE_H

#include "circular_buffer.h"
#include "dst_sync.h"
#include "math_ops.h"
#include "math_reduce.h"
#include "pack.h"
#include "tilize.h"
#include "unpack.h"

/* --- starting: formats of all three cores. cb_a feeds SrcA, cb_b SrcB --- */

TT_INLINE void compute_configure_rest(uint32_t cb_a, uint32_t cb_b, uint32_t cb_out) {
  uint32_t format_a = cb_format(cb_a), format_b = cb_format(cb_b);
  KERNEL_CHECK(cb_get(cb_out)->page_bytes >= format_tile_bytes(cb_format(cb_out)),
               "a tile does not fit into a page of the output buffer");
  KERNEL_CHECK(cb_get(cb_a)->page_bytes >= format_tile_bytes(format_a) &&
                   cb_get(cb_b)->page_bytes >= format_tile_bytes(format_b),
               "a page of an input buffer is smaller than a tile of its format");
  UNPACK(dst_half = 0;)
  MATH(math_configure(format_a, format_b);)
  MATH(math_dst_sync_init();)
  PACK(pack_configure(cb_out, format_a);)
  PACK(pack_dst_sync_init();)
  (void)format_b;
}

/* The buffers that feed SrcA and SrcB, for changes of one side only. */
static uint32_t compute_input_cb[2] __attribute__((unused));

/* C++ kernels are meant to run with the vendor's library too, where only the functions that start a kernel, reconfig_* and *_with_dt set the
 * unpackers' formats; its other inits leave them. Those of this library set them for their own buffers. The unpack core follows what the vendor's
 * library would have, and an operation stops where the two differ. In C the inits always set the formats. */
#if defined(__cplusplus) && defined(TRISC_UNPACK) && !defined(KERNEL_UNCHECKED)
static unsigned formats_set[2];                 /* of SrcA and SrcB, plus 1; 0: nothing has set them */
static unsigned formats_differ;                 /* the last init was for a buffer of another format: a bit per side */
TT_INLINE uint32_t formats_in_l1(uint32_t cb) { /* the configuration that follows checks the buffer */
  return cb < LAUNCH_BUFFERS ? format_in_l1(cb_at(cb)->format) + 1u : 0;
}
/* Not inlined: every init calls one of these. `sides`: those that the operation uses, or that the function sets. */
static __attribute__((noinline, unused)) void formats_of_init(uint32_t cb_a, uint32_t cb_b, uint32_t sides) {
  uint32_t differ_a = formats_set[0] != formats_in_l1(cb_a);
  uint32_t differ_b = formats_set[1] != formats_in_l1(cb_b);
  formats_differ = (differ_a | differ_b << 1) & sides;
}
static __attribute__((noinline, unused)) void formats_of_start(uint32_t cb_a, uint32_t cb_b, uint32_t sides) {
  if (sides & 1u) formats_set[0] = formats_in_l1(cb_a);
  if (sides & 2u) formats_set[1] = formats_in_l1(cb_b);
  formats_differ &= ~sides;
}
#define FORMATS_OF_INIT(cb_a, cb_b, sides) formats_of_init(cb_a, cb_b, sides)
#define FORMATS_OF_START(cb_a, cb_b, sides) formats_of_start(cb_a, cb_b, sides)
static __attribute__((noinline, cold, unused)) const char *formats_text(void) {
  return formats_set[0] | formats_set[1]
             ? "the buffer has another data format than the unpacker, and this init leaves it: call reconfig_data_format before, or an init that ends in _with_dt"
             : "no init has set the formats of the inputs: " KERNEL_STARTS;
}
#define FORMATS_CHECK() KERNEL_CHECK(!formats_differ, formats_text())
#else
#define FORMATS_OF_INIT(cb_a, cb_b, sides) ((void)(cb_a), (void)(cb_b))
#define FORMATS_OF_START(cb_a, cb_b, sides) ((void)(cb_a), (void)(cb_b))
#define FORMATS_CHECK() ((void)0)
#endif

TT_INLINE void compute_configure(uint32_t cb_a, uint32_t cb_b, uint32_t cb_out, uint32_t transpose) {
  compute_input_cb[0] = cb_a;
  compute_input_cb[1] = cb_b;
  FORMATS_OF_START(cb_a, cb_b, 3u);
  UNPACK(unpack_configure(cb_format(cb_a), cb_format(cb_b), transpose);)
  compute_configure_rest(cb_a, cb_b, cb_out);
  (void)transpose;
}

/* Changes the input buffers, or transposes SrcA, from here on; the output is unchanged. */
TT_INLINE void compute_reconfigure_inputs(uint32_t cb_a, uint32_t cb_b, uint32_t transpose) {
  compute_input_cb[0] = cb_a;
  compute_input_cb[1] = cb_b;
  UNPACK(unpack_configure(cb_format(cb_a), cb_format(cb_b), transpose);)
  MATH(math_configure(cb_format(cb_a), cb_format(cb_b));)
  (void)cb_a, (void)cb_b, (void)transpose;
}

/* The same for the one buffer of a copy, which may bypass SrcA. */
TT_INLINE void compute_reconfigure_copy(uint32_t cb_in, uint32_t transpose) {
  PACK(pack_unpacker_writes_dst |= format_goes_to_dst(cb_format(cb_in));)
  UNPACK(unpack_configure_one(cb_format(cb_in), transpose);)
  MATH(math_configure(cb_format(cb_in), cb_format(cb_in));)
  (void)cb_in, (void)transpose;
}

/* --- matmul: in0 x in1 --- */

TT_INLINE void mm_init(uint32_t cb_in0, uint32_t cb_in1, uint32_t cb_out) {
  compute_configure(cb_in1, cb_in0, cb_out, 0);
  MATH(math_matmul_init(MATH_FIDELITY, MM_THROTTLE, 1);)
}

/* After other operations: matmul again, same output buffer; with transpose each tile of in1 is transposed. */
TT_INLINE void mm_init_transposed(uint32_t cb_in0, uint32_t cb_in1, uint32_t transpose) {
  FORMATS_OF_INIT(cb_in1, cb_in0, 3u);
  compute_reconfigure_inputs(cb_in1, cb_in0, transpose);
  MATH(math_matmul_init_transposed(MATH_FIDELITY, MM_THROTTLE, 1, transpose);)
}
TT_INLINE void mm_init_short(uint32_t cb_in0, uint32_t cb_in1) { mm_init_transposed(cb_in0, cb_in1, 0); }

/* Dst tile `dst` += tile0 of in0 x tile1 of in1. */
TT_INLINE void matmul_tiles(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1, uint32_t dst) {
  FORMATS_CHECK();
  UNPACK(llk_unpack_AB_matmul(cb_in0, cb_in1, tile0, tile1);)
  MATH(math_matmul_tile(dst, MATH_FIDELITY, MM_THROTTLE);)
  MATH(KERNEL_CALLED("matmul_tiles");)
  (void)cb_in0, (void)cb_in1, (void)tile0, (void)tile1, (void)dst;
}

#ifdef TRISC_MATH
static uint32_t matmul_block_throttle, matmul_block_transpose;
#endif

TT_INLINE void mm_block_start(uint32_t ct, uint32_t rt, uint32_t transpose) {
  KERNEL_CHECK_VALUE(ct * rt <= DST_TILES && ct && rt, DST_BLOCK("matmul"), ct * rt);
  MATH(matmul_block_throttle = MM_THROTTLE;)
  MATH(matmul_block_transpose = transpose;)
  MATH(math_matmul_init_transposed(MATH_FIDELITY, MM_THROTTLE, ct >= rt, transpose);)
  (void)ct, (void)rt, (void)transpose;
}
TT_INLINE void mm_block_init(uint32_t cb_in0, uint32_t cb_in1, uint32_t cb_out, uint32_t ct, uint32_t rt) {
  compute_configure(cb_in1, cb_in0, cb_out, 0);
  mm_block_start(ct, rt, 0);
}
/* After other operations: blocks again, same output buffer. */
TT_INLINE void mm_block_init_transposed(uint32_t cb_in0, uint32_t cb_in1, uint32_t ct, uint32_t rt, uint32_t transpose) {
  FORMATS_OF_INIT(cb_in1, cb_in0, 3u);
  compute_reconfigure_inputs(cb_in1, cb_in0, transpose);
  mm_block_start(ct, rt, transpose);
}
TT_INLINE void mm_block_init_short(uint32_t cb_in0, uint32_t cb_in1, uint32_t ct, uint32_t rt) {
  mm_block_init_transposed(cb_in0, cb_in1, ct, rt, 0);
}

#ifdef TRISC_MATH
/* Dynamic throttle: an odd word of the ARC requests the highest level. */
TT_INLINE void matmul_follow_throttle(uint32_t reuse_a) {
  uint32_t wanted = tt_load(MEM_L1_ARC_FW_SCRATCH) & 1 ? MM_THROTTLE_MAX : MM_THROTTLE;
  if (wanted == matmul_block_throttle) return;
  matmul_block_throttle = wanted;
  math_matmul_init_transposed(MATH_FIDELITY, wanted, reuse_a, matmul_block_transpose);
  if (wanted != MM_THROTTLE) tt_store(LAUNCH_FIELD(throttle), 0x100);
}
#endif

/* rt x ct tiles of Dst from `dst` on += a column of rt tiles of in0 (kt apart) x a row of ct tiles of in1. */
TT_INLINE void matmul_block(uint32_t cb_in0, uint32_t cb_in1, uint32_t tile0, uint32_t tile1, uint32_t dst, uint32_t ct,
                            uint32_t rt, uint32_t kt) {
  FORMATS_CHECK();
  UNPACK(llk_unpack_AB_matmul_block(cb_in0, cb_in1, tile0, tile1, ct, rt, kt);)
  MATH(matmul_follow_throttle(ct >= rt);)
  MATH(math_matmul_block(dst, MATH_FIDELITY, matmul_block_throttle, ct, rt);)
  MATH(KERNEL_CALLED("matmul_block");)
  (void)cb_in0, (void)cb_in1, (void)tile0, (void)tile1, (void)dst, (void)ct, (void)rt, (void)kt;
}

/* --- eltwise: cb_a op cb_b, with or without broadcast of cb_b --- */

TT_INLINE void binary_op_init(uint32_t cb_a, uint32_t cb_b, uint32_t cb_out) { compute_configure(cb_a, cb_b, cb_out, 0); }

TT_INLINE void eltwise_init_onto(uint32_t type, uint32_t broadcast, uint32_t onto) {
  MATH(math_eltwise_init(type, broadcast, MATH_FIDELITY, onto);)
  (void)type, (void)broadcast, (void)onto;
}
TT_INLINE void eltwise_init(uint32_t type, uint32_t broadcast) { eltwise_init_onto(type, broadcast, 0); }
TT_INLINE void add_tiles_init(void) { eltwise_init(ELWADD_TYPE, BROADCAST_NONE); }
TT_INLINE void sub_tiles_init(void) { eltwise_init(ELWSUB_TYPE, BROADCAST_NONE); }
TT_INLINE void mul_tiles_init(void) { eltwise_init(ELWMUL_TYPE, BROADCAST_NONE); }
TT_INLINE void add_tiles_bcast_init(uint32_t broadcast) { eltwise_init(ELWADD_TYPE, broadcast); }
TT_INLINE void sub_tiles_bcast_init(uint32_t broadcast) { eltwise_init(ELWSUB_TYPE, broadcast); }
TT_INLINE void mul_tiles_bcast_init(uint32_t broadcast) { eltwise_init(ELWMUL_TYPE, broadcast); }

/* Dst tile `dst` = a op b as set by the last init; mul_tiles accumulates onto Dst (which is zero after tile_regs_acquire). */
TT_INLINE void eltwise_tiles(uint32_t cb_a, uint32_t cb_b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) {
  FORMATS_CHECK();
  UNPACK(llk_unpack_AB(cb_a, cb_b, tile_a, tile_b);)
  MATH(math_eltwise_tile(dst);)
  (void)cb_a, (void)cb_b, (void)tile_a, (void)tile_b, (void)dst;
}
#define ELTWISE_NAME(name) \
  TT_INLINE void name(uint32_t cb_a, uint32_t cb_b, uint32_t tile_a, uint32_t tile_b, uint32_t dst) { \
    eltwise_tiles(cb_a, cb_b, tile_a, tile_b, dst); \
    MATH(KERNEL_CALLED(#name);) \
  }
ELTWISE_NAME(add_tiles)
ELTWISE_NAME(sub_tiles)
ELTWISE_NAME(mul_tiles)
ELTWISE_NAME(add_tiles_bcast)
ELTWISE_NAME(sub_tiles_bcast)
ELTWISE_NAME(mul_tiles_bcast)

/* One operand is Dst tile `dst`, which also receives the result: SrcA's (dst op tile), or with to_srcb SrcB's (tile op dst). Start with
 * eltwise_init. */
TT_INLINE void eltwise_reuse_init(uint32_t type, uint32_t cb_in) {
  FORMATS_OF_INIT(cb_in, cb_in, 0);
  compute_reconfigure_inputs(cb_in, cb_in, 0);
  eltwise_init(type, BROADCAST_NONE);
}
TT_INLINE void eltwise_reuse_tile(uint32_t type, uint32_t to_srcb, uint32_t cb_in, uint32_t tile, uint32_t dst) {
  UNPACK(llk_unpack_one_side(cb_in, tile, !to_srcb);)
  MATH(math_eltwise_reuse_tile(type, to_srcb, dst);)
  (void)type, (void)to_srcb, (void)cb_in, (void)tile, (void)dst;
}

/* Dst tile = tile of cb_in with its first column, row or number repeated. After unary_bcast_init: cb_in feeds SrcB. */
TT_INLINE void copy_bcast_init(uint32_t cb_in, uint32_t broadcast) {
  FORMATS_OF_INIT(cb_in, cb_in, 0);
  compute_reconfigure_inputs(cb_in, cb_in, 0);
  eltwise_init(ELWADD_TYPE, broadcast);
}
TT_INLINE void copy_bcast_tile(uint32_t cb_in, uint32_t tile, uint32_t dst) {
  UNPACK(llk_unpack_one_side(cb_in, tile, 1);)
  MATH(math_eltwise_tile(dst);)
  (void)cb_in, (void)tile, (void)dst;
}

/* --- copy and transpose. INT32, and FLOAT32 with UNPACK_TO_DST, are unpacked directly into a 32-bit Dst and keep all bits
 * --- */

TT_INLINE void unary_op_init(uint32_t cb_in, uint32_t cb_out) {
  FORMATS_OF_START(cb_in, cb_in, 3u);
  UNPACK(unpack_configure_one(cb_format(cb_in), 0);)
  compute_configure_rest(cb_in, cb_in, cb_out);
}

#ifndef TRISC_UNPACK
#define DST_SET_KIND(dst, cb) dst_set_kind(dst, format_kind(cb_at(cb)->format))
#else
#define DST_SET_KIND(dst, cb) ((void)(dst), (void)(cb))
#endif

/* The last init was that of a transpose: copies past SrcA follow it, as those through SrcA do. */
static uint32_t copy_turns __attribute__((unused));
/* In C++ a copy needs an init of copies: transpose_wh_init leaves the unpacker transposing. */
static uint32_t copy_may_turn __attribute__((unused));

TT_INLINE void copy_tile_init(uint32_t cb_in) {
  FORMATS_OF_INIT(cb_in, cb_in, 1u);
  copy_turns = copy_may_turn = 0;
  compute_reconfigure_copy(cb_in, 0);
#ifdef TRISC_MATH
  if (format_goes_to_dst(cb_format(cb_in))) math_unpack_to_dst_init();
  else math_copy_init(0, 0);
#endif
}

/* A tile past SrcA, transposed: faces 1 and 2 are swapped while they are unpacked, then each is transposed in Dst. */
TT_INLINE void copy_tile_turned(uint32_t cb_in, uint32_t tile, uint32_t dst) {
#ifdef TRISC_UNPACK
  llk_unpack_faces_to_dst(cb_in, tile, dst);
  unpack_zero_srca();
  unpack_zero_srcb();
#endif
#ifdef TRISC_MATH
  math_let_unpack_write_dst();
  math_transpose_faces_32b(dst, 0, 16);
#endif
  DST_SET_KIND(dst, cb_in);
  (void)cb_in, (void)tile, (void)dst;
}

TT_INLINE void kernel_copy_tile(uint32_t cb_in, uint32_t tile, uint32_t dst) {
  FORMATS_CHECK();
  if (copy_turns && format_goes_to_dst(cb_at(cb_in)->format)) {
    copy_tile_turned(cb_in, tile, dst);
    return;
  }
#ifdef TRISC_UNPACK
  if (format_goes_to_dst(cb_at(cb_in)->format)) {
    llk_unpack_to_dst(cb_in, tile, dst);
  } else {
    llk_unpack_A(cb_in, tile);
    if (copy_needs_srcb(cb_at(cb_in)->format)) unpack_zero_srcb();
  }
#endif
#ifdef TRISC_MATH
  if (format_goes_to_dst(cb_at(cb_in)->format)) math_let_unpack_write_dst();
  else math_copy_tile(dst);
  KERNEL_CALLED("copy_tile");
#endif
  DST_SET_KIND(dst, cb_in);
  (void)cb_in, (void)tile, (void)dst;
}
TT_INLINE void copy_tile(uint32_t cb_in, uint32_t tile, uint32_t dst) {
#if defined(TRISC_UNPACK) && !defined(KERNEL_UNCHECKED)
  KERNEL_CHECK(!copy_turns || copy_may_turn,
               "copy_tile after the init of a transpose: call copy_tile_init or copy_tile_to_dst_init_short before it");
#endif
  kernel_copy_tile(cb_in, tile, dst);
}

TT_INLINE void transpose_wh_init(uint32_t cb_in) {
  FORMATS_OF_INIT(cb_in, cb_in, 1u);
  copy_turns = 1;
  copy_may_turn = 0;
  compute_reconfigure_copy(cb_in, 1);
#ifdef TRISC_UNPACK
  if (format_goes_to_dst(cb_format(cb_in))) unpack_configure_faces();
#endif
#ifdef TRISC_MATH
  if (format_goes_to_dst(cb_format(cb_in))) math_unpack_to_dst_init();
  else math_copy_init(1, 0);
#endif
}

TT_INLINE void transpose_wh_tile(uint32_t cb_in, uint32_t tile, uint32_t dst) {
  if (format_goes_to_dst(cb_at(cb_in)->format)) copy_tile_turned(cb_in, tile, dst);
  else kernel_copy_tile(cb_in, tile, dst);
  UNPACK(KERNEL_CALLED("transpose_wh_tile");)
}

/* --- tilize and untilize. A buffer of row-major data has the same pages: wt pages hold 32 rows of 32 wt numbers --- */

TT_INLINE void tilize_init(uint32_t cb_in, uint32_t wt) {
  FORMATS_OF_INIT(cb_in, cb_in, 1u);
  compute_reconfigure_copy(cb_in, 0);
  UNPACK(unpack_configure_tilize(cb_format(cb_in), wt);)
  MATH(math_tilize_init(cb_format(cb_in));)
  (void)wt;
}

/* Dst tile `dst` = columns 32 column .. +31 of the 32 rows at the front of cb_in. */
TT_INLINE void tilize_tile(uint32_t cb_in, uint32_t column, uint32_t dst) {
  FORMATS_CHECK();
  UNPACK(llk_unpack_tilize(cb_in, column, dst);)
  MATH(math_tilize_tile(cb_at(cb_in)->format, dst);)
  DST_SET_KIND(dst, cb_in);
  (void)cb_in, (void)column, (void)dst;
}

TT_INLINE void untilize_init(uint32_t cb_in, uint32_t wt) {
  KERNEL_CHECK_VALUE(wt && wt <= DST_TILES, DST_BLOCK("untilize"), wt);
  FORMATS_OF_INIT(cb_in, cb_in, 0);
  compute_reconfigure_copy(cb_in, 0);
#ifdef TRISC_UNPACK
  if (untilizes_by_rows(cb_format(cb_in))) unpack_configure_rows(cb_format(cb_in), 16, format_goes_to_dst(cb_format(cb_in)));
#endif
  MATH(math_untilize_init(cb_format(cb_in));)
  (void)wt;
}

/* Tile `tile` becomes column `column` of a row-major block `wt` tiles wide in Dst; then
 * pack tiles 0 to wt - 1. */
TT_INLINE void untilize_tile(uint32_t cb_in, uint32_t tile, uint32_t column, uint32_t wt) {
  UNPACK(llk_unpack_untilize(cb_in, tile, column, wt);)
  MATH(math_untilize_tile(cb_at(cb_in)->format, column, wt);)
  DST_SET_KIND(column, cb_in);
  (void)cb_in, (void)tile, (void)column, (void)wt;
}

/* --- reduce. The scaler buffer's tile has the scale (1.0; for the average 1/n) in row 0 of its first face, zeros elsewhere
 * --- */

TT_INLINE void reduce_init(uint32_t pool, uint32_t dim, uint32_t cb_in, uint32_t cb_scaler) {
  KERNEL_CHECK(pool != POOL_MAX || !DST_ACCUM_MODE || !format_is_a(cb_format(cb_in)),
               "a 32-bit Dst has no maximum of numbers with 5 exponent bits: GMPOOL.md; compile with DST_ACCUM_MODE 0");
  FORMATS_OF_INIT(cb_in, cb_scaler, 0);
  UNPACK(unpack_configure(cb_format(cb_in), format_of_moves(cb_format(cb_scaler)), dim == REDUCE_ROW);)
  MATH(math_configure(cb_format(cb_in), cb_format(cb_scaler));)
  MATH(math_reduce_init(pool, dim, MATH_FIDELITY);)
  (void)pool, (void)dim, (void)cb_scaler;
}

/* Adds to (or takes the maximum with) Dst tile `dst`; may be called for several tiles. In C its name is reduce_tile; C++
 * has reduce_tile<pool, dim>, which also finishes the tile (api_compute.h). */
#ifndef __cplusplus
#define reduce_tile reduce_onto
#endif
TT_INLINE void reduce_onto(uint32_t cb_in, uint32_t cb_scaler, uint32_t tile, uint32_t tile_scaler, uint32_t dst) {
  UNPACK(llk_unpack_AB(cb_in, cb_scaler, tile, tile_scaler);)
  MATH(math_reduce_tile(dst);)
  (void)cb_in, (void)cb_scaler, (void)tile, (void)tile_scaler, (void)dst;
}

/* After the last tile of a REDUCE_ROW: the result becomes column 0. Nothing to do for columns. */
TT_INLINE void reduce_row_done(uint32_t dst) {
#ifdef TRISC_UNPACK
  unpack_zero_srcb();
  if (DST_ACCUM_MODE) unpack_zero_srca();
#endif
  MATH(math_reduce_row_done(dst);)
  (void)dst;
}

/* After the last tile of a REDUCE_SCALAR: the 16 partial results become one number, the tile's first. */
TT_INLINE void reduce_scalar_done(uint32_t dst) {
  MATH(math_reduce_scalar_done(dst);)
  (void)dst;
}

/* --- packing --- */

/* Tile `dst` to page number `page` from the next free one on. */
TT_INLINE void pack_tile_at(uint32_t dst, uint32_t cb_out, uint32_t page) {
  PACK(pack_check_buffer(cb_out);)
  PACK(pack_to(dst, pack_page_address(cb_out, page));)
  (void)dst, (void)cb_out, (void)page;
}

/* Tile `dst` to the next free page after those packed since the last cb_push_back. */
TT_INLINE void pack_tile(uint32_t dst, uint32_t cb_out) {
#ifdef TRISC_PACK
  struct cb_interface *i = cb_at(cb_out);
  pack_check_buffer(cb_out);
  pack_to(dst, i->write + i->packed++ * i->page_bytes);
#endif
  (void)dst, (void)cb_out;
}

TT_INLINE void pack_reconfig_data_format(uint32_t cb_out) {
  PACK(pack_reconfigure(cb_out);)
  (void)cb_out;
}
TT_INLINE void pack_relu_config(uint32_t type, uint32_t threshold) {
  PACK(pack_set_relu(type, threshold);)
  (void)type, (void)threshold;
}
/* 1: pack_tile accumulates in L1. */
TT_INLINE void pack_reconfig_l1_acc(uint32_t on) {
  PACK(pack_set_l1_accumulate(on);)
  (void)on;
}

#endif
