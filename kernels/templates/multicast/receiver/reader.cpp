#include "dataflow_api.h"
void kernel_main() {
  uint32_t x0 = get_arg_val<uint32_t>(0), y0 = get_arg_val<uint32_t>(1), n = get_common_arg_val<uint32_t>(2);
  volatile tt_l1_ptr uint32_t *valid = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(1));
  for (uint32_t i = 0; i < n; i++) {
    cb_reserve_back(0, 1);
    noc_semaphore_set(valid, INVALID);
    noc_semaphore_wait(valid, INVALID);
    noc_semaphore_inc(get_noc_addr(x0, y0, get_semaphore(0)), 1);
    noc_semaphore_wait(valid, VALID);
    cb_push_back(0, 1);
  }
}
