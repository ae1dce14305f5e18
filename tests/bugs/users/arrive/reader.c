/* NCRISC: three tiles send a row each to the first tile, which waits for all of them and writes them to DRAM. Arguments: A, C, column. */
#include "noc.h"

enum { TILES = 4, ROW = 1024, ROWS = 0x60000, STAGE = 0x70000, FLAG = 0x71000, ARRIVED = 0x7f000, SEM_GO = 2, ROUNDS = 3 };

static uint32_t arrived(void) { return tt_load(ARRIVED); }

static void signal(uint32_t x, uint32_t column, uint32_t round) {
  (void)column, (void)round;
  noc_semaphore_inc(get_noc_addr(x, my_y, ARRIVED), 1);
}

static void wait(uint32_t round) {
  while (arrived() < 3 * round) {}
}

static void send(uint32_t x, uint32_t column, uint32_t round) {
  noc_semaphore_wait_min(get_semaphore(SEM_GO), round - 1);
  noc_async_write(STAGE, get_noc_addr(x, my_y, ROWS + column * ROW), ROW);
  noc_async_write_barrier();
  signal(x, column, round);
}

static void take(const struct InterleavedAddrGen *c, uint32_t round) {
  wait(round);
  for (uint32_t k = 1; k < TILES; k++) noc_async_write_page(k, c, ROWS + k * ROW);
  noc_async_writes_flushed();
  for (uint32_t k = 1; k < TILES; k++) noc_semaphore_inc(get_noc_addr(my_x + k, my_y, get_semaphore(SEM_GO)), 1);
}

void kernel_main(void) {
  const uint32_t column = get_arg_val(2);
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  noc_async_read_page(column, &a, STAGE);
  noc_async_read_barrier();
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    if (column) send(my_x - column, column, round);
    else take(&c, round);
  }
  noc_async_full_barrier();
}
