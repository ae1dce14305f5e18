/* cores: ncrisc trisc0
 * code: 4
 * first line: CB 1: NCRISC reserved a page at reserve_in_function.c:@held, pushed none and has returned; reserve_in_function.c:@here (TRISC0) has been waiting for page 1 since cycle */
/* The buffer's number is an argument: no constant in the code names its counters. */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
static __attribute__((noinline)) void fill(uint32_t cb) {
  cb_reserve_back(cb, 1); /* held */
}
void kernel_main(void) {
  for (uint32_t cb = 0; cb < 3; cb++) fill(cb);
}
#endif
#ifdef TRISC_UNPACK
#include "compute.h"
void kernel_main(void) {
  cb_wait_front(1, 1); /* here */
}
#endif
