// NCRISC of a row of four tiles calls the functions of api_noc_state.h, api_noc.h and api_tensor.h; tests/cli_kernel_dataflow.sh compares the results.
// Arguments: 0 column, 1 x of column 0, 2 A (source, 8 pages), 3 C (copy of A), 4 S (a shard of two pages per tile), 5 D (copy of S),
// 6 E (a row of 16 words per tile), 7 T (as S, written), 8 U (copy of page 0 of A in bank 3). Common: 0 a number.
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc_semaphore.h"

constexpr auto a_args = TensorAccessorArgs<0>();
constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
constexpr auto s_args = TensorAccessorArgs<c_args.next_compile_time_args_offset()>();
constexpr auto d_args = TensorAccessorArgs<s_args.next_compile_time_args_offset()>();
constexpr auto e_args = TensorAccessorArgs<d_args.next_compile_time_args_offset()>();
constexpr auto u_args = TensorAccessorArgs<e_args.next_compile_time_args_offset()>();
static_assert(s_args.is_sharded && !s_args.is_dram && s_args.NumBanksCT == 4 && u_args.is_sharded && u_args.is_dram,
              "kinds");
static_assert(get_compile_time_arg_val(u_args.next_compile_time_args_offset()) == 99, "the words of all tensors");

constexpr uint32_t PAGE = 2048, SPREAD = 0x90000, HERE = 0xA0000;

// Page p of A to page p of C, each by different calls.
static void copies(uint32_t a_base, uint32_t c_base) {
  const auto a = TensorAccessor(a_args, a_base);
  const auto c = TensorAccessor(c_args, c_base);
  DataflowBuffer cb(0);
  Noc noc;
  cb.reserve_back(8);
  uint32_t at = cb.get_write_ptr();
  noc_async_read(a.get_noc_addr(0), at, PAGE);
  noc_async_read_one_packet_set_state(a.get_noc_addr(1), PAGE);
  noc_async_read_one_packet_with_state<false>((uint32_t)a.get_noc_addr(1), at + PAGE);
  noc_async_read_inc_num_issued(1);
  noc_async_read_set_state(a.get_noc_addr(2));
  noc_async_read_with_state((uint32_t)a.get_noc_addr(2), at + 2 * PAGE, PAGE / 2);
  noc_async_read_with_state((uint32_t)a.get_noc_addr(2) + PAGE / 2, at + 2 * PAGE + PAGE / 2, PAGE / 2);
  noc_async_read_one_packet_set_state(a.get_noc_addr(3), PAGE);
  noc_async_read_set_trid(5);
  noc_async_read_one_packet_with_state_with_trid((uint32_t)a.get_noc_addr(3), 0, at + 3 * PAGE, 5);
  noc_async_read_barrier_with_trid(5);
  noc_async_read_set_trid(0);
  noc.async_read<NocOptions::TXN_ID>(a, cb, PAGE, {.page_id = 4}, {.offset_bytes = 4 * PAGE}, {.trid = 7});
  noc.async_read_barrier<NocOptions::TXN_ID>({.trid = 7});
  ASSERT(noc.is_read_trid_flushed(7));
  noc.set_async_read_state<NocOptions::DEFAULT, PAGE>(a, PAGE, {.page_id = 5});
  noc.async_read_with_state<NocOptions::DEFAULT, PAGE>(a, cb, PAGE, {.page_id = 5}, {.offset_bytes = 5 * PAGE});
  noc_async_read_tile(6, a, at + 6 * PAGE);
  noc.async_read(PageView(a), CoreLocalMem<uint32_t>(at), PAGE, {.page_id = 7}, {.offset_bytes = 7 * PAGE});
  noc.async_read_barrier();
  cb.push_back(8);

  cb.wait_front(8);
  ASSERT(!cb_pages_reservable_at_back(0, 1) && cb_pages_available_at_front(0, 8));
  noc_async_write_one_packet_with_trid(at, c.get_noc_addr(0), PAGE, 3);
  noc_async_write_flushed_with_trid(3);
  noc_async_write_barrier_with_trid(3);
  noc_async_write_one_packet_set_state(c.get_noc_addr(1), PAGE);
  noc_async_write_one_packet_with_state(at + PAGE, (uint32_t)c.get_noc_addr(1));
  noc_async_write<NOC_MAX_BURST_SIZE + 1, true, true>(at + 2 * PAGE, c.get_noc_addr(2), PAGE, noc_index);
  noc_async_posted_writes_flushed();
  noc_async_write_one_packet_with_trid_set_state(c.get_noc_addr(3));
  noc_async_write_one_packet_with_trid_with_state(at + 3 * PAGE, (uint32_t)c.get_noc_addr(3), PAGE, 9);
  noc.async_write<NocOptions::TXN_ID>(cb, c, PAGE, {.offset_bytes = 4 * PAGE}, {.page_id = 4}, {.trid = 2});
  noc.async_write_barrier<NocOptions::TXN_ID>({.trid = 2});
  noc.set_async_write_state(c, PAGE, {.page_id = 5});
  noc.async_write_with_state(cb, c, PAGE, {.offset_bytes = 5 * PAGE}, {.page_id = 5});
  noc.async_write<NocOptions::CUSTOM_VC>(use<CircularBuffer::AddrSelector::READ_PTR>(cb), c, PAGE,
                                         {.offset_bytes = 6 * PAGE}, {.page_id = 6}, {.vc = 2});
  noc_async_write_page(7, c, at + 7 * PAGE);
  const auto u = TensorAccessor(u_args, get_arg_val<uint32_t>(8));
  noc_async_write_page(0, u, at);
  noc.async_write_barrier();
  cb.pop_front(8);
}

