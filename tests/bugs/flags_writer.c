/* The other side of flags_reader.c. */
#include "dataflow.h"

enum { FLAG = 0x3f000, BACK = 0x3f010, DATA = 0x3f040 };

void kernel_main(void) {
  for (uint32_t i = 0, rounds = get_arg_val(0); i < rounds; i++) {
    tt_poll(FLAG, 0xffffffffu, i + 1);
    l1_copy(get_arg_val(10) + 64 * i, DATA, 64);
    l1_fence(get_arg_val(10) + 64 * i + 60);
    tt_store(BACK, i + 1);
  }
}
