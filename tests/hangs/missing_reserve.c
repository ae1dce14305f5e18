/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 1: no core has pushed a page; missing_reserve.c:@here (TRISC0) has been waiting for page 1 since cycle */
/* Three pages into a buffer of two without cb_reserve_back; the fourth waits for a pop after the page of buffer 1. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_push_back(0, 1);
  cb_push_back(0, 1);
  cb_push_back(0, 1);
  cb_reserve_back(0, 1);
  cb_push_back(0, 1);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  cb_wait_front(1, 1); /* here */
  cb_pop_front(0, 1);
}
#endif
