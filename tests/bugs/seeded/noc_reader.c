/* NCRISC of the seeded bugs over the NoC of the own tile. Arguments: 0 tiles; 8 address of A, 9 of B. */
#include "noc.h"

#include "circular_buffer.h"

#define BYTES get_tile_size(0)
#define FROM(cb, i) get_noc_addr(my_x, my_y, get_arg_val(8 + (cb)) + (i)*BYTES)

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0);
#if BUG == 40 /* one barrier, after the loop */
  for (uint32_t i = 0; i < tiles; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
      cb_push_back(cb, 1);
    }
  noc_async_read_barrier();
#else
  for (uint32_t i = 0; i < tiles; i++) {
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
#if BUG == 41   /* the barrier covers the first read only */
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES / 2);
      noc_async_read_barrier();
      noc_async_read(FROM(cb, i) + BYTES / 2, get_write_ptr(cb) + BYTES / 2, BYTES / 2);
#elif BUG == 42 /* the wrong barrier */
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
      noc_async_write_barrier();
#elif BUG == 43 /* changes the page while the read is in flight */
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
      tt_store(get_write_ptr(cb), 0x3f803f80u);
      noc_async_read_barrier();
      l1_fence(get_write_ptr(cb));
#elif BUG == 44 /* reads the fetched data before it has arrived */
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
      tt_store(0x3f000 + 4 * i, tt_load(get_write_ptr(cb)));
      noc_async_read_barrier();
#elif BUG == 45 /* waits until the request has left, not until it is answered */
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
      noc_wait_ready(NOC_BUF_READ);
#elif BUG == 46 /* barrier before the last read */
      noc_async_read_barrier();
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
#else
      noc_async_read(FROM(cb, i), get_write_ptr(cb), BYTES);
      noc_async_read_barrier();
#endif
      cb_push_back(cb, 1);
    }
  }
#if BUG == 46
  noc_async_read_barrier();
#endif
#endif
}
