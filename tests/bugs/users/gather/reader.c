/* NCRISC: two tiles send a page each per round, the first tile adds them. Arguments: A, B, C, index, number of rounds. */
#include "noc.h"

enum { PAGE = 1024, OWN = 0x40000, SLOT = 0x50000, SUM = 0x60000 };
enum { SEM_FULL, SEM_FREE };

static void add(uint32_t rounds) {
  const struct InterleavedAddrGen c = {get_arg_val(2), PAGE};
  for (uint32_t i = 0; i < rounds; i++) {
    noc_semaphore_wait(get_semaphore(SEM_FULL), 2);
    noc_semaphore_set(get_semaphore(SEM_FULL), 0);
    noc_async_writes_flushed();
    for (uint32_t at = 0; at < PAGE; at += 4) tt_store(SUM + at, tt_load(SLOT + at) + tt_load(SLOT + PAGE + at));
    l1_fence(SUM + PAGE - 4);
    for (uint32_t x = 1; x <= 2; x++) noc_semaphore_inc(get_noc_addr(my_x + x, my_y, get_semaphore(SEM_FREE)), 1);
    noc_async_write_page(i, &c, SUM);
  }
}

static void send(uint32_t rounds, uint32_t index) {
  const struct InterleavedAddrGen from = {get_arg_val(index - 1), PAGE};
  for (uint32_t i = 0; i < rounds; i++) {
    noc_async_read_page(i, &from, OWN);
    noc_async_read_barrier();
    noc_semaphore_wait_min(get_semaphore(SEM_FREE), i);
    noc_async_write(OWN, get_noc_addr(my_x - index, my_y, SLOT + (index - 1) * PAGE), PAGE);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(my_x - index, my_y, get_semaphore(SEM_FULL)), 1);
  }
}

void kernel_main(void) {
  if (get_arg_val(3)) send(get_arg_val(4), get_arg_val(3));
  else add(get_arg_val(4));
  noc_async_full_barrier();
}
