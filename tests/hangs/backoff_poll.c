/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: NCRISC last wrote it at backoff_poll.c:@held in cycle N and has returned; backoff_poll.c:@here (BRISC, in tt_load) has been waiting for the word at 0x00030000 (now 0x2) to become 0x5 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { tt_store(0x30000, 2); /* held */ }
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  while (tt_load(0x30000) != 5) { /* here */
    for (volatile uint32_t i = 0; i < 50; i++) {}
  }
}
#endif
