/* NCRISC: all-gather around a ring. Every tile ends with all shards; in step s it forwards the shard of the tile s places before it.
 * Arguments: 0 index, 1 tiles, 2 x0, 3 own shard, 4 gathered shards, 5 bytes of a shard. The ring is a row of tiles. */
#include "noc.h"

enum { SEM_ARRIVED };

void kernel_main(void) {
  uint32_t index = get_arg_val(0), tiles = get_arg_val(1), shard = get_arg_val(3), all = get_arg_val(4),
           bytes = get_arg_val(5);
  uint32_t next = worker_x(get_arg_val(2), index + 1 == tiles ? 0 : index + 1);
  noc_async_write(shard, get_noc_addr(my_x, my_y, all + index * bytes), bytes);
  noc_async_write_barrier();
  uint32_t slot = index;
  for (uint32_t step = 1; step < tiles; step++) {
    uint32_t at = all + slot * bytes;
    noc_async_write(at, get_noc_addr(next, my_y, at), bytes);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(next, my_y, get_semaphore(SEM_ARRIVED)), 1);
    noc_semaphore_wait_min(get_semaphore(SEM_ARRIVED), step);
    slot = slot ? slot - 1 : tiles - 1;
  }
  noc_async_full_barrier();
}
