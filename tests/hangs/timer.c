/* cores: brisc ncrisc
 * code: 0
 * first line: done after */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  uint32_t end = *(volatile uint32_t *)0xFFB121F0u + 300000;
  while ((int32_t)(*(volatile uint32_t *)0xFFB121F0u - end) < 0) {}
  tt_store(0x30000, 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) { while (!tt_load(0x30000)) {} }
#endif
