/* cores: ncrisc
 * code: 4; flags: -O0
 * first line: the word at 0x00030000: nothing has written it; flag_count_O0.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x0) to reach 5 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  volatile uint32_t *counter = (volatile uint32_t *)0x30000;
  while (*counter < 5) {} /* here */
}
#endif
