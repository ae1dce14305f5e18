/* cores: brisc ncrisc
 * code: 6; run: --max-cycles 300000
 * first line: limit after cycles: BRISC still runs at toggle_forever.c:
 * Each core stores the same in every round, but the other one reads it: they go on forever, and this is no hang. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (;;) {
    while (*(volatile uint32_t *)0x30000 != 0) {}
    *(volatile uint32_t *)0x30000 = 1;
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  for (;;) {
    while (*(volatile uint32_t *)0x30000 != 1) {}
    *(volatile uint32_t *)0x30000 = 0;
  }
}
#endif
