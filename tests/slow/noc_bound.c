/* cores: brisc ncrisc trisc0 trisc1 trisc2
 * changed: ncrisc races
 * why: bound by the NoC: NCRISC waits for its requests at noc_bound.c:@here (kernel_main
 * change: more requests in flight: request the next pages before the wait at noc_bound.c:@here */
#define OWN_READER
#include "parts.h"
#ifdef COMPILE_FOR_NCRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      noc_async_read(get_noc_addr(my_x, my_y, 0x60000), 0x80000, 16384); /* more than the page: unused bytes */
      noc_async_read(get_noc_addr(my_x, my_y, 0x50000), get_write_ptr(cb), 2048);
#ifndef CHANGED /* changed by hand: no wait. With two pages the program then races: only its time counts. */
      noc_async_read_barrier(); /* here */
#endif
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
