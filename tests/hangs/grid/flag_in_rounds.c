/* grid: 1,2
 * cores: reader writer
 * code: 6
 * run: --max-cycles 100000
 * first line: and its loop has been reading at reader.c:@here, for a branch, the word at 0x00070000 (now 0x2) to reach 3 since cycle N: BRISC last wrote it at writer.c:@there in cycle N and has returned
 * A loop that polls and stores inside another loop: where the branch leads is not proven, so the report has what the loop reads. */
#include "noc.h"
void kernel_main(void) {
  volatile uint32_t *flag = (volatile uint32_t *)0x70000;
#ifdef COMPILE_FOR_BRISC
  for (uint32_t i = 1; i < 3; i++) {
    *flag = i; /* there */
    for (volatile uint32_t k = 0; k < 100; k++) {}
  }
#else
  for (uint32_t i = 1, count = 0; i < 8; i++)
    while (*flag < i) *(volatile uint32_t *)0x70010 = count++; /* here */
#endif
}
