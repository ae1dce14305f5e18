/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030010: nothing has written it; one_of_both.c:@here (BRISC) has been waiting for the word at 0x00030010 (now 0x0) to become other than 0x0 since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) { tt_store(0x30000, 1); }
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  volatile uint32_t *a = (volatile uint32_t *)0x30000, *b = (volatile uint32_t *)0x30010;
  while (((*a != 0) & (*b != 0)) == 0) {} /* here: no value of the first ends the loop */
}
#endif
