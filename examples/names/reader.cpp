// NCRISC: tiles of A and B into their buffers; the writer waits for the semaphore.
#include "api/dataflow/dataflow_api.h"
#include "experimental/kernel_args.h"

void kernel_main() {
  const uint32_t tiles = get_arg(args::tiles);
  const auto a = TensorAccessor(tensor::a);
  const auto b = TensorAccessor(tensor::b);
  DataflowBuffer in0(dfb::in0), in1(dfb::in1);
  Scratchpad<uint32_t> note(scratch::note);
  Semaphore ready(sem::ready);
  Noc noc;

  note[0] = tiles;
  ready.set(note[0]);
  for (uint32_t i = 0; i < tiles; i++) {
    in0.reserve_back(1);
    in1.reserve_back(1);
    noc.async_read(a, in0, in0.get_entry_size(), {.page_id = i}, {});
    noc.async_read(b, in1, in1.get_entry_size(), {.page_id = i}, {});
    noc.async_read_barrier();
    in0.push_back(1);
    in1.push_back(1);
  }
}
