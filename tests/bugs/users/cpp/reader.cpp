// NCRISC: pairs of tiles of A and B. Arguments: A, B, number of tiles.

void kernel_main() {
  constexpr auto args_a = TensorAccessorArgs<0>();
  constexpr auto args_b = TensorAccessorArgs<args_a.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(args_a, get_arg_val<uint32_t>(0), get_tile_size(tt::CBIndex::c_0));
  const auto b = TensorAccessor(args_b, get_arg_val<uint32_t>(1), get_tile_size(tt::CBIndex::c_1));
  const uint32_t tiles = get_arg_val<uint32_t>(2), bytes = get_tile_size(tt::CBIndex::c_0);
  for (uint32_t i = 0; i < tiles; i += 2) {
    cb_reserve_back(tt::CBIndex::c_0, 2);
    cb_reserve_back(tt::CBIndex::c_1, 2);
    for (uint32_t k = 0; k < 2; k++) {
      noc_async_read_page(i + k, a, get_write_ptr(tt::CBIndex::c_0) + k * bytes);
      noc_async_read_page(i + k, b, get_write_ptr(tt::CBIndex::c_1) + k * bytes);
    }
    noc_async_read_barrier();
    cb_push_back(tt::CBIndex::c_0, 2);
    cb_push_back(tt::CBIndex::c_1, 2);
  }
}
