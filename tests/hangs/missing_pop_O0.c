/* cores: brisc ncrisc
 * code: 4; flags: -O0
 * first line: CB 1 is full (2 pages): NCRISC pushed 2 pages, the last at missing_pop_O0.c:@there; BRISC waited for them at missing_pop_O0.c:@held, popped none and has returned; missing_pop_O0.c:@here (NCRISC) has been waiting for a free page since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(1, 1); /* here */
    cb_push_back(1, 1); /* there */
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_wait_front(1, 1); /* held */
  } /* no pop */
}
#endif
