/* cores: ncrisc
 * code: 4
 * first line: every core has ended; NCRISC loops forever at endless_loop.c:@here */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (;;) __asm__ volatile("nop"); /* here */
}
#endif
