// TRISC0 to TRISC2: the sum over k of one tile of C stays in Dst. Arguments: Mt, Kt and Nt in tiles.
#include "api/compute/matmul.h"
#include "api/compute/tile_move_copy.h"

void kernel_main() {
  constexpr uint32_t cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1, cb_out = tt::CBIndex::c_16;
  const uint32_t Mt = get_arg_val<uint32_t>(0), Kt = get_arg_val<uint32_t>(1), Nt = get_arg_val<uint32_t>(2);
  mm_init(cb_a, cb_b, cb_out);
  for (uint32_t i = 0; i < Mt * Nt; i++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < Kt; k++) {
      cb_wait_front(cb_a, 1);
      cb_wait_front(cb_b, 1);
      matmul_tiles(cb_a, cb_b, 0, 0, 0);
      cb_pop_front(cb_a, 1);
      cb_pop_front(cb_b, 1);
    }
    tile_regs_commit();
    cb_reserve_back(cb_out, 1);
    tile_regs_wait();
    pack_tile(0, cb_out);
    tile_regs_release();
    cb_push_back(cb_out, 1);
  }
}
