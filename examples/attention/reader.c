/* NCRISC: the constants, all of K and V, which stay resident, then Q row by row of data tiles. Arguments: St (rows of Q), Tt (rows of K and V), Dt
 * (features), all in data tiles; Q, K, V; 1 / sqrt(features); 1. */
#include "noc.h"

#include "constant_tiles.h"

enum { CB_Q = 0, CB_K = 1, CB_V = 2, CB_FACTOR = 3, CB_SCALER = 4, CB_ONES = 5 };

static void deliver(uint32_t cb, uint32_t address, uint32_t first, uint32_t tiles) {
  const struct InterleavedAddrGen from = {address, get_tile_size(cb)};
  cb_reserve_back(cb, tiles);
  for (uint32_t i = 0; i < tiles; i++) noc_async_read_page(first + i, &from, get_write_ptr(cb) + i * get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, tiles);
}

void kernel_main(void) {
  uint32_t st = get_arg_val(0), tt = get_arg_val(1), dt = get_arg_val(2);
  push_filled_tile(CB_FACTOR, get_arg_val(6));
  push_scaler_tile(CB_SCALER, get_arg_val(7));
  push_column_tile(CB_ONES, get_arg_val(7));
  deliver(CB_K, get_arg_val(4), 0, tt * dt);
  deliver(CB_V, get_arg_val(5), 0, tt * dt);
  for (uint32_t s = 0; s < st; s++) deliver(CB_Q, get_arg_val(3), s * dt, dt);
}
