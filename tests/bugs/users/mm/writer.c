/* BRISC: two pages at a time to C. Arguments: C, number of pages. */
#include "noc.h"

enum { CB_C = 16 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB_C)};
  for (uint32_t page = 0, pages = get_arg_val(1); page < pages; page += 2) {
    cb_wait_front(CB_C, 2);
    for (uint32_t i = 0; i < 2; i++) noc_async_write_page(page + i, &c, get_read_ptr(CB_C) + i * get_tile_size(CB_C));
    noc_async_writes_flushed();
    cb_pop_front(CB_C, 2);
  }
  noc_async_write_barrier();
}
