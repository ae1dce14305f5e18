/* grid: 1,2
 * cores: reader compute writer
 * code: 4
 * first line: deadlock: BRISC -> thread 2 (pack) -> thread 1 (math) -> TRISC0 -> NCRISC -> BRISC; writer.c:@held (BRISC) has been waiting for page 1 of CB 16 since cycle N, compute.c:@there (TRISC0) has been waiting for page 1 of CB 0 since cycle N, reader.c:@here (NCRISC, in noc_semaphore_wait_min) has been waiting for NoC semaphore 3 at 0x00001030 (now 0x0) to reach 1
 * The credit that the reader waits for comes from the writer, behind the compute kernel. */
#ifdef COMPILE_FOR_NCRISC
#include "noc.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    noc_semaphore_wait_min(get_semaphore(3), i + 1); /* here */
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
  }
}
#elif defined COMPILE_FOR_BRISC
#include "noc.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(16, 1); /* held */
    cb_pop_front(16, 1);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(3)), 1);
  }
  noc_async_atomic_barrier();
}
#else
#include "compute.h"
void kernel_main(void) {
  unary_op_init(0, 16);
  copy_tile_init(0);
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1); /* there */
    copy_tile(0, 0, 0);
    cb_pop_front(0, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
#endif
