/* cores: ncrisc
 * code: 4
 * kernel run: the word at 0x00030000: nothing has written it; long_pause.c:@here (NCRISC) has been waiting
 * first line: the word at 0x00030000: nothing has written it; long_pause.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x0) to change since cycle */
#include "dataflow.h"
void kernel_main(void) {
  while (*(volatile uint32_t *)0x30000 == 0) /* here */
    for (volatile uint32_t i = 0; i < 1000; i++) {}
}
