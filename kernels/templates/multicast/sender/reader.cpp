#include "dataflow_api.h"
void kernel_main() {
  const InterleavedAddrGen<true> a = {.bank_base_address = get_arg_val<uint32_t>(0), .page_size = get_tile_size(0)};
  uint32_t x1 = get_arg_val<uint32_t>(1), y1 = get_arg_val<uint32_t>(2), n = get_common_arg_val<uint32_t>(2);
  uint32_t valid_at = get_semaphore(1);
  volatile tt_l1_ptr uint32_t *ready = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0));
  volatile tt_l1_ptr uint32_t *valid = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(valid_at);
  noc_semaphore_set(valid, VALID);
  for (uint32_t i = 0; i < n; i++) {
    cb_reserve_back(0, 1);
    uint32_t page = get_write_ptr(0);
    noc_async_read_page(i, a, page);
    noc_async_read_barrier();
    noc_semaphore_wait(ready, 3);
    noc_semaphore_set(ready, 0);
    noc_semaphore_wait(ready, 0);
    noc_async_write_multicast(page, get_noc_multicast_addr(my_x[0], my_y[0], x1, y1, page), get_tile_size(0), 3);
    noc_semaphore_set_multicast(valid_at, get_noc_multicast_addr(my_x[0], my_y[0], x1, y1, valid_at), 3);
    noc_async_write_barrier();
    cb_push_back(0, 1);
  }
}
