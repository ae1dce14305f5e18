/* NCRISC: pages of A and B in pairs: room for two, two reads, two pushes. Arguments: A, B, number of tiles. */
#include "noc.h"

enum { CB_A = 0, CB_B = 1 };

static void fetch(uint32_t cb, const struct InterleavedAddrGen *from, uint32_t i) {
  uint32_t to = get_write_ptr(cb);
  cb_reserve_back(cb, 2);
  noc_async_read_page(i, from, to);
  noc_async_read_page(i + 1, from, to + get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, 1);
  cb_push_back(cb, 1);
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i += 2) {
    fetch(CB_A, &a, i);
    fetch(CB_B, &b, i);
  }
}
