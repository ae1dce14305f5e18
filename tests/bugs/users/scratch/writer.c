/* BRISC: tiles to C, then the pack core's words to S. Arguments: C, number of tiles, S. */
#include "noc.h"
#include "scratch.h"

enum { CB_C = 16 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB_C)}, s = {get_arg_val(2), 32};
  uint32_t tiles = get_arg_val(1);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(CB_C, 1);
    noc_async_write_page(i, &c, get_read_ptr(CB_C));
    noc_async_write_barrier();
    cb_pop_front(CB_C, 1);
  }
  while (tt_load(COUNT) < tiles) {}
  noc_async_write_page(0, &s, SUMS);
  noc_async_write_barrier();
}
