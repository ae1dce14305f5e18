/* Wrong on purpose: the reader fills a page of buffer 0 and forgets cb_push_back. */
#include "dataflow.h"

void kernel_main(void) {
  cb_reserve_back(0, 1);
  cb_reserve_back(1, 1);
  cb_push_back(1, 1);
}
