/* NCRISC: pages of A, B and D. Arguments: A, B, D, number of pages. */
#include "noc.h"

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(3); i < tiles; i++)
    for (uint32_t cb = 0; cb < 3; cb++) {
      const struct InterleavedAddrGen from = {get_arg_val(cb), get_tile_size(cb)};
      cb_reserve_back(cb, 1);
      noc_async_read_page(i, &from, get_write_ptr(cb));
      noc_async_read_barrier();
      cb_push_back(cb, 1);
    }
}
