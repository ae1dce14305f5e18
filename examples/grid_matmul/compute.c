/* The block of C in Dst: for every k, a column of A's tiles times a row of B's. Arguments: mt, kt, nt; 12: tiles of K per step. */
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };

void kernel_main(void) {
  uint32_t mt = get_arg_val(0), kt = get_arg_val(1), nt = get_arg_val(2), kb = get_arg_val(12);
  mm_block_init(CB_A, CB_B, CB_OUT, nt, mt);
  tile_regs_acquire();
  for (uint32_t k = 0; k < kt; k += kb) {
    cb_wait_front(CB_A, mt * kb);
    cb_wait_front(CB_B, kb * nt);
    for (uint32_t i = 0; i < kb; i++) matmul_block(CB_A, CB_B, i, i * nt, 0, nt, mt, kb);
    cb_pop_front(CB_A, mt * kb);
    cb_pop_front(CB_B, kb * nt);
  }
  tile_regs_commit();
  tile_regs_wait();
  for (uint32_t i = 0; i < mt * nt; i++) {
    cb_reserve_back(CB_OUT, 1);
    pack_tile(i, CB_OUT);
    cb_push_back(CB_OUT, 1);
  }
  tile_regs_release();
}
