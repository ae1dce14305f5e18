// NCRISC of a grid of 2 x 2 tiles: functions of the dataflow API that tests/kernels/api_noc_run.cpp does not call. tests/kernels/api_words.py
// compares the printed words and tensor C. Arguments: 0 column, 1 row, 2 A (8 pages), 3 C, 4 x and 5 y of the first tile.
#include "api/dataflow/dataflow_api.h"
#include "api/debug/dprint.h"

#define SHOW(expression) print_word((uint32_t)(expression))
__attribute__((noinline)) static void print_word(uint32_t word) { DPRINT("{} ", word); }
constexpr uint32_t PAGE = 2048, AT = 0x60000, SPREAD = 0x70000, MORE = 0x78000;
constexpr auto a_args = TensorAccessorArgs<0>();
constexpr auto c_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();

static volatile uint32_t *word_at(uint32_t address) { return reinterpret_cast<volatile uint32_t *>(address); }
static void set_word(uint32_t address, uint32_t value) {
  noc_semaphore_set(word_at(address), value);
  noc_semaphore_wait(word_at(address), value); // the store has arrived
}

static void words() {
  uint32_t beat = 6;
  RISC_POST_HEARTBEAT(beat);
  SHOW(beat);
  SHOW(Noc::l1_cached_view(AT) - AT + NUM_NOCS);
  SHOW(is_l1_address(get_noc_addr(AT)) + 2 * is_l1_address(get_noc_addr(0xFFB40000u)));
  SHOW(get_tile_hw(0));
  SHOW(get_tile_num_faces(0));
  SHOW(get_dataformat(0));
  SHOW(get_local_cb_interface(0).fifo_page_size);
  SHOW(DataflowBuffer(0).get_entry_size());
  SHOW(a_args.num_compile_time_args());
  SHOW(a_args.num_common_runtime_args());
  SHOW(a_args.next_common_runtime_args_offset());
  SHOW(a_args.get_aligned_page_size());
  SHOW(has_flag(NocOptions::POSTED, NocOptions::POSTED));
  SHOW(has_flag(NocOptions::DEFAULT, NocOptions::POSTED));
  SHOW(get_noc_addr_from_bank_id<true>(3, 64) == get_dram_noc_addr(3, 64));
  SHOW(page_noc_addr<true>(64, PAGE, 5, 32, noc_index) - get_dram_page_noc_addr(64, PAGE, 5));
  SHOW(page_noc_addr<false>(AT, 100, 3, 4, noc_index) - get_noc_addr(AT));
  SHOW(align(37, 12));
  SHOW(align_power_of_2(37, 16));
  SHOW(is_power_of_2(64));
  SHOW(bfloat16_greater(0xbf80, 0xc000));
  SHOW(float32_greater(0x3f800001, 0x3f800000));
  SHOW(int32_greater(1, 0xffffffff));
  SHOW(fp32_to_bf16_truncate(bf16_to_fp32(0xbfc0)));
  SHOW(get_absolute_logical_x() + 256u * get_absolute_logical_y());
  SHOW(get_relative_logical_x() + 256u * get_relative_logical_y());
  SHOW(*word_at(get_common_arg_addr(0)));
  SHOW(bf16_t(7).bits);
  SHOW(SliceRange::hw0_32_8().hs + SliceRange::hw0_32_16().ws + SliceRange::hw0_32_4().w1 + SliceRange::h0_w0_32().h1);
  SHOW(SliceRange::h0_32_w0().w1 + SliceRange::h0_32_w1().w0 + SliceRange::hw041().h1);
  set_word(AT, 8);
  invalidate_l1_cache();
  SHOW(load_blocking(word_at(AT)));
  set_l1_data_cache<true>();
  SHOW(load_blocking(word_at(AT)) + load_blocking(word_at(AT)));
  set_l1_data_cache<false>();
  const uint64_t then = c_tensix_core::read_wall_clock();
  ckernel::wait(100);
  SHOW(c_tensix_core::read_wall_clock() - then >= 100 && c_tensix_core::read_wall_clock_l() >= (uint32_t)then + 100);
  const InterleavedPow2AddrGenFast<true> pages = {.bank_base_address = 64, .log_base_2_of_page_size = 11};
  SHOW(pages.get_noc_addr(5, 32) - get_dram_page_noc_addr(64, PAGE, 5));
  SHOW(get_dram_noc_addr(5, PAGE, 64, 32) - get_dram_page_noc_addr(64, PAGE, 5));
  wait_for_sync_register_value(AT, 8);
}

