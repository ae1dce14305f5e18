/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0 has 1 page of the 2 wanted: NCRISC pushed 1 page at wrong_count.c:@there and has returned; wrong_count.c:@here (TRISC0) has been waiting for page 2 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_reserve_back(0, 1);
  cb_push_back(0, 1); /* there */
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) { cb_wait_front(0, 2); /* here */ }
#endif
