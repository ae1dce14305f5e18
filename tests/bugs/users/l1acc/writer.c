/* BRISC: the sum to C. Arguments: C, number of tiles. */
#include "noc.h"

enum { CB_C = 16 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB_C)};
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    cb_wait_front(CB_C, 1);
    noc_async_write_page(i, &c, get_read_ptr(CB_C));
    noc_async_write_barrier();
    cb_pop_front(CB_C, 1);
  }
}
