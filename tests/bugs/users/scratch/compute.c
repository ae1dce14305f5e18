/* The three T cores: a copy. The pack core reads the first word of each tile that its packer has written. Argument: number of tiles. */
#include "compute.h"
#include "scratch.h"

enum { CB_A = 0, CB_C = 16 };

#ifdef TRISC_PACK
static void look(uint32_t page, uint32_t i) {
  tensix_sync();
  tt_store(SUMS + 4 * i, tt_load(page));
  tt_store(COUNT, i + 1);
}
#endif

void kernel_main(void) {
  unary_op_init(CB_A, CB_C);
  copy_tile_init(CB_A);
  PACK(tt_store(COUNT, 0);)
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_wait_front(CB_A, 1);
    tile_regs_acquire();
    copy_tile(CB_A, 0, 0);
    tile_regs_commit();
    cb_pop_front(CB_A, 1);
    cb_reserve_back(CB_C, 1);
    tile_regs_wait();
    pack_tile(0, CB_C);
    tile_regs_release();
    PACK(look(cb_interfaces[CB_C].write, i);)
    cb_push_back(CB_C, 1);
  }
}
