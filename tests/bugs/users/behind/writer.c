/* BRISC of the last tile: multicasts a block on NoC 1, and behind it a flag, whose packet waits until the block has left. Arguments: index, tiles, rounds. */
#include "noc.h"

enum { BLOCK = 0x4000, FROM = 0x80000, TO = 0xa0000, FLAG = 2 };

void kernel_main(void) {
  uint32_t index = get_arg_val(0), first = my_x - index, flag = get_semaphore(FLAG);
  for (uint32_t i = 0; index + 1 == get_arg_val(1) && i < get_arg_val(2); i++) {
    noc_async_write_multicast(FROM, get_noc_multicast_addr(my_x - 1, my_y, first, my_y, TO), BLOCK, index, 1);
    noc_semaphore_set_multicast(flag, get_noc_multicast_addr(my_x - 1, my_y, first, my_y, flag), index, 0);
    noc_async_write_barrier();
  }
}
