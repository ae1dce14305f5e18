/* Declarations shared by the kernels of the grid matmul. A (Mt x Kt tiles) and B (Kt x Nt) are interleaved over DRAM; tile
 * (col, row) of the grid makes the mt x nt block of C at (row, col). The first tile of a row reads A for the row and
 * multicasts it; the first of a column reads B for the column. K is taken in steps of kb tiles: a step is mt x kb tiles of
 * A and kb x nt of B. Arguments: */
#ifndef GRID_MATMUL_H
#define GRID_MATMUL_H

#include "noc.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };
enum { ARG_MT, ARG_KT, ARG_NT, ARG_COL, ARG_ROW, ARG_COLS, ARG_ROWS, ARG_X0, ARG_Y0, ARG_A, ARG_B, ARG_C, ARG_KB };
enum { SEM_A_READY, SEM_A_VALID, SEM_B_READY, SEM_B_VALID };

/* rows x columns tiles from DRAM into the buffer's next pages, row by row; a row of the matrix has `across` tiles. */
TT_INLINE void read_tiles(uint32_t cb, uint32_t base, uint32_t first, uint32_t across, uint32_t rows, uint32_t columns) {
  const struct InterleavedAddrGen gen = {base, get_tile_size(cb)};
  uint32_t to = get_write_ptr(cb);
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < columns; c++, to += gen.page_size) noc_async_read_page(first + r * across + c, &gen, to);
  noc_async_read_barrier();
}

/* The sender waits until all receivers have room, then sends the pages and, after them, the flag. From (x0, y0) to (x1, y1) in the
 * direction of the NoC: on NoC 1 to smaller coordinates. */
TT_INLINE void multicast_tiles(uint32_t cb, uint32_t tiles, uint32_t ready, uint32_t valid, uint32_t x0, uint32_t y0,
                               uint32_t x1, uint32_t y1, uint32_t receivers) {
  uint32_t from = get_write_ptr(cb), bytes = tiles * get_tile_size(cb);
  noc_semaphore_wait(get_semaphore(ready), receivers);
  noc_semaphore_set(get_semaphore(ready), 0);
  noc_async_write_multicast(from, get_noc_multicast_addr(x0, y0, x1, y1, from), bytes, receivers, 1);
  noc_semaphore_set(get_semaphore(valid), 1);
  noc_semaphore_wait(get_semaphore(valid), 1); /* the stores of both semaphores have arrived */
  noc_semaphore_set_multicast(get_semaphore(valid), get_noc_multicast_addr(x0, y0, x1, y1, get_semaphore(valid)), receivers,
                              0);
  noc_async_write_barrier();
}

/* The receiver: reserve space, signal the sender, wait for the flag. */
TT_INLINE void receive_tiles(uint32_t ready, uint32_t valid, uint32_t sender_x, uint32_t sender_y) {
  noc_semaphore_set(get_semaphore(valid), 0);
  noc_semaphore_wait(get_semaphore(valid), 0); /* the store has arrived: the sender's flag comes after it */
  noc_semaphore_inc(get_noc_addr(sender_x, sender_y, get_semaphore(ready)), 1);
  noc_semaphore_wait(get_semaphore(valid), 1);
}

#endif
