/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0 has more pages popped than pushed: NCRISC pushed 1 page at popped_too_many.c:@there; TRISC0 popped 2 pages, the last at popped_too_many.c:@held, and has returned; popped_too_many.c:@here (NCRISC) has been waiting for a free page */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_reserve_back(0, 1);
  cb_push_back(0, 1); /* there */
  for (volatile uint32_t i = 0; i < 2000; i++) {}
  cb_reserve_back(0, 1); /* here */
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  cb_wait_front(0, 1);
  cb_pop_front(0, 2); /* held */
}
#endif
