/* cores: ncrisc trisc0
 * code: 4
 * first line: deadlock: TRISC0 -> NCRISC -> TRISC0; backpressure.c:@held (TRISC0) has been waiting for page 1 of CB 1 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(0, 1); /* here: CB 0 first, all of it */
    cb_push_back(0, 1);
  }
  cb_reserve_back(1, 1);
  cb_push_back(1, 1);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  cb_wait_front(1, 1); /* held */
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
  cb_pop_front(1, 1);
}
#endif
