/* NCRISC. Tile 0 fetches pages and multicasts each into circular buffer 0 of the two others, when both have room.
 * Arguments: A, index, number of pages. */
#include "noc.h"

enum { CB = 0, OTHERS = 2 };
enum { SEM_ROOM, SEM_VALID };

static void send(uint32_t pages) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB)};
  uint64_t all = get_noc_multicast_addr(my_x + 1, my_y, my_x + OTHERS, my_y, 0);
  uint32_t base = get_write_ptr(CB), bytes = get_tile_size(CB);
  noc_semaphore_set(get_semaphore(SEM_VALID), 1);
  for (uint32_t i = 0; i < pages; i++) {
    uint32_t page = base + i % 2 * bytes;
    noc_async_read_page(i, &a, page);
    noc_async_read_barrier();
    noc_semaphore_wait(get_semaphore(SEM_ROOM), OTHERS);
    noc_semaphore_set(get_semaphore(SEM_ROOM), 0);
    noc_semaphore_wait(get_semaphore(SEM_ROOM), 0); /* the store has arrived */
    noc_async_write_multicast(page, all | page, bytes, OTHERS, 1);
    noc_semaphore_set_multicast(get_semaphore(SEM_VALID), all | get_semaphore(SEM_VALID), OTHERS, 0);
    noc_async_write_barrier();
  }
}

static void receive(uint32_t pages, uint32_t from_x) {
  for (uint32_t i = 0; i < pages; i++) {
    cb_reserve_back(CB, 1);
    noc_semaphore_set(get_semaphore(SEM_VALID), 0);
    noc_semaphore_wait(get_semaphore(SEM_VALID), 0);
    noc_semaphore_inc(get_noc_addr(from_x, my_y, get_semaphore(SEM_ROOM)), 1);
    noc_semaphore_wait(get_semaphore(SEM_VALID), 1);
    cb_push_back(CB, 1);
  }
}

void kernel_main(void) {
  if (get_arg_val(1) == 0) send(get_arg_val(2));
  else receive(get_arg_val(2), my_x - get_arg_val(1));
  noc_async_full_barrier();
}
