/* The three T cores: a row of `columns` tiles of C in Dst. Arguments: rows, k, columns (in tiles). */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_C = 16 };

void kernel_main(void) {
  uint32_t rows = get_arg_val(0), depth = get_arg_val(1), columns = get_arg_val(2);
  mm_init(CB_A, CB_B, CB_C);
  for (uint32_t row = 0; row < rows; row++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < depth; k++) {
      cb_wait_front(CB_A, 1);
      cb_wait_front(CB_B, columns);
      for (uint32_t column = 0; column < columns; column++) matmul_tiles(CB_A, CB_B, 0, column, column);
      cb_pop_front(CB_A, 1);
      cb_pop_front(CB_B, columns);
    }
    tile_regs_commit();
    cb_reserve_back(CB_C, columns);
    tile_regs_wait();
    for (uint32_t column = 0; column < columns; column++) pack_tile(column, CB_C);
    tile_regs_release();
    cb_push_back(CB_C, columns);
  }
}
