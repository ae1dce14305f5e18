/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: ncrisc
 * why: bound by NCRISC: slow_reader.c:@here (kernel_main
 * change: let the NoC or the mover copy whole pages */
#define OWN_READER
#include "parts.h"
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
#ifndef CHANGED
      l1_copy(get_write_ptr(cb), 0x50000, 2048); /* here */
#endif
      cb_push_back(cb, 1);
    }
}
#endif
#if defined TRISC_UNPACK || defined TRISC_MATH || defined TRISC_PACK
#include "compute.h"
#include "sfpu.h"
void kernel_main(void) {
  binary_op_init(0, 1, 16);
  eltwise_init(0, 0);
  for (uint32_t i = 0; i < 16; i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    eltwise_tiles(0, 1, 0, 0, 0);
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
