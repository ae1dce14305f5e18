/* grid: 1,2
 * cores: reader
 * code: 6
 * run: --max-cycles 100000
 * first line: limit after cycles: NCRISC still runs at reader.c:@here, and its loop has been polling at reader.c:@here for the word at 0x00070000 (now 0x0) to become 0x1234 since cycle N: nothing has written it
 * A loop that polls and stores, and decides by a count of its rounds: it may end by that, so it is no hang, but the word and its value are known. */
#include "noc.h"
static volatile uint32_t rounds;
void kernel_main(void) {
  volatile uint32_t *flag = (volatile uint32_t *)0x70000;
  while (*flag != 0x1234) { if ((++rounds & 15u) == 0) *(volatile uint32_t *)0x70010 = rounds; } /* here */
}
