/* BRISC: 32 lines of 256 bytes at a time. Arguments: C, number of lines. */
#include "noc.h"

enum { CB_C = 16, LINE = 256 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), LINE};
  for (uint32_t i = 0, lines = get_arg_val(1); i < lines; i += 32) {
    cb_wait_front(CB_C, 4);
    for (uint32_t k = 0; k < 32; k++) noc_async_write_page(i + k, &c, get_read_ptr(CB_C) + k * LINE);
    noc_async_write_barrier();
    cb_pop_front(CB_C, 4);
  }
}
