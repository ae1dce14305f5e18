// BRISC: all pages to this tile's rows of C. Arguments: address of C, own index, tiles.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb = tt::CBIndex::c_0;
  constexpr auto c_args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(0));
  const uint32_t own = get_arg_val<uint32_t>(1), tiles = get_arg_val<uint32_t>(2);
  cb_wait_front(cb, tiles);
  for (uint32_t i = 0; i < tiles; i++) noc_async_write_page(own * tiles + i, c, get_read_ptr(cb) + i * get_tile_size(cb));
  noc_async_write_barrier();
  cb_pop_front(cb, tiles);
}
