// The dataflow API's names in C++; compiled with compile-time arguments 2,2048,0,2048,7 and cb_out=16, and -include kernel_api.h.
#include <cstdint>
#include <cstring>

static_assert(get_compile_time_arg_val(4) == 7 && get_named_compile_time_arg_val("cb_out") == 16, "compile-time arguments");

static void pages() {
  constexpr auto in_args = TensorAccessorArgs<0>();
  const auto in = TensorAccessor(in_args, get_arg_val<uint32_t>(0));
  constexpr auto out_args = TensorAccessorArgs<in_args.next_compile_time_args_offset()>();
  const auto out = TensorAccessor(out_args, get_arg_val<uint32_t>(1), 1024);
  const InterleavedAddrGenFast<true> fast = {
      .bank_base_address = get_arg_val<uint32_t>(2), .page_size = get_tile_size(0), .data_format = DataFormat::Float16_b};
  cb_reserve_back(0, 1);
  uint32_t to = get_write_ptr(0);
  noc_async_read_page(0, in, to);
  noc_async_read_tile(1, fast, to);
  noc_async_read(in.get_noc_addr(2, 32), to, 64);
  noc_async_read(get_noc_addr(3, out), to, 64, noc_index);
  noc_async_read_barrier();
  cb_push_back(0, 1);
  noc_async_write_page(0, out, to);
  noc_async_write_barrier();
}

static void objects() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto tensor = TensorAccessor(args, 0x1000);
  Noc noc;
  CircularBuffer cb(16);
  cb.reserve_back(1);
  noc.async_read(tensor, cb, cb.get_tile_size(), {.page_id = 3}, {.offset_bytes = 0});
  noc.async_read_barrier();
  cb.push_back(1);
  cb.wait_front(1);
  noc.async_write(cb, tensor, cb.get_tile_size(), {}, {.page_id = 3});
  noc.async_write_barrier();
  cb.pop_front(1);
  volatile tt_l1_ptr uint32_t *semaphore = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0));
  noc_semaphore_set(semaphore, 0);
  noc_semaphore_wait_min(semaphore, 1);
  noc_semaphore_inc(get_noc_addr(my_x[0], my_y[0], (uint32_t)semaphore), 1);
}

void kernel_main() {
  pages();
  objects();
  DPRINT("{} {} {}\n", get_tile_hw(0), get_tile_num_faces(0), (uint32_t)get_dataformat(0));
  DPRINT("at {},{}: {}\n", get_absolute_logical_x(), get_absolute_logical_y(), bf16_t(0x3f80));
  DPRINT_DATA0("one core\n");
  DPRINT("{}\n", TileSlice(0, 0, SliceRange::hw0_32_8(), TSLICE_INPUT_CB, TSLICE_WR_PTR, true, false));
}
