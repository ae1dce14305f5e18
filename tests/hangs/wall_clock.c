/* cores: ncrisc
 * code: 0
 * first line: done after */
/* Polls the wall clock: a timeout, no hang. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  uint32_t begin = *(volatile uint32_t *)0xFFB121F0u;
  while (*(volatile uint32_t *)0xFFB121F0u - begin < 20000) {}
}
#endif
