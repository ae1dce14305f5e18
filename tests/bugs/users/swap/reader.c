/* NCRISC of two tiles: tile 0 writes rows to two places of a scratch tensor in turn, tile 1 reads them from there and writes C.
 * Arguments: A, scratch, C, index, number of rows. */
#include "noc.h"

enum { ROW = 1024, BUFFER = 0x40000 };
enum { SEM_THERE, SEM_READ };

static void produce(uint32_t rows) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, s = {get_arg_val(1), ROW};
  for (uint32_t i = 0; i < rows; i++) {
    noc_async_read_page(i, &a, BUFFER);
    noc_async_read_barrier();
    if (i > 1) noc_semaphore_wait_min(get_semaphore(SEM_READ), i - 1);
    noc_async_write_page(i & 1, &s, BUFFER);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_THERE)), 1);
  }
}

static void consume(uint32_t rows) {
  const struct InterleavedAddrGen s = {get_arg_val(1), ROW}, c = {get_arg_val(2), ROW};
  for (uint32_t i = 0; i < rows; i++) {
    uint32_t buffer = BUFFER + (i & 1) * ROW;
    noc_semaphore_wait_min(get_semaphore(SEM_THERE), i + 1);
    noc_async_writes_flushed();
    noc_async_read_page(i & 1, &s, buffer);
    noc_async_read_barrier();
    noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, get_semaphore(SEM_READ)), 1);
    noc_async_write_page(i, &c, buffer);
  }
}

void kernel_main(void) {
  if (get_arg_val(3)) consume(get_arg_val(4));
  else produce(get_arg_val(4));
  noc_async_full_barrier();
}
