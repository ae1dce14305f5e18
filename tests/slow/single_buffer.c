/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: pages=2
 * pages: 1
 * why: bound by a single buffer: CB 0 has one page, and its two sides take turns: single_buffer.c:@here
 * change: give CB 0, CB 1 and CB 16 two pages each, as the rerun does */
#define OWN_READER
#include "parts.h"
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1); /* here */
      l1_copy(get_write_ptr(cb), 0x50000, 64);
      cb_push_back(cb, 1);
    }
}
#endif
#if defined TRISC_UNPACK || defined TRISC_MATH || defined TRISC_PACK
#include "compute.h"
void kernel_main(void) {
  mm_init(0, 1, 16);
  for (uint32_t i = 0; i < 16; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    matmul_tiles(0, 1, 0, 0, 0);
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
