// Shapes and iterators of a tensor, headers of C and of the vendor, and a folder of headers, for a reader of tests/cli_kernel_names.sh.
#include <cfloat>
#include <climits>
#include <cstdlib>
#include "api/debug/dump.h"
#include "api/kernel_thread_globals.h"
#include "mine.h"
static_assert(FLT_MAX > 1e38f && INT_MAX == 2147483647 && std::abs(-3) == 3);
void kernel_main() {
  auto s = TensorAccessor(tensor::s);
  auto shape = s.dspec();
  DPRINT("{} {} {} {} {}\n", MINE + get_num_threads(), get_my_thread_id(), shape.rank(), shape.tensor_shape()[0],
         shape.shard_shape()[0]);
  auto pages = s.pages(0, 8);
  auto at = pages.begin();
  at += 3;
  DPRINT("{} {}\n", at.page_id(), (at + 2).page_id());
  auto mine = s.shard_pages(1);
  auto in = mine.begin();
  in += 1;
  DPRINT("{} {}\n", in.page_id(), (in + 1).page_id());
  thread_sync_init();
  wait_threads(1);
  sync_threads();
  tt_store(0x100000, 0xabcd);
  debug_dump_l1(0x100000, 1);
  debug_dump_cb(0, 1);
  DEBUG_CHECKPOINT("here");
}
