/* cores: brisc ncrisc
 * code: 3
 * two tiles: cycles: 2 tiles ran
 * first line: only this tile is simulated */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 64; i++) {
    noc_async_read(get_noc_addr(0, 0, 0), 0x50000, 16384); /* DRAM */
    noc_async_read_barrier();
  }
  tt_store(0x30000, 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) { while (!tt_load(0x30000)) {} }
#endif
