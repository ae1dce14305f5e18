/* NCRISC: the constants, g and b, then A row by row of data tiles. Arguments: Ht, Wt, A, G, B, 1/columns, 4 epsilon (for 128 columns). */
#include "noc.h"

#include "constant_tiles.h"

enum { CB_A = 0, CB_G = 1, CB_B = 2, CB_MEAN = 3, CB_EPSILON = 4 };

static void deliver(uint32_t cb, uint32_t address, uint32_t first, uint32_t tiles) {
  const struct InterleavedAddrGen from = {address, get_tile_size(cb)};
  cb_reserve_back(cb, tiles);
  for (uint32_t i = 0; i < tiles; i++) noc_async_read_page(first + i, &from, get_write_ptr(cb) + i * get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, tiles);
}

void kernel_main(void) {
  uint32_t ht = get_arg_val(0), wt = get_arg_val(1);
  push_column_tile(CB_MEAN, get_arg_val(5));
  push_filled_tile(CB_EPSILON, get_arg_val(6));
  deliver(CB_G, get_arg_val(3), 0, wt);
  deliver(CB_B, get_arg_val(4), 0, wt);
  for (uint32_t h = 0; h < ht; h++) deliver(CB_A, get_arg_val(2), h * wt, wt);
}
