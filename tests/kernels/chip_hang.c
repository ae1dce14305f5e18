/* NCRISC: mistakes between tiles, chosen by argument 0.
 *   0  two tiles, arguments 1, 2 the other one's place: each waits for the other's semaphore before it gives its own
 *   1  a round of a multicast, arguments 1..4 a rectangle, 5 receivers, 6 the sender's x, 7 its y: the sender waits until all receivers
 *      have answered
 *   2  a read from the tile at arguments 1, 2
 *   3  a multicast to the rectangle of arguments 1..4 with a barrier for 5 receivers */
#include "noc.h"

enum { SEM_TURN, SEM_READY, SEM_DATA };

static void each_waits_first(void) {
  noc_semaphore_wait(get_semaphore(SEM_TURN), 1); /* @turn */
  noc_semaphore_inc(get_noc_addr(get_arg_val(1), get_arg_val(2), get_semaphore(SEM_TURN)), 1);
}

static void send_and_collect(uint32_t receivers) {
  uint64_t to =
      get_noc_multicast_addr(get_arg_val(1), get_arg_val(2), get_arg_val(3), get_arg_val(4), get_semaphore(SEM_DATA));
  noc_semaphore_set(get_semaphore(SEM_DATA), 1);
  noc_semaphore_set_multicast(get_semaphore(SEM_DATA), to, receivers, 0);
  noc_async_write_barrier();
  noc_semaphore_wait(get_semaphore(SEM_READY), receivers); /* @collect */
}

static void receive_and_answer(void) {
  noc_semaphore_wait(get_semaphore(SEM_DATA), 1);
  noc_semaphore_inc(get_noc_addr(get_arg_val(6), get_arg_val(7), get_semaphore(SEM_READY)), 1);
}

void kernel_main(void) {
  uint32_t what = get_arg_val(0);
  if (what == 0) each_waits_first();
  if (what == 1 && my_x == get_arg_val(6) && my_y == get_arg_val(7)) send_and_collect(get_arg_val(5));
  else if (what == 1) receive_and_answer();
  if (what == 2) {
    noc_async_read(get_noc_addr(get_arg_val(1), get_arg_val(2), 0x20000), 0x30000, 64);
    noc_async_read_barrier(); /* @read */
  }
  if (what == 3) {
    uint64_t to = get_noc_multicast_addr(get_arg_val(1), get_arg_val(2), get_arg_val(3), get_arg_val(4), 0x20000);
    noc_async_write_multicast(0x20000, to, 64, get_arg_val(5), 0);
    noc_async_write_barrier(); /* @barrier */
  }
  noc_async_full_barrier();
}
