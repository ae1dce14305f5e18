/* cores: ncrisc trisc0
 * code: 4
 * first line: cycles: deadlock: TRISC0 -> NCRISC -> TRISC0; feed_argument.c:@here (TRISC0) has been waiting for page 1 of CB 1 since cycle
 * also: feed_argument.c:@held, called at feed_argument.c:@there (NCRISC): waiting for room in CB 0 since cycle N, behind TRISC0 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
static __attribute__((noinline)) void feed(uint32_t cb) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_reserve_back(cb, 1); /* held */
    cb_push_back(cb, 1);
  }
}
void kernel_main(void) {
  feed(0); /* there */
  feed(1); /* only its caller knows the buffer */
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1); /* here */
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
  }
}
#endif
