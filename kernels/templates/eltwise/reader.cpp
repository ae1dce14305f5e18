// NCRISC: page i of A and of B into their circular buffers. Arguments: addresses of A and B, pages.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1;
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1));
  const uint32_t pages = get_arg_val<uint32_t>(2);
  for (uint32_t i = 0; i < pages; i++) {
    cb_reserve_back(cb_a, 1);
    cb_reserve_back(cb_b, 1);
    noc_async_read_page(i, a, get_write_ptr(cb_a));
    noc_async_read_page(i, b, get_write_ptr(cb_b));
    noc_async_read_barrier();
    cb_push_back(cb_a, 1);
    cb_push_back(cb_b, 1);
  }
}
