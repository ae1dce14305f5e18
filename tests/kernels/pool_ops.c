/* kernels/include/sfpu_pool.h, and the reduction of a row-major block, on two tiles of values (buffer 0) and two of indices or a scaler
 * (buffer 1). Arguments: 7 operation, 11 to 14 its numbers, 20 to 27 a list of 32 bytes. Results: buffers 16 and 17. */
#include "compute.h"
#include "sfpu_pool.h"

enum { CB_VALUES = 0, CB_INDICES = 1, CB_OUT = 16, CB_OUT_INDICES = 17 };
enum { AVERAGES, SCATTER, PRODUCT, MAXIMUM, REDUCE };

static void operate(void) {
#ifdef TRISC_MATH
  uint32_t p = get_arg_val(11), q = get_arg_val(12);
  switch (get_arg_val(7)) {
    case AVERAGES:
      SFPU_CONSTANT(4, 0x3f800000u); /* the row before the first is 1 */
      math_average_rows(0, p, q);
      break;
    case SCATTER: math_scatter_rows(0, LAUNCH_FIELD(args) + 4 * 20); break;
    case PRODUCT: math_running_product(0); break;
    default: math_maximum_with_indices(0, 2, p, q, get_arg_val(13), get_arg_val(14));
  }
#endif
}

static void pack_two(uint32_t dst, uint32_t cb) {
  pack_reconfig_data_format(cb);
  cb_reserve_back(cb, 2);
  pack_tile(dst, cb);
  pack_tile(dst + 1, cb);
  cb_push_back(cb, 2);
}

/* Two tiles side by side, 32 rows of 64 numbers. */
static void reduce_row_major(void) {
  reduce_init(get_arg_val(11), get_arg_val(12), CB_VALUES, CB_INDICES);
  UNPACK(unpack_configure_rows(cb_format(CB_VALUES), 64, 0);)
  tile_regs_acquire();
  for (uint32_t i = 0; i < 2; i++) {
    UNPACK(llk_unpack_tilize_with(CB_VALUES, i, CB_INDICES, 0);)
    MATH(math_reduce_tile(i);)
    if (get_arg_val(12) == REDUCE_SCALAR) reduce_scalar_done(i);
  }
}

static void operate_on_tiles(void) {
  tile_regs_acquire();
  if (get_arg_val(7) == MAXIMUM) {
    copy_tile_init(CB_INDICES);
    copy_tile(CB_INDICES, 0, 2);
    copy_tile(CB_INDICES, 1, 3);
  }
  copy_tile_init(CB_VALUES);
  copy_tile(CB_VALUES, 0, 0);
  copy_tile(CB_VALUES, 1, 1);
  operate();
}

void kernel_main(void) {
  unary_op_init(CB_VALUES, CB_OUT);
  if (get_arg_val(7) == REDUCE) reduce_row_major();
  else operate_on_tiles();
  tile_regs_commit();
  tile_regs_wait();
  pack_two(0, CB_OUT);
  if (get_arg_val(7) == MAXIMUM) pack_two(2, CB_OUT_INDICES);
  tile_regs_release();
}
