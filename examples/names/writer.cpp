// BRISC: as many tiles as the reader announces, from the buffer to C.
#include "api/dataflow/dataflow_api.h"
#include "experimental/kernel_args.h"

void kernel_main() {
  const auto c = TensorAccessor(tensor::c);
  DataflowBuffer in(dfb::in);
  Semaphore ready(sem::ready);
  Noc noc;

  ready.wait(get_arg(args::tiles));
  for (uint32_t i = 0; i < get_arg(args::tiles); i++) {
    in.wait_front(1);
    noc.async_write(in, c, in.get_entry_size(), {}, {.page_id = i});
    noc.async_write_barrier();
    in.pop_front(1);
  }
}
