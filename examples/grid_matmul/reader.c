/* NCRISC, NoC 0: tiles of A. Column 0 reads them from DRAM and multicasts them along its row. */
#include "grid.h"

void kernel_main(void) {
  uint32_t mt = get_arg_val(ARG_MT), kt = get_arg_val(ARG_KT), col = get_arg_val(ARG_COL), row = get_arg_val(ARG_ROW);
  uint32_t cols = get_arg_val(ARG_COLS), x0 = get_arg_val(ARG_X0), kb = get_arg_val(ARG_KB), tiles = mt * kb;
  for (uint32_t k = 0; k < kt; k += kb) {
    cb_reserve_back(CB_A, tiles);
    if (col == 0) {
      read_tiles(CB_A, get_arg_val(ARG_A), row * mt * kt + k, kt, mt, kb);
      if (cols > 1)
        multicast_tiles(CB_A, tiles, SEM_A_READY, SEM_A_VALID, worker_x(x0, 1), my_y, worker_x(x0, cols - 1), my_y,
                        cols - 1);
    } else {
      receive_tiles(SEM_A_READY, SEM_A_VALID, x0, my_y);
    }
    cb_push_back(CB_A, tiles);
  }
  noc_async_full_barrier();
}
