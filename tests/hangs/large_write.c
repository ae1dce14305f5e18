/* cores: brisc ncrisc
 * code: 4
 * kernel run: the word at 0x00030008: BRISC last wrote it at large_write.c:@there in cycle N and has returned; large_write.c:@here (NCRISC) has been waiting
 * first line: the word at 0x00030008: BRISC last wrote it at large_write.c:@there in cycle N and has returned; large_write.c:@here (NCRISC) has been waiting for the word at 0x00030008 (now 0x3) to become 0x5 since cycle */
#include "noc.h"
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  while (*(volatile uint32_t *)0x30008 != 5) {} /* here */
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  for (int i = 0; i < 8; i++) ((volatile uint32_t *)0x32000)[i] = 3;
  l1_fence(0x3201c);
  noc_async_write(0x32000, get_noc_addr(my_x, my_y, 0x30000), 32); /* there */
  noc_async_write_barrier();
}
#endif
