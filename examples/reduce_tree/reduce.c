/* NCRISC: the sum of one vector per tile by a tree: in round r a tile whose index is a multiple of 2^(r+1) adds the vector of its
 * neighbour 2^r away, which has signalled that it is ready. Arguments: 0 index, 1 tiles, 2 x0, 3 vector, 4 result, 5 bytes. */
#include "noc.h"

enum { SEM_DONE };
enum { SCRATCH = 0x60000 };

static void add(uint32_t to, uint32_t from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += 4) tt_store(to + i, tt_load(to + i) + tt_load(from + i));
  l1_fence(to + bytes - 4);
}

void kernel_main(void) {
  uint32_t index = get_arg_val(0), tiles = get_arg_val(1), x0 = get_arg_val(2), vector = get_arg_val(3),
           bytes = get_arg_val(5);
  uint32_t rounds = 0, stride = 1;
  for (; stride < tiles && index % (2 * stride) == 0; stride *= 2) {
    if (index + stride >= tiles) continue;
    rounds++;
    noc_semaphore_wait_min(get_semaphore(SEM_DONE) + 16 * rounds, 1);
    noc_async_read(get_noc_addr(worker_x(x0, index + stride), my_y, vector), SCRATCH, bytes);
    noc_async_read_barrier();
    add(vector, SCRATCH, bytes);
  }
  if (index == 0) {
    noc_async_write(vector, get_noc_addr(my_x, my_y, get_arg_val(4)), bytes);
  } else { /* the parent counts its children in the order of their strides */
    uint32_t parent = index - stride, round = 1;
    for (uint32_t s = 1; s < stride; s *= 2) round += parent + s < tiles;
    noc_semaphore_inc(get_noc_addr(worker_x(x0, parent), my_y, get_semaphore(SEM_DONE) + 16 * round), 1);
  }
  noc_async_full_barrier();
}
