/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * code: 4
 * first line: CB 16 is full (2 pages): TRISC2 pushed 2 pages, the last at writer_pops_too_few.c:@there; BRISC waited for them at writer_pops_too_few.c:@held, popped none and has returned; writer_pops_too_few.c:@here (TRISC2) has been waiting for a free page */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(0, 1);
    cb_push_back(0, 1);
    cb_reserve_back(1, 1);
    cb_push_back(1, 1);
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { cb_wait_front(16, 1); /* held */ }
#endif
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  for (uint32_t i = 0; i < 3; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    matmul_tiles(0, 1, 0, 0, 0);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1); /* here */
    pack_tile(0, 16);
    cb_push_back(16, 1); /* there */
    tile_regs_release();
  }
}
#endif
