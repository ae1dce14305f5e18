/* The packer: cycles from the first PACR of pack_tile until the coprocessor is idle, of 0, 1, 2, 3 and 4 data tiles from one tile of Dst into circular
 * buffer 16, which has at least four pages (words 0 to 4). The buffer's format chooses what is measured. Buffers 0 and 1 are not read. */
#include "probe.h"

void kernel_main(void) {
#if !PROBE_DATA_MOVEMENT
#if __has_include("tensix_io.h")
  binary_op_init(0, 1, 16);
#else
  binary_op_init_common(0, 1, 16);
#endif
  tile_regs_acquire();
  tile_regs_commit();
#ifdef TRISC_PACK
  tile_regs_wait();
  cb_reserve_back(16, 4);
  for (uint32_t round = 0; round < 10; round++) { /* each number twice: in the second pass its code is in the cache */
    uint32_t tiles = round / 2;
    tensix_sync();
    uint32_t start = probe_clock();
    for (uint32_t i = 0; i < tiles; i++) pack_tile(0, 16);
    tensix_sync();
    probe_result(tiles, probe_clock() - start);
  }
#endif
#endif
}
