#include "dataflow_api.h"
void kernel_main() {
  const InterleavedAddrGen<true> c = {.bank_base_address = get_common_arg_val<uint32_t>(0), .page_size = get_tile_size(0)};
  uint32_t first = get_common_arg_val<uint32_t>(1), n = get_common_arg_val<uint32_t>(2);
  for (uint32_t i = 0; i < n; i++) {
    cb_wait_front(0, 1);
    noc_async_write_page(first + i, c, get_read_ptr(0));
    noc_async_write_barrier();
    cb_pop_front(0, 1);
  }
}
