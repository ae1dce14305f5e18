/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00031000: nothing has written it; the word at 0x00030000: NCRISC last wrote it at either_value.c:@there in cycle N and has returned; either_value.c:@here (BRISC) has been waiting for the word at 0x00031000 (now 0x0) to reach 3 or the word at 0x00030000 (now 0x5) to become 0x7 since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) { tt_store(0x30000, 5); } /* there */
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  volatile uint32_t *state = (volatile uint32_t *)0x30000, *count = (volatile uint32_t *)0x31000;
  while (*state != 7 && *count < 3) {} /* here */
}
#endif
