/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: NCRISC last wrote it at second_round.c:@held in cycle N and has returned; second_round.c:@here (BRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x2) to become 0x3 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 1; i <= 2; i++) {
    tt_store(0x30000, i); /* held */
    tt_poll(0x30010, 0xffffffffu, i);
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 1; i <= 3; i++) {
    tt_poll(0x30000, 0xffffffffu, i); /* here */
    tt_store(0x30010, i);
  }
}
#endif
