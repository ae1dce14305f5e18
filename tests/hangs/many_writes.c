/* cores: brisc ncrisc
 * code: 4
 * kernel run: the word at 0x00030000: its last writer is not recorded, and BRISC has returned; many_writes.c:@here (NCRISC) has been waiting
 * first line: the word at 0x00030000: BRISC last wrote it at many_writes.c:@there in cycle N and has returned; many_writes.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x1) to become 0x5 since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (volatile int i = 0; i < 8000; i++) {}
  while (*(volatile uint32_t *)0x30000 != 5) {} /* here */
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  *(volatile uint32_t *)0x30000 = 1; /* there */
  for (int i = 0; i < 4000; i++) ((volatile uint32_t *)0x50000)[i] = 3;
}
#endif
