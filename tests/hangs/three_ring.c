/* cores: brisc ncrisc trisc0
 * code: 4
 * first line: deadlock: BRISC -> NCRISC -> TRISC0 -> BRISC; three_ring.c:@here (BRISC, in tt_poll) has been waiting for the word at 0x00030010 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_poll(0x30000, 0xff, 1);
  tt_store(0x30010, 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  tt_poll(0x30010, 0xff, 1); /* here */
  tt_store(0x30020, 1);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  tt_poll(0x30020, 0xff, 1);
  tt_store(0x30000, 1);
}
#endif
