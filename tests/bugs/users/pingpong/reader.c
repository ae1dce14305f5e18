/* NCRISC fetches rows into two buffers in turn; BRISC sends them on. Flags in L1, polled with a pause. Arguments: A, number of rows. */
#include "noc.h"
#include "pingpong.h"

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW};
  for (uint32_t i = 0, rows = get_arg_val(1); i < rows; i++) {
    while (*taken(i) + 2 < i + 1) pause();
    noc_async_read_page(i, &a, buffer(i));
    noc_async_read_barrier();
    *filled(i) = i + 1;
  }
}
