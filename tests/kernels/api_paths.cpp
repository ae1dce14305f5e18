// Arguments with names, divisions by constants and the fields of a buffer, for a reader of tests/cli_kernel_dataflow.sh.
#include "experimental/kernel_args.h"
#include "internal/circular_buffer_interface.h"
#include "internal/mod_div_lib.h"
namespace args {
constexpr experimental::RtaArg<uint32_t> second{4};
constexpr experimental::CrtaArg<uint32_t> shared{0};
constexpr experimental::CtaVal<uint32_t> fixed{get_compile_time_arg_val(0)};
} // namespace args
TT_KERNEL void work(uint32_t n) {
  constexpr uint32_t fixed = get_arg(args::fixed);
  DPRINT << "args " << get_arg(args::second) << " " << get_arg(args::shared) << " " << fixed << ENDL();
  const uint32_t quotient = udivsi3_const_divisor<94>(n), rest = umodsi3_const_divisor<12>(n);
  DPRINT << "division " << quotient << " " << rest << " " << mulsi3(n, 3) << ENDL();
  DPRINT << "buffer " << get_local_cb_interface(0).fifo_num_pages << " " << get_local_cb_interface(0).fifo_page_size
         << ENDL();
}
void kernel_main() { work(get_arg_val<uint32_t>(2)); }
