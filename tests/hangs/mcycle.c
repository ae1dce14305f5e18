/* cores: brisc ncrisc
 * code: 0
 * first line: done after */
#include "dataflow.h"
static uint32_t mcycle(void) { register uint32_t c asm("a0"); asm volatile(".word 0xb0002573" : "=r"(c)); return c; }
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t begin = mcycle(); mcycle() - begin < 250000;) {}
  cb_reserve_back(0, 1);
  cb_push_back(0, 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) { cb_wait_front(0, 1); cb_pop_front(0, 1); }
#endif
