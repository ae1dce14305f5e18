/* NCRISC: tile `index` of three copies pages from one tensor in DRAM to the next; a semaphore tells the next tile.
 * Arguments: A, T, U, C, index, number of pages, 1: tells the next tile when the page has left, and not when it has arrived (a bug). */
#include "noc.h"

enum { PAGE = 1024, BUFFER = 0x40000, SEM_THERE = 0 };

void kernel_main(void) {
  uint32_t index = get_arg_val(4), pages = get_arg_val(5);
  const struct InterleavedAddrGen from = {get_arg_val(index), PAGE}, to = {get_arg_val(index + 1), PAGE};
  for (uint32_t i = 0; i < pages; i++) {
    uint32_t buffer = BUFFER + i % 2 * PAGE;
    if (index > 0) noc_semaphore_wait_min(get_semaphore(SEM_THERE), i + 1);
    noc_async_read_page(i, &from, buffer);
    noc_async_read_barrier();
    noc_async_write_page(i, &to, buffer);
    if (get_arg_val(6)) noc_async_writes_flushed();
    else noc_async_write_barrier();
    if (index < 2) noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_THERE)), 1);
  }
  noc_async_atomic_barrier();
}
