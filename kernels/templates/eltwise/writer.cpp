// BRISC: the pages of the circular buffer to C. Arguments: address and pages of C.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb_out = tt::CBIndex::c_16;
  constexpr auto c_args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(0));
  const uint32_t pages = get_arg_val<uint32_t>(1);
  for (uint32_t i = 0; i < pages; i++) {
    cb_wait_front(cb_out, 1);
    noc_async_write_page(i, c, get_read_ptr(cb_out));
    noc_async_write_barrier();
    cb_pop_front(cb_out, 1);
  }
}
