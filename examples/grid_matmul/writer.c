/* BRISC, NoC 1: tiles of B, down the columns from row 0; then the block of C to DRAM. */
#include "grid.h"

static void deliver_b(void) {
  uint32_t kt = get_arg_val(ARG_KT), nt = get_arg_val(ARG_NT), col = get_arg_val(ARG_COL), row = get_arg_val(ARG_ROW);
  uint32_t rows = get_arg_val(ARG_ROWS), y0 = get_arg_val(ARG_Y0), across = nt * get_arg_val(ARG_COLS);
  uint32_t kb = get_arg_val(ARG_KB), tiles = kb * nt;
  for (uint32_t k = 0; k < kt; k += kb) {
    cb_reserve_back(CB_B, tiles);
    if (row == 0) {
      read_tiles(CB_B, get_arg_val(ARG_B), k * across + col * nt, across, kb, nt);
      if (rows > 1) multicast_tiles(CB_B, tiles, SEM_B_READY, SEM_B_VALID, my_x, y0 + rows - 1, my_x, y0 + 1, rows - 1);
    } else {
      receive_tiles(SEM_B_READY, SEM_B_VALID, my_x, y0);
    }
    cb_push_back(CB_B, tiles);
  }
}

void kernel_main(void) {
  deliver_b();
  uint32_t mt = get_arg_val(ARG_MT), nt = get_arg_val(ARG_NT), across = nt * get_arg_val(ARG_COLS);
  uint32_t first = get_arg_val(ARG_ROW) * mt * across + get_arg_val(ARG_COL) * nt;
  const struct InterleavedAddrGen c = {get_arg_val(ARG_C), get_tile_size(CB_OUT)};
  for (uint32_t m = 0; m < mt; m++)
    for (uint32_t n = 0; n < nt; n++) {
      cb_wait_front(CB_OUT, 1);
      noc_async_write_page(first + m * across + n, &c, get_read_ptr(CB_OUT));
      noc_async_write_barrier();
      cb_pop_front(CB_OUT, 1);
    }
  noc_async_full_barrier();
}
