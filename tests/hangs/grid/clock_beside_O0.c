/* grid: 1,2
 * cores: reader writer
 * code: 6
 * run: --max-cycles 100000
 * first line: NCRISC still runs at reader.c:@here, and its loop has been polling at reader.c:@here for the word at 0x00070040 (now 0x0) to become 0x7 since cycle N: nothing has written it
 * Without optimisation the register of the value also builds the address, with an instruction that looks like a count. The other core's deadlines keep the
 * machine from being a hang. */
#include "noc.h"
__attribute__((optimize("O0"))) void kernel_main(void) {
#ifdef COMPILE_FOR_BRISC
  volatile uint32_t *clock = (volatile uint32_t *)0xFFB121F0;
  uint32_t end = *clock + 1000;
  while (*(volatile uint32_t *)0x70020 != 1)
    if ((int32_t)(*clock - end) > 0) end += 1000;
#else
  while (*(volatile uint32_t *)0x70040 != 7) {} /* here */
#endif
}
