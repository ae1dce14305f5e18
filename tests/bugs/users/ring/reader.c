/* NCRISC of four tiles: a row goes around the ring, the second tile adds a row of B to it. One row is under way at a time, so a tile's
 * slot is free when the row has come around. Arguments: A, B, C, index, number of rows. */
#include "noc.h"

enum { ROW = 1024, SLOT = 0x40000, OTHER = 0x50000, TILES = 4 };
enum { SEM_HERE };

static void pass_on(uint32_t index) {
  uint32_t next_x = index + 1 == TILES ? my_x - index : my_x + 1;
  l1_fence(SLOT + ROW - 4);
  noc_async_write(SLOT, get_noc_addr(next_x, my_y, SLOT), ROW);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(next_x, my_y, get_semaphore(SEM_HERE)), 1);
}

static void add_row(uint32_t i) {
  const struct InterleavedAddrGen b = {get_arg_val(1), ROW};
  noc_async_read_page(i, &b, OTHER);
  noc_async_read_barrier();
  for (uint32_t at = 0; at < ROW; at += 4) tt_store(SLOT + at, tt_load(SLOT + at) + tt_load(OTHER + at));
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(2), ROW};
  uint32_t index = get_arg_val(3);
  for (uint32_t i = 0, rows = get_arg_val(4); i < rows; i++) {
    if (index == 0) {
      noc_async_read_page(i, &a, SLOT);
      noc_async_read_barrier();
      pass_on(index);
    }
    noc_semaphore_wait_min(get_semaphore(SEM_HERE), i + 1);
    if (index == 1) add_row(i);
    if (index) {
      pass_on(index);
    } else {
      noc_async_write_page(i, &c, SLOT);
      noc_async_writes_flushed();
    }
  }
  noc_async_full_barrier();
}
