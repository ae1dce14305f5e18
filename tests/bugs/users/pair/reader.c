/* NCRISC of two tiles. Tile 0 fetches pages and sends them into the slots of tile 1, which writes them to C.
 * Arguments: A, C, index, number of pages, pages that the sender is ahead (0; 1 is a bug). */
#include "noc.h"

enum { PAGE = 1024, SLOTS = 2, STAGE = 0x40000, SLOT = 0x50000 };
enum { SEM_SENT, SEM_ACKED };

static void send(uint32_t pages, uint32_t to_x) {
  const struct InterleavedAddrGen a = {get_arg_val(0), PAGE};
  for (uint32_t i = 0; i < pages; i++) {
    uint32_t stage = STAGE + i % 2 * PAGE;
    noc_async_read_page(i, &a, stage);
    noc_async_read_barrier();
    if (i >= SLOTS) noc_semaphore_wait_min(get_semaphore(SEM_ACKED), i + 1 - SLOTS - get_arg_val(4));
    noc_async_write(stage, get_noc_addr(to_x, my_y, SLOT + i % SLOTS * PAGE), PAGE);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(to_x, my_y, get_semaphore(SEM_SENT)), 1);
  }
}

static void receive(uint32_t pages, uint32_t from_x) {
  const struct InterleavedAddrGen c = {get_arg_val(1), PAGE};
  for (uint32_t i = 0; i < pages; i++) {
    noc_semaphore_wait_min(get_semaphore(SEM_SENT), i + 1);
    noc_async_write_page(i, &c, SLOT + i % SLOTS * PAGE);
    noc_async_writes_flushed();
    noc_semaphore_inc(get_noc_addr(from_x, my_y, get_semaphore(SEM_ACKED)), 1);
  }
}

void kernel_main(void) {
  if (get_arg_val(2) == 0) send(get_arg_val(3), my_x + 1);
  else receive(get_arg_val(3), my_x - 1);
  noc_async_full_barrier();
}
