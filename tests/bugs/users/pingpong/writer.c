/* BRISC: the rows to C. Arguments: C, number of rows. */
#include "noc.h"
#include "pingpong.h"

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), ROW};
  for (uint32_t i = 0, rows = get_arg_val(1); i < rows; i++) {
    while (*filled(i) < i + 1) pause();
    noc_async_write_page(i, &c, buffer(i));
    noc_async_writes_flushed();
    *taken(i) = i + 1;
  }
  noc_async_write_barrier();
}
