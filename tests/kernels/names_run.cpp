// The constants that kernel.chip names, for a reader of tests/cli_kernel_names.sh.
void kernel_main() {
  constexpr uint32_t block = get_arg(args::block), wide = get_arg(args::wide), half = get_arg(args::half),
                     limit = get_arg(args::limit);
  static_assert(get_named_compile_time_arg_val("block") == 8 && get_compile_time_arg_val(1) == 9 &&
                get_num_compile_time_varargs() == 2);
  static_assert(dfb::mine == 3 && dfb::first == 3 && sem::go == 5 && get_compile_time_vararg<0>() == 7);
  DPRINT("compile {} {} {:#x} {:#x}\n", block, wide, half, limit);
  DPRINT("run {} {} {} {}\n", get_arg(args::first), (int32_t)get_arg(args::second), get_vararg(0), get_vararg(1));
  DPRINT("common {} {}\n", get_arg(args::shared), get_common_vararg(0));
  LocalTensorAccessor<uint16_t> here(tensor::dst);
  Scratchpad<uint32_t> pad(scratch::pad);
  auto src = TensorAccessor(tensor::src);
  here[5] = 77;
  pad[31] = 78;
  uint32_t words = 0;
  for (auto at = pad.begin(); at < pad.end(); ++at) words++;
  DPRINT("tensors {} {} {}\n", src.get_aligned_page_size(),
         (uint32_t) * (volatile uint16_t *)(here.get_bank_base_address() + 10), pad[31]);
  DPRINT("pad {} {} {}\n", pad.size(), words, DataflowBuffer(dfb::mine).get_total_num_entries());
}
