/* A writer that counts tiles out of buffer 16 and leaves them there. Argument: 17 how many. */
#include "dataflow.h"

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(17); i < tiles; i++) {
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}
