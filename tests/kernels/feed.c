/* A reader whose tiles are already in the buffers: it only pushes them. Arguments: 15 tiles per push, 16 number of
 * pushes; buffers 0, 1. */
#include "dataflow.h"

void kernel_main(void) {
  uint32_t pages = get_arg_val(15), pushes = get_arg_val(16);
  for (uint32_t i = 0; i < pushes; i++) {
    cb_reserve_back(0, pages);
    cb_push_back(0, pages);
    cb_reserve_back(1, pages);
    cb_push_back(1, pages);
  }
}
