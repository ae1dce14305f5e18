/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0: NCRISC reserved a page at endless_producer.c:@there and pushed none, and NCRISC loops forever at endless_producer.c:@held; endless_producer.c:@here (TRISC0) has been waiting for page 1 */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_reserve_back(0, 1); /* there */
  for (;;) __asm__ volatile("nop"); /* held: never reaches the push */
  cb_push_back(0, 1);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  cb_wait_front(0, 1); /* here */
}
#endif
