/* NCRISC: tiles over the NoC from this tile's own L1 into buffers 0 and 1. Arguments: 0 tiles; 8 and 9 addresses. */
#include "noc.h"

#include "circular_buffer.h"

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read(get_noc_addr(my_x, my_y, get_arg_val(8) + i * get_tile_size(0)), get_write_ptr(0), get_tile_size(0));
    noc_async_read(get_noc_addr(my_x, my_y, get_arg_val(9) + i * get_tile_size(1)), get_write_ptr(1), get_tile_size(1));
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
