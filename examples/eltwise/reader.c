/* NCRISC: tile i of A and tile i of B, one after the other. Arguments: 0 tiles; 8 address of A, 9 of B. */
#include "dataflow.h"

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      uint32_t to = get_write_ptr(cb), bytes = get_tile_size(cb);
      l1_copy(to, get_arg_val(8 + cb) + i * bytes, bytes);
      l1_fence(to + bytes - 4);
      cb_push_back(cb, 1);
    }
}
