/* NCRISC: all of W and the row of b, which stay resident, then A row by row of data tiles. Arguments: Mt, Kt, Nt, A, W, B. */
#include "noc.h"

enum { CB_A = 0, CB_W = 1, CB_B = 2 };

static void deliver(uint32_t cb, uint32_t address, uint32_t first, uint32_t tiles) {
  const struct InterleavedAddrGen from = {address, get_tile_size(cb)};
  cb_reserve_back(cb, tiles);
  for (uint32_t i = 0; i < tiles; i++) noc_async_read_page(first + i, &from, get_write_ptr(cb) + i * get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, tiles);
}

void kernel_main(void) {
  uint32_t mt = get_arg_val(0), kt = get_arg_val(1), nt = get_arg_val(2);
  deliver(CB_W, get_arg_val(4), 0, kt * nt);
  deliver(CB_B, get_arg_val(5), 0, nt);
  for (uint32_t m = 0; m < mt; m++) deliver(CB_A, get_arg_val(3), m * kt, kt);
}
