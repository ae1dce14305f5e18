/* NCRISC: all pages of A, then all pages of T as the writer announces them. Arguments: A, T, number of pages. */
#include "noc.h"

enum { CB_IN = 0, STAGED = 3 };

static void fetch(const struct InterleavedAddrGen *from, uint32_t page) {
  cb_reserve_back(CB_IN, 1);
  noc_async_read_page(page, from, get_write_ptr(CB_IN));
  noc_async_read_barrier();
  cb_push_back(CB_IN, 1);
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_IN)}, t = {get_arg_val(1), get_tile_size(CB_IN)};
  uint32_t pages = get_arg_val(2);
  for (uint32_t i = 0; i < pages; i++) fetch(&a, i);
  for (uint32_t i = 0; i < pages; i++) {
    noc_semaphore_wait_min(get_semaphore(STAGED), i + 1);
    fetch(&t, i);
  }
}
