/* cores: brisc ncrisc
 * code: 4
 * two tiles: cycles: 2 tiles ran
 * first line: the word at 0x00030000: nothing has written it; other_tile.c:@here (NCRISC, in tt_load) has been waiting */
#include "noc.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  if (my_x == 1) {
    while (tt_load(0x30000) == 0) for (volatile uint32_t i = 0; i < 300; i++) {} /* here: alone it hangs */
  } else {
    uint32_t x = 1;
    for (uint32_t i = 0; i < 200000; i++) x = x * 3 + 1;
    tt_store(0x31000, x);
    noc_semaphore_inc(get_noc_addr(1, 2, 0x30000), 1);
    noc_async_atomic_barrier();
  }
}
#else
void kernel_main(void) {}
#endif
