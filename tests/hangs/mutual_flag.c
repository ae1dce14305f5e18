/* cores: ncrisc trisc0
 * code: 4
 * first line: deadlock: NCRISC -> TRISC0 -> NCRISC; mutual_flag.c:@here (NCRISC, in tt_poll) has been waiting for the word at 0x00030000 (now 0x0) to become 0x1 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_poll(0x30000, 0xffffffffu, 1); /* here: the compute core sets it after its first page */
  cb_push_back(0, 1);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 2000; i++) {} /* NCRISC waits first: the report begins with the oldest wait */
  cb_wait_front(0, 1);
  tt_store(0x30000, 1);
}
#endif
