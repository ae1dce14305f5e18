/* cores: brisc
 * code: 4
 * first line: the word at 0x00030100: nothing has written it; two_values.c:@here (BRISC) has been waiting for the word at 0x00030100 (now 0x0) to change */
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  volatile uint32_t *state = (volatile uint32_t *)0x30100;
  while (*state != 7 && *state != 9) {} /* here */
}
#endif
