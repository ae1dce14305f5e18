/* BRISC: tiles of buffer 16 over the NoC to the host's address. Arguments: 0 tiles, 10 address. */
#include "noc.h"

#include "circular_buffer.h"

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), get_noc_addr(my_x, my_y, get_arg_val(10) + i * get_tile_size(16)), get_tile_size(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
