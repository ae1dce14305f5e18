/* cores: ncrisc trisc0 trisc1 trisc2 brisc
 * code: 4
 * also: push_wrong_of_two.c:@held (NCRISC): waiting for room in CB 1 since cycle N, behind TRISC0
 * first line: CB 0: NCRISC reserved a page at push_wrong_of_two.c:@there and pushed none, but pushed CB 2 at */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_reserve_back(0, 1); /* there */
    cb_reserve_back(1, 1); /* held: behind TRISC0, which pops it */
    cb_push_back(2, 1);    /* the wrong one */
    cb_push_back(1, 1);
  }
}
#elif defined COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}
#else
#include "compute.h"
void kernel_main(void) {
  binary_op_init(0, 1, 16);
  add_tiles_init();
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    add_tiles(0, 1, 0, 0, 0);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
#endif
