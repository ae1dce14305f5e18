/* BRISC: a tile of twos, then the products to C. Arguments: C, number of tiles. */
#include "noc.h"

enum { CB_TWO = 1, CB_C = 16 };

static void constants(void) {
  cb_reserve_back(CB_TWO, 1);
  uint32_t page = get_write_ptr(CB_TWO), bytes = get_tile_size(CB_TWO);
  for (uint32_t at = 0; at < bytes; at += 4) tt_store(page + at, 0x40004000u);
  l1_fence(page + bytes - 4);
  cb_push_back(CB_TWO, 1);
}

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB_C)};
  constants();
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    cb_wait_front(CB_C, 1);
    noc_async_write_page(i, &c, get_read_ptr(CB_C));
    noc_async_writes_flushed();
    cb_pop_front(CB_C, 1);
  }
  noc_async_write_barrier();
}