// Page by page from the shards into DRAM, and a shard to another address.
static void shards() {
  const auto s = TensorAccessor(s_args, get_arg_val<uint32_t>(4));
  const auto d = TensorAccessor(d_args, get_arg_val<uint32_t>(5));
  const auto t = TensorAccessor(s_args, get_arg_val<uint32_t>(7));
  Noc noc;
  CircularBuffer cb(1);
  for (auto page : s.pages(0, 8)) {
    noc.async_read(page, cb, PAGE, {}, {});
    noc.async_read_barrier();
    noc_async_write_page(page.page_id(), d, cb.get_write_ptr());
    noc_async_writes_flushed();
  }
  ASSERT(s.is_local_page(1) && !s.is_local_page(2) && s.shard_volume() == 2);
  noc_async_read_shard(3, s, cb.get_write_ptr());
  noc.async_read_barrier();
  noc_async_write_shard(3, t, cb.get_write_ptr());
  noc_async_writes_flushed();
  for (uint32_t page = 0; page < 6; page++) {
    noc.async_read(s, cb, PAGE, {.page_id = page}, {});
    noc.async_read_barrier();
    noc.async_write(CoreLocalMem<uint32_t>(cb.get_write_ptr()), t, PAGE, {}, {.page_id = page});
    noc.async_writes_flushed();
  }
  noc.async_write_barrier();
}

// Tile 0 to all: a vector, a semaphore that all wait for, counts that all raise; then each tile's row of E.
static void together(uint32_t column) {
  uint32_t x0 = get_arg_val<uint32_t>(1), y = my_y[0];
  Noc noc;
  Semaphore ready(0), counted(1), relayed(2);
  volatile tt_l1_ptr uint32_t *row = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(HERE);
  CoreLocalMem<volatile uint32_t> spread(SPREAD);
  if (column == 0) {
    for (uint32_t i = 0; i < 4; i++) row[i] = 100 + i;
    l1_fence(HERE + 12);
    noc.async_write_multicast<NocOptions::MCAST_INCL_SRC>(CoreLocalMem<uint32_t>(HERE), MulticastEndpoint{}, 16, 4, {},
                                                          {x0, y, x0 + 3, y, SPREAD});
    noc_inline_dw_write(get_noc_addr(x0 + 1, y, SPREAD + 16), 4711, 0xF); // to L1: an ordinary write
    for (uint32_t x = x0 + 1; x < x0 + 4; x++) // to L1 the library counts one receiver, as the vendor's does
      noc_inline_mcast_dw_write(get_noc_multicast_addr(x, y, x, y, SPREAD + 20), 815);
    noc.async_write_barrier();
    counted.inc_multicast(noc, x0, y, x0 + 3, y, 5, 3);
    noc.async_atomic_barrier();
    ready.set(VALID);
    ready.wait(VALID); // the store has arrived
    ready.set_multicast(noc, x0, y, x0 + 3, y, 3);
    noc_semaphore_set_multicast_loopback_src(get_semaphore(0), get_noc_multicast_addr(x0, y, x0 + 3, y, get_semaphore(3)),
                                             4);
    noc.async_write_barrier();
    ready.relay_unicast(noc, relayed, x0 + 2, y);
    counted.wait(3); // each of the others
  }
  ready.wait(VALID);
  if (column) counted.up(noc, x0, y, 1);
  if (column == 2) relayed.wait_min(VALID);
  Semaphore(3).wait(VALID);
  for (uint32_t i = 0; i < 16; i++) row[i] = i < 6 ? spread[i] : 0;
  row[6] = column ? tt_load(get_semaphore(1)) : 0;
  row[7] = tt_load(get_semaphore(3));
  row[8] = get_common_arg_val<uint32_t>(0);
  row[9] = *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_arg_addr(0));
  noc.async_write_zeros(CircularBuffer(1), 1024);
  noc.write_zeros_l1_barrier();
  CoreLocalMem<volatile uint32_t> zeros(CircularBuffer(1).get_write_ptr());
  for (uint32_t i = 0; i < 256; i++) row[10] += zeros[i];
  relayed.up(3);
  relayed.down(2);
  row[11] = tt_load(get_semaphore(2));
  for (uint32_t i = 0; i < 64; i += 4) l1_fence(HERE + i);
  noc_async_write_page(column, TensorAccessor(e_args, get_arg_val<uint32_t>(6)), HERE);
  noc.async_full_barrier();
}

void kernel_main() {
  uint32_t column = get_arg_val<uint32_t>(0);
  static_assert(NUM == 4, "define");
  static const uint32_t roots[] = {0x3fb504f3, 0x3fddb3d7, 0x40000000, 0x400f1bbd}; // of 2, 3, 4 and 5
  ASSERT(__builtin_bit_cast(uint32_t, sqrtf((float)(column + 2))) == roots[column]);
  if (column == 0) copies(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3));
  if (column == 0) shards();
  together(column);
}
