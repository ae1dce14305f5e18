/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000, the word at 0x00030010: nothing has written them; both_flags.c:@here (BRISC) has been waiting for the word at 0x00030000 (now 0x0) and the word at 0x00030010 (now 0x0) to change since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  volatile uint32_t *a = (volatile uint32_t *)0x30000, *b = (volatile uint32_t *)0x30010;
  while (((*a != 0) & (*b != 0)) == 0) {} /* here: both are read, neither alone ends the loop */
}
#endif
