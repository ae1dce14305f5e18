/* cores: brisc ncrisc
 * code: 4
 * first line: CB 0 has 1 free page of 2: NCRISC pushed 2 pages, the last at room_for_two.c:@there; BRISC popped 1 page at room_for_two.c:@held and has returned; room_for_two.c:@here (NCRISC) has been waiting for 2 free pages since cycle */
#include "dataflow.h"
#ifdef COMPILE_FOR_NCRISC
void kernel_main(void) {
  cb_reserve_back(0, 2);
  cb_push_back(0, 2);    /* there */
  cb_reserve_back(0, 2); /* here */
  cb_push_back(0, 2);
}
#endif
#ifdef COMPILE_FOR_BRISC
void kernel_main(void) {
  cb_wait_front(0, 1);
  cb_pop_front(0, 1); /* held */
}
#endif
