/* The other cores of a program of tests/slow: a reader that only pushes READS pages of buffers 0 and 1, a writer that only
 * pops 16 pages of buffer 16. A program with a reader or writer of its own defines OWN_READER or OWN_WRITER. */
#if defined COMPILE_FOR_NCRISC && !defined OWN_READER
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < READS; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      cb_push_back(cb, 1);
    }
}
#endif
#if defined COMPILE_FOR_BRISC && !defined OWN_WRITER
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++) {
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}
#endif
