/* BRISC: tiles of buffer 16 to the host's address. Arguments: 0 tiles, 10 address. */
#include "dataflow.h"

enum { CB_OUT = 16 };

void kernel_main(void) {
  uint32_t to = get_arg_val(10), bytes = get_tile_size(CB_OUT);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_wait_front(CB_OUT, 1);
    l1_copy(to + i * bytes, get_read_ptr(CB_OUT), bytes);
    cb_pop_front(CB_OUT, 1);
  }
}
