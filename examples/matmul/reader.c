/* NCRISC: tiles of A and B from the host's addresses into the buffers. Arguments: Mt, Kt, Nt; 8 address of A, 9 of B. A
 * lies row by row, B too: tile (k, n) of B is number k * Nt + n. */
#include "dataflow.h"

enum { CB_A = 0, CB_B = 1 };

static void deliver(uint32_t cb, uint32_t from) {
  cb_reserve_back(cb, 1);
  uint32_t to = get_write_ptr(cb), bytes = get_tile_size(cb);
  l1_copy(to, from, bytes);
  l1_fence(to + bytes - 4);
  cb_push_back(cb, 1);
}

void kernel_main(void) {
  uint32_t mt = get_arg_val(0), kt = get_arg_val(1), nt = get_arg_val(2);
  uint32_t a = get_arg_val(8), b = get_arg_val(9);
  for (uint32_t m = 0; m < mt; m++)
    for (uint32_t n = 0; n < nt; n++)
      for (uint32_t k = 0; k < kt; k++) {
        deliver(CB_A, a + (m * kt + k) * get_tile_size(CB_A));
        deliver(CB_B, b + (k * nt + n) * get_tile_size(CB_B));
      }
}
