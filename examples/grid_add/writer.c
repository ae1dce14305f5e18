/* BRISC, NoC 1: this tile's share of C to DRAM. Arguments: 0 tiles, 1 index, 4 C. */
#include "noc.h"

enum { CB_OUT = 16 };

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0), first = get_arg_val(1) * tiles;
  const struct InterleavedAddrGen c = {get_arg_val(4), get_tile_size(CB_OUT)};
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(CB_OUT, 1);
    noc_async_write_page(first + i, &c, get_read_ptr(CB_OUT));
    noc_async_write_barrier();
    cb_pop_front(CB_OUT, 1);
  }
}
