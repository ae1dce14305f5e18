/* NCRISC: for each row of C and each k a tile of A and a row of tiles of B. Arguments: A, B, rows, k, columns (in tiles). */
#include "noc.h"

enum { CB_A = 0, CB_B = 1 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  uint32_t rows = get_arg_val(2), depth = get_arg_val(3), columns = get_arg_val(4);
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t k = 0; k < depth; k++) {
      cb_reserve_back(CB_A, 1);
      noc_async_read_page(row * depth + k, &a, get_write_ptr(CB_A));
      cb_reserve_back(CB_B, columns);
      for (uint32_t column = 0; column < columns; column++)
        noc_async_read_page(k * columns + column, &b, get_write_ptr(CB_B) + column * get_tile_size(CB_B));
      noc_async_read_barrier();
      cb_push_back(CB_A, 1);
      cb_push_back(CB_B, columns);
    }
}
