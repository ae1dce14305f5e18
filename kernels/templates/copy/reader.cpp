// NCRISC: page i of A into the circular buffer. Arguments: address and pages of A.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb_in = tt::CBIndex::c_0;
  constexpr auto a_args = TensorAccessorArgs<0>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const uint32_t pages = get_arg_val<uint32_t>(1);
  for (uint32_t i = 0; i < pages; i++) {
    cb_reserve_back(cb_in, 1);
    noc_async_read_page(i, a, get_write_ptr(cb_in));
    noc_async_read_barrier();
    cb_push_back(cb_in, 1);
  }
}
