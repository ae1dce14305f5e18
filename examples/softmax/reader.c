/* NCRISC: the two constant tiles, then the rows of the matrix. Arguments: 1 Ht, 2 Wt; 8 address of the matrix, 9 of the
 * constants. */
#include "dataflow.h"

static void deliver(uint32_t cb, uint32_t from, uint32_t pages) {
  cb_reserve_back(cb, pages);
  uint32_t to = get_write_ptr(cb), bytes = pages * get_tile_size(cb);
  l1_copy(to, from, bytes);
  l1_fence(to + bytes - 4);
  cb_push_back(cb, pages);
}

void kernel_main(void) {
  uint32_t ht = get_arg_val(1), wt = get_arg_val(2), bytes = get_tile_size(0);
  deliver(1, get_arg_val(9), 1);
  deliver(2, get_arg_val(9) + bytes, 1);
  for (uint32_t h = 0; h < ht; h++) deliver(0, get_arg_val(8) + h * wt * bytes, wt);
}