// Two pages of A per tile to C, by calls with one packet, by tile and with a transaction number.
static void copies(uint32_t tile) {
  const auto a = TensorAccessor(a_args, get_arg_val<uint32_t>(2));
  const auto c = TensorAccessor(c_args, get_arg_val<uint32_t>(3));
  noc_async_read_one_packet(a.get_noc_addr(2 * tile), AT, PAGE);
  noc_async_read_tile(2 * tile + 1, a, AT + PAGE);
  noc_async_read_barrier(noc_index);
  noc_async_write_one_packet(AT, c.get_noc_addr(2 * tile), PAGE);
  noc_async_write_barrier(noc_index);
  noc_async_write_set_trid(4);
  noc_async_write_tile(2 * tile + 1, c, AT + PAGE);
  noc_async_write_barrier_with_trid(4);
  noc_async_write_set_trid(0);
  reset_noc_trid_barrier_counter(1u << 4);
  noc_async_full_barrier();
}

// The first tile to the other three.
static void together(uint32_t tile) {
  const uint32_t x = get_arg_val<uint32_t>(4), y = get_arg_val<uint32_t>(5);
  const auto to = [x, y](uint32_t address) { return get_noc_multicast_addr(x, y, x + 1, y + 1, address, noc_index); };
  if (tile == 0) {
    for (uint32_t i = 0; i < 8; i++) set_word(AT + 4 * i, 1000 + i);
    noc_async_write_multicast(AT, to(SPREAD), 16, 3);
    noc_async_write_multicast(AT + 16, to(SPREAD + 16), 16, 3, false, noc_index);
    noc_async_write_multicast_one_packet(AT, to(MORE), 32, 3);
    noc_async_write_barrier();
    noc_semaphore_inc_multicast(to(get_semaphore(5)), 9, 3);
    noc_async_atomic_barrier(noc_index);
    noc_inline_dw_write_set_state<false, true>(get_noc_addr(x + 1, y, 0xFFB40000u + 5 * 0x1000u + 4 * 8), 12);
    noc_inline_dw_write_with_state(0);
    noc_inline_dw_write_with_state<true, true, false, false, true>(13, 0xFFB40000u + 6 * 0x1000u + 4 * 8);
    noc_async_write_barrier();
    set_word(get_semaphore(4), 21);
    noc_semaphore_set_multicast(get_semaphore(4), to(get_semaphore(4)), 3);
    noc_async_write_barrier();
  }
  noc_semaphore_wait(word_at(get_semaphore(4)), 21);
  SHOW(tile ? *word_at(get_semaphore(5)) : 9);
  for (uint32_t i = 0; i < 8; i++) SHOW(tile ? *word_at(SPREAD + 4 * i) + *word_at(MORE + 4 * i) : 2000 + 2 * i);
  SHOW(tile == 1 ? *word_at(0xFFB40000u + 5 * 0x1000u + 4 * 8) : 12);
  SHOW(tile == 1 ? *word_at(0xFFB40000u + 6 * 0x1000u + 4 * 8) : 13);
}

void kernel_main() {
  uint32_t tile = get_arg_val<uint32_t>(0) + 2 * get_arg_val<uint32_t>(1);
  words();
  copies(tile);
  together(tile);
  DPRINT("end\n");
}
