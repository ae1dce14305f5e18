/* cores: ncrisc brisc
 * code: 4
 * first line: deadlock: BRISC -> NCRISC -> BRISC; mutual_buffers.c:@here (BRISC) has been waiting for page 1 of CB 3 since cycle */
#ifdef COMPILE_FOR_NCRISC
#include "dataflow.h"
void kernel_main(void) {
  for (volatile uint32_t i = 0; i < 2000; i++) {} /* BRISC waits first: the report begins with the oldest wait */
  cb_wait_front(2, 1);
  cb_push_back(3, 1);
}
#endif
#ifdef COMPILE_FOR_BRISC
#include "dataflow.h"
void kernel_main(void) {
  cb_wait_front(3, 1); /* here */
  cb_push_back(2, 1);
}
#endif
