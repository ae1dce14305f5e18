/* cores: brisc ncrisc
 * code: 4
 * first line: the NoC semaphore at 0x00030000: NCRISC last wrote it at wait_min.c:@held in cycle N and has returned; wait_min.c:@here (BRISC, in noc_semaphore_wait_min) has been waiting for the NoC semaphore at 0x00030000 (now 0x4) to reach 5 since cycle */
#ifdef COMPILE_FOR_BRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 500; i++) {}
  noc_semaphore_wait_min(0x30000, 5); /* here */
}
#endif
#ifdef COMPILE_FOR_NCRISC
#include "noc.h"
#include "dataflow.h"
void kernel_main(void) {
  noc_semaphore_set(0x30000, 4); /* held */
}
#endif
