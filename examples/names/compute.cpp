// TRISC0 to TRISC2: the sum of two tiles, times a number.
#include "api/compute/eltwise_binary.h"
#include "api/compute/eltwise_unary/binop_with_scalar.h"
#include "experimental/kernel_args.h"

void kernel_main() {
  constexpr uint32_t block = get_arg(args::block);
  const uint32_t tiles = get_arg(args::tiles);
  DataflowBuffer in0(dfb::in0), in1(dfb::in1), out(dfb::out);

  binary_op_init_common(dfb::in0, dfb::in1, dfb::out);
  add_tiles_init(dfb::in0, dfb::in1);
  binop_with_scalar_tile_init();
  for (uint32_t i = 0; i < tiles; i += block) {
    in0.wait_front(block);
    in1.wait_front(block);
    tile_regs_acquire();
    add_tiles(dfb::in0, dfb::in1, 0, 0, 0);
    mul_unary_tile(0, get_arg(args::scale));
    tile_regs_commit();
    in0.pop_front(block);
    in1.pop_front(block);
    tile_regs_wait();
    out.reserve_back(block);
    pack_tile(0, dfb::out);
    out.push_back(block);
    tile_regs_release();
  }
}
