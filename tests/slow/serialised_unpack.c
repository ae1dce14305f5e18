/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: trisc0 trisc1
 * why: bound by unpack and math that take turns: thread 0 waits for thread 1 at serialised_unpack.c:@here
 * change: let the unpackers fill the other bank while the matrix unit works */
#define READS 1
#define MATH_FIDELITY 2
#include "parts.h"
#if defined TRISC_UNPACK || defined TRISC_MATH || defined TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
#ifdef TRISC_MATH
  TTI_SEMINIT(1, 0, 1u << 6);
#endif
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  for (uint32_t i = 0; i < 16; i++) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < 16; k++) {
#if defined TRISC_UNPACK && !defined CHANGED
      if (i | k) {
        TTI_SEMWAIT(p_stall_STALL_UNPACK | p_stall_STALL_SYNC, 1u << 6, p_stall_STALL_ON_ZERO);
        TTI_SEMGET(1u << 6); /* here: the instruction that the latched wait blocks */
      }
#endif
      matmul_tiles(0, 1, 0, 0, 0);
#if defined TRISC_MATH && !defined CHANGED
      TTI_STALLWAIT(p_stall_STALL_SYNC, p_stall_MATH);
      TTI_SEMPOST(1u << 6);
#endif
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
#endif
