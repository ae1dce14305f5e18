/* Wrong on purpose: see mutual_reader.c. */
#include "dataflow.h"

void kernel_main(void) {
  cb_wait_front(3, 1);
  cb_push_back(2, 1);
}
