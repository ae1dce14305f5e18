/* BRISC: the last tile writes C, the others drop their pages. Arguments: C, index, number of pages. */
#include "noc.h"

enum { CB = 16 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB)};
  if (get_arg_val(1) == 0) return;
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i++) {
    cb_wait_front(CB, 1);
    if (get_arg_val(1) == 2) noc_async_write_page(i, &c, get_read_ptr(CB));
    noc_async_write_barrier();
    cb_pop_front(CB, 1);
  }
}
