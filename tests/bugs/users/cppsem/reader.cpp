// NCRISC of three tiles: the first one multicasts rows to all, itself included, as tt-metal's matmul readers do; row i is written by
// tile i % 3. Arguments: A, C, index, number of rows.

constexpr uint32_t row_bytes = 1024, tiles = 3, stage = 0x40000, inbox = 0x50000;

void kernel_main() {
  const InterleavedAddrGen<true> a = {.bank_base_address = get_arg_val<uint32_t>(0), .page_size = row_bytes};
  const InterleavedAddrGen<true> c = {.bank_base_address = get_arg_val<uint32_t>(1), .page_size = row_bytes};
  const uint32_t index = get_arg_val<uint32_t>(2), rows = get_arg_val<uint32_t>(3), first_x = my_x[0] - index, y = my_y[0];
  const uint32_t ready_at = get_semaphore(0), valid_at = get_semaphore(1), one_at = get_semaphore(2);
  volatile tt_l1_ptr uint32_t *ready = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(ready_at);
  volatile tt_l1_ptr uint32_t *valid = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(valid_at);
  volatile tt_l1_ptr uint32_t *one = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(one_at);
  noc_semaphore_set(one, VALID);
  for (uint32_t i = 0; i < rows; i++) {
    noc_semaphore_set(valid, INVALID);
    noc_semaphore_wait(valid, INVALID); // the store has arrived
    noc_semaphore_inc(get_noc_addr(first_x, y, ready_at), 1);
    if (index == 0) {
      noc_async_read_page(i, a, stage);
      noc_async_read_barrier();
      noc_semaphore_wait(ready, tiles);
      noc_semaphore_set(ready, 0);
      noc_semaphore_wait(ready, 0);
      noc_async_write_multicast_loopback_src(stage, get_noc_multicast_addr(first_x, y, first_x + tiles - 1, y, inbox), row_bytes, tiles);
      noc_semaphore_set_multicast_loopback_src(one_at, get_noc_multicast_addr(first_x, y, first_x + tiles - 1, y, valid_at), tiles);
      noc_async_write_barrier();
    }
    noc_semaphore_wait(valid, VALID);
    if (i % tiles == index) noc_async_write_page(i, c, inbox);
    noc_async_writes_flushed();
  }
  noc_async_full_barrier();
}
