/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0 is full (2 pages): NCRISC pushed 2 pages, the last at missing_pop.c:@there; TRISC0 waited for them at missing_pop.c:@held, popped none and has returned; missing_pop.c:@here (NCRISC) has been waiting for a free page since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) {
    cb_reserve_back(0, 1); /* here */
    cb_push_back(0, 1); /* there */
  }
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 2; i++) cb_wait_front(0, 1); /* held */
}
#endif
