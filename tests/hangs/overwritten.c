/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: NCRISC last wrote it at overwritten.c:@held in cycle N and has returned; overwritten.c:@here (BRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x0) to have bit 0 set */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_store(0x30000, 1);
  tt_store(0x30000, 0); /* held: cleared before BRISC has seen it */
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 100; i++) {}
  tt_poll(0x30000, 1, 1); /* here */
}
#endif
