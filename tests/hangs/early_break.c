/* cores: brisc ncrisc
 * code: 4
 * first line: CB 0 is full (2 pages): NCRISC pushed 4 pages, the last at early_break.c:@held; BRISC popped 2 pages, the last at early_break.c:@there, and has returned; early_break.c:@here (NCRISC) has been waiting for a free page since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 6; i++) {
    cb_reserve_back(0, 1); /* here */
    *(volatile uint32_t *)get_write_ptr(0) = i;
    cb_push_back(0, 1); /* held */
  }
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  for (uint32_t i = 0; i < 6; i++) {
    cb_wait_front(0, 1);
    if (*(volatile uint32_t *)get_read_ptr(0) == 2) break; /* the mistake */
    cb_pop_front(0, 1); /* there */
  }
  tt_store(0x30000, 1);
}
#endif
