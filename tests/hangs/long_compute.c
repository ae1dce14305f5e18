/* cores: brisc trisc1
 * code: 0
 * first line: done after */
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) { while (tt_load(0x30000) != 0x1234) {} }
#endif
#ifdef TRISC_MATH
#include "compute.h"
void kernel_main(void) {
  uint32_t x = 1;
  for (uint32_t i = 0; i < 200000; i++) x = x * 1664525u + 1013904223u;
  tt_store(0x30004, x);
  tt_store(0x30000, 0x1234);
}
#endif
