/* NCRISC. The first tile fills a slot of the last one whenever it is free; the last one adds up what it gets. Arguments: C, index, tiles, rounds. */
#include "noc.h"

enum { ROW = 64, DATA = 0x40000, SLOT = 0x50000, FREE = 0, FILLED = 1 };

static void fill(uint32_t x, uint32_t rounds) {
  for (uint32_t i = 0; i < rounds; i++) {
    noc_semaphore_wait_min(get_semaphore(FREE), i + 1);
    for (uint32_t at = 0; at < ROW; at += 4) tt_store(DATA + at, i + at);
    l1_fence(DATA + ROW - 4);
    noc_async_write(DATA, get_noc_addr(x, my_y, SLOT), ROW);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(FILLED)), 1);
  }
}

static void add(uint32_t x, uint32_t rounds) {
  for (uint32_t at = 0; at < ROW; at += 4) tt_store(DATA + at, 0);
  for (uint32_t i = 0; i < rounds; i++) {
    noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(FREE)), 1);
    noc_semaphore_wait_min(get_semaphore(FILLED), i + 1);
    for (uint32_t at = 0; at < ROW; at += 4) tt_store(DATA + at, tt_load(DATA + at) + tt_load(SLOT + at));
  }
  l1_fence(DATA + ROW - 4);
  const struct InterleavedAddrGen c = {get_arg_val(0), ROW};
  noc_async_write_page(0, &c, DATA);
}

void kernel_main(void) {
  uint32_t index = get_arg_val(1), last = get_arg_val(2) - 1, rounds = get_arg_val(3);
  if (index == 0) fill(my_x + last, rounds);
  if (index == last) add(my_x - last, rounds);
  noc_async_full_barrier();
}
