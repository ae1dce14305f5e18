/* cores: ncrisc
 * code: 4
 * first line: the word at 0x00030000: nothing has written it; below.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x0) to change
 * The loop ends with numbers below -5: they have bit 31 set, but not all numbers with that bit end it. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  while (*(volatile int32_t *)0x30000 >= -5) {} /* here */
}
#endif
