/* cores: brisc ncrisc
 * code: 4
 * kernel run: the byte at 0x00030003: nothing has written it; other_byte.c:@here (NCRISC) has been waiting
 * first line: the byte at 0x00030003: nothing has written it; other_byte.c:@here (NCRISC) has been waiting for the byte at 0x00030003 (now 0x0) to become 0x55 since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  while (*(volatile uint8_t *)0x30003 != 0x55) {} /* here */
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) { *(volatile uint8_t *)0x30002 = 0x55; }
#endif
