/* BRISC: tiles of buffers 16 and 17 in turn. Arguments: 0 tiles, 10 address. */
#include "dataflow.h"

static void take(uint32_t cb, uint32_t to) {
  uint32_t bytes = get_tile_size(cb);
  cb_wait_front(cb, 1);
  l1_copy(to, get_read_ptr(cb), bytes);
  cb_pop_front(cb, 1);
}

void kernel_main(void) {
  uint32_t to = get_arg_val(10), bytes = get_tile_size(16) + get_tile_size(17);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    take(16, to + i * bytes);
    take(17, to + i * bytes + get_tile_size(16));
  }
}
