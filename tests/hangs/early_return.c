/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0: NCRISC pushed 3 pages, the last at early_return.c:@there, and has returned; early_return.c:@here (TRISC0) has been waiting for page 4 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(0, 1);
    cb_push_back(0, 1); /* there */
  }
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(0, 1); /* here */
    cb_pop_front(0, 1);
  }
}
#endif
