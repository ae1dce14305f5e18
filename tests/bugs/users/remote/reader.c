/* NCRISC of two tiles: a remote circular buffer of two pages. Arguments: A, C, index, number of pages. */
#include "noc.h"

enum { PAGE = 1024, STAGE = 0x40000, BASE = 0x60000 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), PAGE}, c = {get_arg_val(1), PAGE};
  uint32_t index = get_arg_val(2), pages = get_arg_val(3);
  struct RemoteCB cb = {.base = BASE, .page_size = PAGE, .pages = 2, .other_x = index ? my_x - 1 : my_x + 1, .other_y = my_y,
                        .sent = get_semaphore(0), .acked = get_semaphore(1)};
  for (uint32_t i = 0; i < pages; i++) {
    if (index == 0) {
      noc_async_read_page(i, &a, STAGE);
      noc_async_read_barrier();
      remote_cb_push_back(&cb, STAGE);
    } else {
      remote_cb_wait_front(&cb);
      noc_async_write_page(i, &c, remote_cb_page(&cb));
      noc_async_writes_flushed();
      remote_cb_pop_front(&cb);
    }
  }
  noc_async_full_barrier();
}
