/* Every operation of the library on n tiles: argument 7 selects it, 11 and 12 are its parameters (12 of a copy: its tile in Dst), 0
 * number of tiles; 13: ReLU, its threshold 2, 14: accumulate in L1, 1: tiles that reduce adds up (0: one). Buffers: 0 and 1 in,
 * 16 out; one tile each per operation, reduce takes the scaler in buffer 1. */
#include "compute.h"
#include "sfpu.h"

enum {
  OP_ELTWISE,
  OP_COPY,
  OP_TRANSPOSE,
  OP_REDUCE,
  OP_SFPU,
  OP_BLOCK,
  OP_TILIZE,
  OP_UNTILIZE,
  OP_REUSE,
  OP_REPEAT,
  OP_ONTO
};
enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };

static void pack_out(uint32_t tiles) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(CB_OUT, tiles);
  for (uint32_t i = 0; i < tiles; i++) pack_tile(i, CB_OUT);
  cb_push_back(CB_OUT, tiles);
  tile_regs_release();
}

static uint32_t reduce_depth(void) { return get_arg_val(1) ? get_arg_val(1) : 1; }

static void start(uint32_t op, uint32_t p, uint32_t q) {
  if (op == OP_BLOCK) {
    mm_block_init(CB_A, CB_B, CB_OUT, p, q);
    return;
  }
  if (op == OP_ELTWISE || op == OP_REDUCE || op >= OP_REUSE) binary_op_init(CB_A, CB_B, CB_OUT);
  else unary_op_init(CB_A, CB_OUT);
  if (op == OP_ELTWISE || op == OP_ONTO) eltwise_init_onto(p, q, op == OP_ONTO);
  if (op == OP_REPEAT) copy_bcast_init(CB_A, q);
  if (op == OP_COPY || op == OP_SFPU) copy_tile_init(CB_A);
  if (op == OP_TRANSPOSE) transpose_wh_init(CB_A);
  if (op == OP_TILIZE) tilize_init(CB_A, p);
  if (op == OP_UNTILIZE) untilize_init(CB_A, p);
  if (op == OP_REDUCE) reduce_init(p, q, CB_A, CB_B);
}

/* Buffer 0's tile, copied to Dst, is one operand: SrcA's, or with q SrcB's. */
static void reuse(uint32_t type, uint32_t to_srcb) {
  copy_tile_init(CB_A);
  copy_tile(CB_A, 0, 0);
  eltwise_reuse_init(type, CB_B);
  eltwise_reuse_tile(type, to_srcb, CB_B, 0, 0);
}

static void each_tile(uint32_t op, uint32_t p, uint32_t q) {
  if (op == OP_REUSE) reuse(p, q);
  if (op == OP_REPEAT) copy_bcast_tile(CB_A, 0, 0);
  for (uint32_t i = op == OP_ONTO ? 2 : op == OP_ELTWISE; i > 0; i--) eltwise_tiles(CB_A, CB_B, 0, 0, 0);
  if (op == OP_COPY || op == OP_SFPU) copy_tile(CB_A, 0, q);
  if (op == OP_TRANSPOSE) transpose_wh_tile(CB_A, 0, 0);
#ifdef TT_RECORD /* a core's 24 KiB have no room for the vector unit's functions beside everything else */
  if (op == OP_SFPU) sfpu_tile(p, 0);
#endif
  for (uint32_t w = 0; w < p && op == OP_TILIZE; w++) tilize_tile(CB_A, w, w);
  for (uint32_t w = 0; w < p && op == OP_UNTILIZE; w++) untilize_tile(CB_A, w, w, p);
  if (op == OP_REDUCE) {
    for (uint32_t k = 0; k < reduce_depth(); k++) reduce_tile(CB_A, CB_B, k, 0, 0);
    if (q == REDUCE_ROW) reduce_row_done(0);
    if (q == REDUCE_SCALAR) reduce_scalar_done(0);
  }
}

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0), op = get_arg_val(7), p = get_arg_val(11), q = get_arg_val(12);
  start(op, p, q);
  if (get_arg_val(13)) pack_relu_config(get_arg_val(13), get_arg_val(2));
  if (get_arg_val(14)) pack_reconfig_l1_acc(1);
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    cb_wait_front(CB_A, 1);
    cb_wait_front(CB_B, 1);
    if (op == OP_BLOCK) matmul_block(CB_A, CB_B, 0, 0, 0, p, q, 1);
    else each_tile(op, p, q);
    cb_pop_front(CB_A, op == OP_REDUCE ? reduce_depth() : op == OP_BLOCK ? q : op == OP_TILIZE || op == OP_UNTILIZE ? p : 1);
    cb_pop_front(CB_B, op == OP_BLOCK ? p : 1);
    pack_out(op == OP_BLOCK ? p * q : op == OP_TILIZE || op == OP_UNTILIZE ? p : 1);
  }
  if (get_arg_val(13)) pack_relu_config(RELU_NONE, 0);
  if (get_arg_val(14)) pack_reconfig_l1_acc(0);
}
