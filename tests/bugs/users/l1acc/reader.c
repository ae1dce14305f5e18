/* NCRISC: tiles of A, in order. Arguments: A, number of tiles. */
#include "noc.h"

enum { CB_A = 0 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)};
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    cb_reserve_back(CB_A, 1);
    noc_async_read_page(i, &a, get_write_ptr(CB_A));
    noc_async_read_barrier();
    cb_push_back(CB_A, 1);
  }
}
