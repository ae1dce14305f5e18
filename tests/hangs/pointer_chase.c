/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030040: nothing has written it; pointer_chase.c:@here (BRISC) has been waiting for the word at 0x00030040 (now 0x0) to become other than 0x0 since cycle */
#include "dataflow.h"
struct item { volatile uint32_t done; };
#define head (*(struct item *volatile *)0x30000)
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) { head = (struct item *)0x30040; }
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  while (!head) {}
  while (!head->done) {} /* here */
}
#endif
