/* cores: brisc ncrisc
 * code: 0
 * first line: done after
 *
 * NCRISC stores to one word in every few cycles, which may merge with the store before it. They arrive nevertheless: no hang. */
#include "dataflow.h"
#define COUNT (*(volatile uint32_t *)0x50000)
#define STOP (*(volatile uint32_t *)0x60000)
void kernel_main(void) {
#ifdef COMPILE_FOR_NCRISC
  COUNT = 0;
  for (uint32_t n = 1; !STOP; n++) COUNT = n;
#else
  while (COUNT < 100) {}
  STOP = 1;
#endif
}
