// NCRISC: for each tile of C its tiles of A and B, k by k. Arguments: addresses of A and B, then Mt, Kt and Nt in tiles.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1;
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const auto b = TensorAccessor(b_args, get_arg_val<uint32_t>(1));
  const uint32_t Mt = get_arg_val<uint32_t>(2), Kt = get_arg_val<uint32_t>(3), Nt = get_arg_val<uint32_t>(4);
  for (uint32_t m = 0; m < Mt; m++) {
    for (uint32_t n = 0; n < Nt; n++) {
      for (uint32_t k = 0; k < Kt; k++) {
        cb_reserve_back(cb_a, 1);
        cb_reserve_back(cb_b, 1);
        noc_async_read_page(m * Kt + k, a, get_write_ptr(cb_a));
        noc_async_read_page(k * Nt + n, b, get_write_ptr(cb_b));
        noc_async_read_barrier();
        cb_push_back(cb_a, 1);
        cb_push_back(cb_b, 1);
      }
    }
  }
}
