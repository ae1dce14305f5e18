/* NCRISC of three tiles: in each round a tile puts a row of A into the inbox of the next tile; all meet; each writes what it got to C.
 * Two inboxes in turn, so one meeting a round suffices. Arguments: A, C, index, number of rounds. */
#include "noc.h"

enum { ROW = 1024, OWN = 0x40000, INBOX = 0x50000, TILES = 3 };
enum { SEM_COUNT, SEM_GO };

static void meet(uint32_t index, uint32_t round) {
  uint32_t first_x = my_x - index;
  if (index) {
    noc_semaphore_inc(get_noc_addr(first_x, my_y, get_semaphore(SEM_COUNT)), 1);
    noc_semaphore_wait_min(get_semaphore(SEM_GO), round);
    return;
  }
  noc_semaphore_wait(get_semaphore(SEM_COUNT), TILES - 1);
  noc_semaphore_set(get_semaphore(SEM_COUNT), 0);
  noc_semaphore_set(get_semaphore(SEM_GO), round);
  noc_semaphore_wait(get_semaphore(SEM_GO), round); /* both stores have arrived */
  noc_semaphore_set_multicast(get_semaphore(SEM_GO), get_noc_multicast_addr(my_x + 1, my_y, my_x + TILES - 1, my_y, get_semaphore(SEM_GO)),
                              TILES - 1, 0);
  noc_async_write_barrier();
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  uint32_t index = get_arg_val(2), next_x = index + 1 == TILES ? my_x - index : my_x + 1;
  for (uint32_t i = 0, rounds = get_arg_val(3) / TILES; i < rounds; i++) {
    uint32_t from = (index + TILES - 1) % TILES, inbox = INBOX + (i & 1) * ROW;
    noc_async_read_page(TILES * i + index, &a, OWN);
    noc_async_read_barrier();
    noc_async_write(OWN, get_noc_addr(next_x, my_y, inbox), ROW);
    noc_async_write_barrier();
    meet(index, i + 1);
    noc_async_write_page(TILES * i + from, &c, inbox);
    noc_async_writes_flushed();
  }
  noc_async_full_barrier();
}
