/* NCRISC: the rows of A. Arguments: A, number of rows. */
#include "noc.h"

enum { CB_A = 0, ROW = 256 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW};
  for (uint32_t i = 0, rows = get_arg_val(1); i < rows; i++) {
    cb_reserve_back(CB_A, 1);
    noc_async_read(get_interleaved_noc_addr(&a, i), get_write_ptr(CB_A), ROW);
    noc_async_read_barrier();
    cb_push_back(CB_A, 1);
  }
}
