/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0: NCRISC reserved a page at missing_push.c:@held, pushed none and has returned; missing_push.c:@here (TRISC0) has been waiting for page 1 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) { cb_reserve_back(0, 1); /* held: fills the page and forgets cb_push_back */ }
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  cb_wait_front(0, 1); /* here */
  cb_pop_front(0, 1);
}
#endif
