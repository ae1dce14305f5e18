/* cores: brisc ncrisc
 * code: 4
 * first line: the NoC semaphore at 0x00030000: NCRISC last wrote it at reach_in_rounds.c:@held in cycle N and has returned; reach_in_rounds.c:@here (BRISC, in noc_semaphore_wait_min) has been waiting for the NoC semaphore at 0x00030000 (now 0x3) to reach 4 since cycle
 * Polls that follow each other without a store in between: the wait is for the next count, not for the last. */
#ifdef COMPILE_FOR_BRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 1; i <= 6; i++) noc_semaphore_wait_min(0x30000, i); /* here */
}
#endif
#ifdef COMPILE_FOR_NCRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 100; i++) {}
  noc_semaphore_set(0x30000, 3); /* held */
}
#endif
