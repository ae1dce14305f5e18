/* Wrong on purpose: the math core never commits, so the pack core waits for Dst forever. */
#include "compute.h"

void kernel_main(void) {
  mm_init(0, 1, 16);
  tile_regs_acquire();
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  matmul_tiles(0, 1, 0, 0, 0);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
  tile_regs_wait();
  cb_reserve_back(16, 1);
  pack_tile(0, 16);
  cb_push_back(16, 1);
  tile_regs_release();
}
