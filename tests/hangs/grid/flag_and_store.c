/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: the word at 0x00070000: BRISC last wrote it at writer.c:@there in cycle N and has returned; reader.c:@here (NCRISC) has been waiting for the word at 0x00070000 (now 0x2) to reach 3 since cycle N
 * A loop that polls and stores the same word in every round: a hang, with the value that it waits for. */
#include "noc.h"
void kernel_main(void) {
  volatile uint32_t *flag = (volatile uint32_t *)0x70000;
#ifdef COMPILE_FOR_BRISC
  for (uint32_t i = 1; i < 3; i++) {
    *flag = i; /* there */
    for (volatile uint32_t k = 0; k < 100; k++) {}
  }
#else
  for (uint32_t i = 1; i < 8; i++)
    while (*flag < i) *(volatile uint32_t *)0x70010 = i; /* here */
#endif
}
