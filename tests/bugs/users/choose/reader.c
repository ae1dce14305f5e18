/* NCRISC, NoC 0: data tiles of A and B from DRAM into circular buffers 0 and 1. Arguments: A, B, number of tiles. */
#include "noc.h"

enum { CB_A = 0, CB_B = 1 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i++) {
    cb_reserve_back(CB_A, 1);
    cb_reserve_back(CB_B, 1);
    noc_async_read_page(i, &a, get_write_ptr(CB_A));
    noc_async_read_page(i, &b, get_write_ptr(CB_B));
    noc_async_read_barrier();
    cb_push_back(CB_A, 1);
    cb_push_back(CB_B, 1);
  }
}
