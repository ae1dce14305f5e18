// NCRISC: a tile of factors, then the pages of A. Arguments: address and pages of A.
#include "api/dataflow/dataflow_api.h"

// reduce_tile multiplies by the first row of each face of the tile in this buffer: 1 for a sum. The last store is read back, so that all of
// them have arrived before the push.
static void push_factor(uint32_t cb, uint32_t two_of_bf16) {
  cb_reserve_back(cb, 1);
  volatile tt_l1_ptr uint32_t *word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_write_ptr(cb));
  for (uint32_t i = 0; i < 512; i++) word[i] = i % 128 < 8 ? two_of_bf16 : 0;
  while (word[511] != 0) {}
  cb_push_back(cb, 1);
}

void kernel_main() {
  constexpr uint32_t cb_in = tt::CBIndex::c_0, cb_factor = tt::CBIndex::c_1;
  constexpr auto a_args = TensorAccessorArgs<0>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const uint32_t pages = get_arg_val<uint32_t>(1);
  push_factor(cb_factor, 0x3f803f80);
  for (uint32_t i = 0; i < pages; i++) {
    cb_reserve_back(cb_in, 1);
    noc_async_read_page(i, a, get_write_ptr(cb_in));
    noc_async_read_barrier();
    cb_push_back(cb_in, 1);
  }
}
