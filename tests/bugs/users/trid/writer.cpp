// BRISC: pages to C, two in flight, each with its own transaction number. Arguments: C, number of pages.

void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(tt::CBIndex::c_16));
  const uint32_t pages = get_arg_val<uint32_t>(1), bytes = get_tile_size(tt::CBIndex::c_16);
  for (uint32_t i = 0; i < pages; i += 2) {
    cb_wait_front(tt::CBIndex::c_16, 2);
    const uint32_t from = get_read_ptr(tt::CBIndex::c_16);
    noc_async_write_set_trid(1);
    noc_async_write_page(i, c, from);
    noc_async_write_set_trid(2);
    noc_async_write_page(i + 1, c, from + bytes);
    noc_async_write_barrier_with_trid(1);
    cb_pop_front(tt::CBIndex::c_16, 1);
    noc_async_write_barrier_with_trid(2);
    cb_pop_front(tt::CBIndex::c_16, 1);
  }
  noc_async_write_set_trid(0);
}
