/* NCRISC, NoC 0: this tile's share of A and B from DRAM. Arguments: 0 tiles, 1 index, 2 A, 3 B. */
#include "noc.h"

enum { CB_A = 0, CB_B = 1 };

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0), first = get_arg_val(1) * tiles;
  const struct InterleavedAddrGen a = {get_arg_val(2), get_tile_size(CB_A)}, b = {get_arg_val(3), get_tile_size(CB_B)};
  for (uint32_t i = 0; i < tiles; i++) {
    cb_reserve_back(CB_A, 1);
    cb_reserve_back(CB_B, 1);
    noc_async_read_page(first + i, &a, get_write_ptr(CB_A));
    noc_async_read_page(first + i, &b, get_write_ptr(CB_B));
    noc_async_read_barrier();
    cb_push_back(CB_A, 1);
    cb_push_back(CB_B, 1);
  }
}
