/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: nothing has written it; same_heartbeat.c:@here (NCRISC) has been waiting for the word at 0x00030000 (now 0x0) to become 0x9 since cycle
 * kernel run: the word at 0x00030000: nothing has written it; same_heartbeat.c:@here (NCRISC) has been waiting
 * A loop that stores the same in every round cannot end by itself: the stores to several lines leave the queue, with timing as without. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  while (*(volatile uint32_t *)0x30000 != 9) { /* here */
    *(volatile uint32_t *)0x30100 = 1;
    *(volatile uint32_t *)0x30200 = 2;
    *(volatile uint32_t *)0x30100 = 3;
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 1000; i++) {}
  tt_store(0x30300, 1);
}
#endif
