/* kernels/include/sfpu_sort.h on two tiles of values (buffer 0) and two of indices (buffer 1). Arguments: 7 operation, 11 direction, 12 and 13
 * its numbers, 14 stable, 15 one tile. Results: buffers 16 and 17. */
#include "compute.h"
#include "sfpu_sort.h"

enum { CB_VALUES = 0, CB_INDICES = 1, CB_SORTED = 16, CB_ORDER = 17 };
enum { SORT, MERGE, REBUILD };

static void sort(void) {
#ifdef TRISC_MATH
  uint32_t direction = get_arg_val(11), p = get_arg_val(12), q = get_arg_val(13), stable = get_arg_val(14);
  uint32_t one_tile = get_arg_val(15);
  sort_check(0, get_arg_val(7) == SORT ? 2u << p : q);
  if (get_arg_val(7) == SORT) math_sort_phases(0, direction, q, p, 0, 0, stable);
  else if (get_arg_val(7) == MERGE) math_sort_merge(0, direction, p, q, stable);
  else math_sort_rebuild(0, direction, p, q, one_tile, stable);
#endif
}

static void pack_two(uint32_t dst, uint32_t cb) {
  pack_reconfig_data_format(cb);
  cb_reserve_back(cb, 2);
  pack_tile(dst, cb);
  pack_tile(dst + 1, cb);
  cb_push_back(cb, 2);
}

void kernel_main(void) {
  unary_op_init(CB_VALUES, CB_SORTED);
  tile_regs_acquire();
  copy_tile_init(CB_VALUES);
  copy_tile(CB_VALUES, 0, 0);
  copy_tile(CB_VALUES, 1, 1);
  copy_tile_init(CB_INDICES);
  copy_tile(CB_INDICES, 0, 2);
  copy_tile(CB_INDICES, 1, 3);
  sort();
  tile_regs_commit();
  tile_regs_wait();
  pack_two(0, CB_SORTED);
  pack_two(2, CB_ORDER);
  tile_regs_release();
}
