/* cores: brisc ncrisc
 * code: 4; flags: -O0
 * first line: the word at 0x00030000: NCRISC last wrote it at steps_in_rounds_O0.c:@held in cycle N and has returned; steps_in_rounds_O0.c:@here, called at steps_in_rounds_O0.c:@there (BRISC) has been waiting for the word at 0x00030000 (now 0x5) to reach 6 since cycle */
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
static void reach(uint32_t count) {
  while (*(volatile uint32_t *)0x30000 < count) {} /* here */
}
void kernel_main(void) {
  for (uint32_t i = 2; i <= 10; i += 2) reach(i); /* there */
}
#endif
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_store(0x30000, 5); /* held */
}
#endif
