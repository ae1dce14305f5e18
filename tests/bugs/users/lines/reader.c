/* NCRISC: a row of four data tiles at a time. Arguments: A, number of tiles. */
#include "noc.h"

enum { CB_A = 0 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)};
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i += 4) {
    cb_reserve_back(CB_A, 4);
    for (uint32_t k = 0; k < 4; k++) noc_async_read_page(i + k, &a, get_write_ptr(CB_A) + k * get_tile_size(CB_A));
    noc_async_read_barrier();
    cb_push_back(CB_A, 4);
  }
}
