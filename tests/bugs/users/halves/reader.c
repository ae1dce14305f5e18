/* NCRISC: pages of A and the first half of each page of B; BRISC fills the second half. Arguments: A, B, number of tiles. */
#include "noc.h"

enum { ASK = 0x7f000, DONE = 0x7f100, WHERE = 0x7f200, HALF = 1024 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(0)}, b = {get_arg_val(1), get_tile_size(1)};
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i++) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    tt_store(WHERE, get_write_ptr(1));
    tt_store(ASK, i + 1);
    noc_async_read_page(i, &a, get_write_ptr(0));
    noc_async_read(get_interleaved_noc_addr(&b, i), get_write_ptr(1), HALF);
    noc_async_read_barrier();
    while (tt_load(DONE) != i + 1) {}
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
