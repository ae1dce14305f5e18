// BRISC: tiles of C as they come. Arguments: C, number of tiles.

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(tt::CBIndex::c_16));
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(tt::CBIndex::c_16, 1);
    noc_async_write_page(i, c, get_read_ptr(tt::CBIndex::c_16));
    noc_async_write_barrier();
    cb_pop_front(tt::CBIndex::c_16, 1);
  }
}
