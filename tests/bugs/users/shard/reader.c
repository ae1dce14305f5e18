/* NCRISC: announces the pages of A, which are there already, and fetches B. Arguments: B, number of tiles. */
#include "noc.h"

enum { CB_A = 0, CB_B = 1 };

void kernel_main(void) {
  const struct InterleavedAddrGen b = {get_arg_val(0), get_tile_size(CB_B)};
  uint32_t tiles = get_arg_val(1);
  cb_reserve_back(CB_A, tiles);
  cb_push_back(CB_A, tiles);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_reserve_back(CB_B, 1);
    noc_async_read_page(i, &b, get_write_ptr(CB_B));
    noc_async_read_barrier();
    cb_push_back(CB_B, 1);
  }
}
