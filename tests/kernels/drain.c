/* A writer that pops tiles of buffer 16 without copying them. Argument: 17 number of tiles. */
#include "dataflow.h"

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(17); i < tiles; i++) {
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}
