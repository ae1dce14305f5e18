/* cores: ncrisc trisc0
 * code: 4
 * first line: deadlock: NCRISC -> TRISC0 -> NCRISC; double_push.c:@here (NCRISC) has been waiting for room in CB 0 (4 pushed, 2 popped) since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_reserve_back(0, 1); /* here */
    cb_reserve_back(1, 1);
    cb_push_back(0, 1);
    cb_push_back(0, 1); /* once too often */
    cb_push_back(1, 1);
  }
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 4; i++) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
  }
}
#endif
