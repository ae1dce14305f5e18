/* cores: brisc ncrisc
 * code: 0
 * first line: done after
 *
 * A poll that pauses between its loads, which is no race: the load that ends it orders BRISC after NCRISC. */
#include "dataflow.h"
#define DATA (*(volatile uint32_t *)0x50000)
#define FLAG (*(volatile uint32_t *)0x60000)
void kernel_main(void) {
#ifdef COMPILE_FOR_NCRISC
  for (volatile int i = 0; i < 50; i++) {}
  DATA = 77;
  l1_fence(0x50000);
  FLAG = 1;
#else
  while (!FLAG)
    for (int i = 0; i < 20; i++) asm volatile("nop\n nop\n nop\n nop");
  KERNEL_CHECK(DATA == 77, "the data precedes its flag");
#endif
}
