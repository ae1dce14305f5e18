/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 0 has more pages popped than pushed: TRISC0 popped 3 pages, the last at missing_wait.c:@there, and has returned; missing_wait.c:@here (NCRISC) has been waiting for a free page */
/* Pops three pages before any was pushed: the producer counts 65533 pages in the buffer. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 200; i++) {}
  cb_reserve_back(0, 1); /* here */
  cb_push_back(0, 1);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 3; i++) cb_pop_front(0, 1); /* there: three at once wrap around two pages: the library rejects that */
}
#endif
