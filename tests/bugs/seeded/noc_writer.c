/* BRISC of the seeded bugs over the NoC of the own tile. Arguments: 0 tiles, 10 address. */
#include "noc.h"

#include "circular_buffer.h"

#define BYTES get_tile_size(16)
#define TO(i) get_noc_addr(my_x, my_y, get_arg_val(10) + (i)*BYTES)
enum { STAGE = 0x3f400 };

void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
#if BUG == 50 /* pops the page while it is still being sent */
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), TO(i), BYTES);
    cb_pop_front(16, 1);
    noc_async_write_barrier();
#elif BUG == 51 /* the staging area is written again while the last one is being sent */
    cb_wait_front(16, 1);
    for (uint32_t part = 0; part < 2; part++) {
      l1_copy(STAGE, get_read_ptr(16) + part * BYTES / 2, BYTES / 2);
      l1_fence(STAGE + BYTES / 2 - 4);
      noc_async_write(STAGE, TO(i) + part * BYTES / 2, BYTES / 2);
    }
    noc_async_write_barrier();
    cb_pop_front(16, 1);
#elif BUG == 52 /* the stores may not have arrived when the NoC reads them */
    cb_wait_front(16, 1);
    l1_copy(STAGE, get_read_ptr(16), BYTES);
    noc_async_write(STAGE, TO(i), BYTES);
    noc_async_write_barrier();
    cb_pop_front(16, 1);
#elif BUG == 53 /* reads back its write before it has arrived */
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), TO(i), BYTES);
    noc_async_writes_flushed();
    cb_pop_front(16, 1);
    tt_store(0x3f000 + 4 * i, tt_load(get_arg_val(10) + i * BYTES));
#elif BUG == 54 /* a read barrier for a write */
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), TO(i), BYTES);
    noc_async_read_barrier();
    cb_pop_front(16, 1);
#elif BUG == 55 /* sends data that the packer may not have written yet */
    noc_async_write(get_read_ptr(16), TO(i), BYTES);
    cb_wait_front(16, 1);
    noc_async_write_barrier();
    cb_pop_front(16, 1);
#else
    cb_wait_front(16, 1);
    noc_async_write(get_read_ptr(16), TO(i), BYTES);
    noc_async_write_barrier();
    cb_pop_front(16, 1);
#endif
  }
}
