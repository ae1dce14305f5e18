/* cores: brisc ncrisc
 * code: 4
 * first line: the word at 0x00030000: BRISC last wrote it at past_writer.c:@held in cycle N and cannot reach that line again; past_writer.c:@here (NCRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x1) to become 0x2 since cycle */
/* BRISC waits for NCRISC's page after its only store to the flag: it ends no wait, and the two waits form no closed chain. */
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_store(0x30000, 1); /* held */
  cb_wait_front(2, 1);
}
#endif
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_poll(0x30000, 0xffffffffu, 2); /* here */
  cb_reserve_back(2, 1);
  cb_push_back(2, 1);
}
#endif
