/* cores: ncrisc
 * code: 4
 * first line: the word at 0x00030000: nothing has written it; flag_bit.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x0) to have bit 4 set */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  while (!(*(volatile uint32_t *)0x30000 & 16u)) {} /* here */
}
#endif
