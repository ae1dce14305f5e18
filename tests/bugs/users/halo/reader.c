/* NCRISC of three tiles. Arguments: A, C, index, tiles, steps. */
#include "noc.h"

enum { ROW = 1024, EDGE = 32, DATA = 0x40000, FROM_LEFT = 0x50000, FROM_RIGHT = 0x50100 };
enum { SEM_LEFT, SEM_RIGHT };

static uint32_t slot(uint32_t base, uint32_t step) { return base + (step & 1) * EDGE; }

static void send(uint32_t edge, uint32_t x, uint32_t to, uint32_t semaphore) {
  noc_async_write(edge, get_noc_addr(x, my_y, to), EDGE);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(x, my_y, get_semaphore(semaphore)), 1);
}

static void add(uint32_t to, uint32_t from) {
  for (uint32_t at = 0; at < EDGE; at += 4) tt_store(to + at, tt_load(to + at) + tt_load(from + at));
  l1_fence(to + EDGE - 4);
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  uint32_t index = get_arg_val(2), last = get_arg_val(3) - 1, steps = get_arg_val(4);
  noc_async_read_page(index, &a, DATA);
  noc_async_read_barrier();
  for (uint32_t step = 0; step < steps; step++) {
    if (index > 0) send(DATA, my_x - 1, slot(FROM_RIGHT, step), SEM_RIGHT);
    if (index < last) send(DATA + ROW - EDGE, my_x + 1, slot(FROM_LEFT, step), SEM_LEFT);
    if (index > 0) noc_semaphore_wait_min(get_semaphore(SEM_LEFT), step + 1);
    if (index < last) noc_semaphore_wait_min(get_semaphore(SEM_RIGHT), step + 1);
    if (index > 0) add(DATA, slot(FROM_LEFT, step));
    if (index < last) add(DATA + ROW - EDGE, slot(FROM_RIGHT, step));
  }
  noc_async_write_page(index, &c, DATA);
  noc_async_full_barrier();
}
