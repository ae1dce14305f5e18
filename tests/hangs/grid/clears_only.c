/* grid: 1,2
 * cores: reader writer
 * code: 4
 * first line: writer.c:@here (BRISC) has been waiting for the word at 0x00070010 (now 0x0) to become 0x1 since cycle N
 * Each core would clear the other's flag: a store of a value that does not end the wait closes no chain. */
#include "noc.h"
void kernel_main(void) {
  volatile uint32_t *f = (volatile uint32_t *)0x70000;
#ifdef COMPILE_FOR_NCRISC
  while (f[0] != 1) {}
  f[4] = 0;
#else
  while (f[4] != 1) {} /* here */
  f[0] = 0;
#endif
}
