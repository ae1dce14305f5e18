/* grid: 1,2
 * cores: reader
 * code: 4
 * first line: the word at 0x00070000: nothing has written it; reader.c:@here (NCRISC) has been waiting for the word at 0x00070000 (now 0x0) to become 0x1234 since cycle N
 * A loop that polls and stores a count of its rounds, at which nothing looks: only a write to the polled word ends it. */
#include "noc.h"
static volatile uint32_t heartbeat;
void kernel_main(void) {
  volatile uint32_t *flag = (volatile uint32_t *)0x70000;
  while (*flag != 0x1234) { heartbeat++; *(volatile uint32_t *)0x70010 = heartbeat; } /* here */
}
