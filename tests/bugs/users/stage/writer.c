/* BRISC: the first pages to T, each announced to the reader, the others to C. Arguments: T, C, number of pages. */
#include "noc.h"

enum { CB_OUT = 16, STAGED = 3 };

static void drain(const struct InterleavedAddrGen *to, uint32_t page) {
  cb_wait_front(CB_OUT, 1);
  noc_async_write_page(page, to, get_read_ptr(CB_OUT));
  noc_async_write_barrier();
  cb_pop_front(CB_OUT, 1);
}

void kernel_main(void) {
  const struct InterleavedAddrGen t = {get_arg_val(0), get_tile_size(CB_OUT)}, c = {get_arg_val(1), get_tile_size(CB_OUT)};
  uint32_t pages = get_arg_val(2);
  for (uint32_t i = 0; i < pages; i++) {
    drain(&t, i);
    noc_semaphore_set(get_semaphore(STAGED), i + 1);
  }
  for (uint32_t i = 0; i < pages; i++) drain(&c, i);
}
