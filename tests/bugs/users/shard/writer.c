/* BRISC: the result stays where it is. Argument: number of tiles. */
#include "noc.h"

void kernel_main(void) {
  cb_wait_front(16, get_arg_val(0));
  cb_pop_front(16, get_arg_val(0));
}
