/* BRISC: the second half of each page of B, then the pages of C. Arguments: C, number of tiles, B. */
#include "noc.h"

enum { ASK = 0x7f000, DONE = 0x7f100, WHERE = 0x7f200, HALF = 1024 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(16)}, b = {get_arg_val(2), get_tile_size(1)};
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    while (tt_load(ASK) != i + 1) {}
    noc_async_read(get_interleaved_noc_addr(&b, i) + HALF, tt_load(WHERE) + HALF, HALF);
    noc_async_read_barrier();
    tt_store(DONE, i + 1);
    cb_wait_front(16, 1);
    noc_async_write_page(i, &c, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
