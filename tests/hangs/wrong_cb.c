/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0: NCRISC reserved a page at wrong_cb.c:@held, pushed none, but pushed CB 1 at wrong_cb.c:@there and has returned; wrong_cb.c:@here (TRISC0) has been waiting for page 1 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_reserve_back(0, 1); /* held */
  cb_push_back(1, 1); /* there: buffer 0 was meant */
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) { cb_wait_front(0, 1); /* here */ }
#endif
