/* Wrong on purpose: waits for a page of buffer 2 before it pushes one of buffer 3; mutual_writer.c waits the other way
 * round. */
#include "dataflow.h"

void kernel_main(void) {
  cb_wait_front(2, 1);
  cb_push_back(3, 1);
}
