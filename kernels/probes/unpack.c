/* The unpackers: cycles from the first UNPACR of copy_tile until the unpack thread is idle, of 0, 1, 2, 3 and 4 data tiles of circular buffer 0 (words 0 to
 * 4), the second time. The buffer's format determines the measured rate. The kernel waits for no page; the contents do not matter. */
#include "probe.h"

void kernel_main(void) {
#if !PROBE_DATA_MOVEMENT
#if __has_include("tensix_io.h")
  unary_op_init(0, 16);
  copy_tile_init(0);
#else
  unary_op_init_common(0, 16);
#endif
  for (uint32_t round = 0; round < 10; round++) { /* each number twice: in the second pass its code is in the cache */
    uint32_t tiles = round / 2;
    tile_regs_acquire();
#ifdef TRISC_UNPACK
    tensix_sync();
    uint32_t start = probe_clock();
#endif
    for (uint32_t i = 0; i < tiles; i++) copy_tile(0, 0, i);
#ifdef TRISC_UNPACK
    tensix_sync();
    probe_result(tiles, probe_clock() - start);
#endif
    tile_regs_commit();
    tile_regs_wait();
    tile_regs_release();
  }
#endif
}
