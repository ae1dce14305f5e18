/* NCRISC of three tiles. Arguments: A, C, index. */
#include "noc.h"

enum { ROW = 1024, OWN = 0x40000, LEFT = 0x50000, RIGHT = 0x52000, SUM = 0x60000 };
enum { SEM_LEFT, SEM_RIGHT, SEM_SUM };

static void send(uint32_t x, uint32_t to, uint32_t semaphore) {
  noc_async_write(OWN, get_noc_addr(x, my_y, to), ROW);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(semaphore)), 1);
  noc_semaphore_wait(get_semaphore(SEM_SUM), 1);
}

static void collect(void) {
  noc_semaphore_wait(get_semaphore(SEM_LEFT), 1);
  noc_semaphore_wait(get_semaphore(SEM_RIGHT), 1);
  for (uint32_t at = 0; at < ROW; at += 4) tt_store(OWN + at, tt_load(OWN + at) + tt_load(LEFT + at) + tt_load(RIGHT + at));
  l1_fence(OWN + ROW - 4);
  noc_async_write_multicast_loopback_src(OWN, get_noc_multicast_addr(my_x - 1, my_y, my_x + 1, my_y, SUM), ROW, 3, 0);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, get_semaphore(SEM_SUM)), 1);
  noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_SUM)), 1);
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  uint32_t index = get_arg_val(2);
  noc_async_read_page(index, &a, OWN);
  noc_async_read_barrier();
  if (index == 0) send(my_x + 1, LEFT, SEM_LEFT);
  else if (index == 2) send(my_x - 1, RIGHT, SEM_RIGHT);
  else collect();
  noc_async_write_page(index, &c, SUM);
  noc_async_full_barrier();
}
