// NCRISC: two pages in flight, each with its own transaction number. Arguments: A, number of pages.

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto a = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(tt::CBIndex::c_0));
  const uint32_t pages = get_arg_val<uint32_t>(1), bytes = get_tile_size(tt::CBIndex::c_0);
  for (uint32_t i = 0; i < pages; i += 2) {
    cb_reserve_back(tt::CBIndex::c_0, 2);
    const uint32_t to = get_write_ptr(tt::CBIndex::c_0);
    noc_async_read_set_trid(1);
    noc_async_read_page(i, a, to);
    noc_async_read_set_trid(2);
    noc_async_read_page(i + 1, a, to + bytes);
    noc_async_read_barrier_with_trid(1);
    cb_push_back(tt::CBIndex::c_0, 1);
    noc_async_read_barrier_with_trid(2);
    cb_push_back(tt::CBIndex::c_0, 1);
  }
  noc_async_read_set_trid(0);
}
