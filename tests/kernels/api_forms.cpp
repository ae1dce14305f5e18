/* The forms of calls in the vendor's kernels; tests/cli_kernel.sh runs it in the place of the template's compute kernel. */
#include "api/compute/cb_api.h"
#include "api/compute/eltwise_unary/exp.h"
#include "debug/assert.h"
#include "debug/dprint_pages.h"
#include "debug/pause.h"
#include "debug/ring_buffer.h"
#include "debug/waypoint.h"
static_assert(NUM_CIRCULAR_BUFFERS == 32 && L1_ALIGNMENT == 16 && DRAM_ALIGNMENT == 64);
void kernel_main() {
  ckernel::binary_op_init_common(0, 1, 16);
  ckernel::add_tiles_init(0, 1);
  WATCHER_RING_BUFFER_PUSH(1);
  DPRINT_PACK(DPRINT << HEX() << 255 << ' ' << -1 << DEC() << SETW(5) << -10 << SETW(0) << HEX(16) << OCT() << 8 << DEC()
                     << ' ' << U32(7) << ' ' << F32(1.5f) << ENDL());
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(0); i++) {
    auto acquire = [] { return ckernel::tile_regs_acquire(); };
    acquire();
    UNPACK((ckernel::cb_wait_front(0, 1), cb_wait_front(1, 1)));
    ckernel::add_tiles(0, 1, 0, 0, 0);
    if (i > 1000) { /* compiled and not run */
      ckernel::exp_tile_init<true>();
      ckernel::exp_tile<true>(0, (int)VectorMode::C, 0x3f80);
      exp_tile<false, true>(0, (int)VectorMode::RC, 0x3f80u);
      exp_tile<false, true>(0, VectorMode::RC, (uint16_t)0x3f80);
    }
    ckernel::cb_pop_front(0, 1);
    ckernel::cb_pop_front(1, 1);
    MATH((ckernel::tile_regs_commit()));
    UNPACK((tile_regs_commit()));
    ckernel::tile_regs_wait();
    PACK((cb_reserve_back(16, 1)));
    ckernel::pack_tile(0, 16);
    PACK((ckernel::cb_push_back(16, 1)));
    ckernel::tile_regs_release();
  }
}
