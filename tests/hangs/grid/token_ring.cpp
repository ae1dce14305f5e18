/* grid: 1-4,2
 * cores: reader
 * code: 4
 * first line: deadlock: NCRISC of Tensix (4,2) -> NCRISC of Tensix (3,2) -> NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2) -> NCRISC of Tensix (4,2); reader.cpp:@here, called at reader.cpp:@held (NCRISC of Tensix (4,2), in noc_semaphore_wait_min)
 * also: (now 0x0) to reach 1 since cycle N: no packet has written it, and the tile that would, Tensix (3,2), waits itself
 * A token goes round, and no tile has it at first. */
#include "dataflow_api.h"
namespace {
struct Ring {
  uint32_t next, sem;
  void pass() const { noc_semaphore_inc(get_noc_addr(next, 2, get_semaphore(sem)), 1); }
  void take(uint32_t n) const { noc_semaphore_wait_min((volatile uint32_t *)get_semaphore(sem), n); } /* here */
};
} // namespace
void kernel_main() {
  uint32_t col = get_arg_val<uint32_t>(0), cols = get_arg_val<uint32_t>(1);
  Ring r{1 + (col + 1) % cols, 0};
  for (uint32_t i = 0; i < 3; i++) {
    r.take(i + 1); /* held */
    r.pass();
  }
  noc_async_atomic_barrier();
}
