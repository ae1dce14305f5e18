// NCRISC: slot i of the buffer, at the same address on every tile, is for page i. A page arrives before the increment of the semaphore, because
// the write has been answered. Arguments: address of A, own index, tiles, x and y of the next tile.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
  constexpr uint32_t cb = tt::CBIndex::c_0;
  constexpr auto a_args = TensorAccessorArgs<0>();
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(0));
  const uint32_t own = get_arg_val<uint32_t>(1), tiles = get_arg_val<uint32_t>(2);
  const uint32_t next_x = get_arg_val<uint32_t>(3), next_y = get_arg_val<uint32_t>(4), bytes = get_tile_size(cb);
  const uint32_t arrived_at = get_semaphore(0);
  volatile tt_l1_ptr uint32_t *arrived = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(arrived_at);
  cb_reserve_back(cb, tiles);
  const uint32_t base = get_write_ptr(cb);
  noc_async_read_page(own, a, base + own * bytes);
  noc_async_read_barrier();
  for (uint32_t step = 1; step < tiles; step++) {
    const uint32_t slot = base + (own + tiles + 1 - step) % tiles * bytes;
    noc_async_write(slot, get_noc_addr(next_x, next_y, slot), bytes);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(next_x, next_y, arrived_at), 1);
    noc_semaphore_wait_min(arrived, step);
  }
  noc_async_atomic_barrier();
  cb_push_back(cb, tiles);
}
