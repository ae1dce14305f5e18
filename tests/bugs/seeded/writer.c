/* BRISC of the seeded bugs: tiles of buffer 16 to the host's address. Arguments: 0 tiles, 10 address. */
#include "dataflow.h"

enum { CB_OUT = 16, FLAG = 0x3f000, DATA = 0x3f040, COPY = 0x3f100 };

static void take(uint32_t to) {
  uint32_t bytes = get_tile_size(CB_OUT);
  cb_wait_front(CB_OUT, 1);
  l1_copy(to, get_read_ptr(CB_OUT), bytes);
  cb_pop_front(CB_OUT, 1);
}

void kernel_main(void) {
  uint32_t to = get_arg_val(10), bytes = get_tile_size(CB_OUT), tiles = get_arg_val(0);
#if BUG == 20 /* pops the page before it copies it */
  for (uint32_t i = 0; i < tiles; i++) {
    uint32_t from = get_read_ptr(CB_OUT);
    cb_wait_front(CB_OUT, 1);
    cb_pop_front(CB_OUT, 1);
    l1_copy(to + i * bytes, from, bytes);
  }
#elif BUG == 21 /* the read pointer of the first page */
  uint32_t from = get_read_ptr(CB_OUT);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(CB_OUT, 1);
    l1_copy(to + i * bytes, from, bytes);
    cb_pop_front(CB_OUT, 1);
  }
#elif BUG == 22 /* reads the front page before it waits */
  for (uint32_t i = 0; i < tiles; i++) {
    uint32_t first = tt_load(get_read_ptr(CB_OUT));
    take(to + i * bytes);
    tt_store(to + i * bytes, first);
  }
#elif BUG == 23 /* waits for one page, takes two */
  for (uint32_t i = 0; i < tiles; i += 2) {
    cb_wait_front(CB_OUT, 1);
    l1_copy(to + i * bytes, get_read_ptr(CB_OUT), 2 * bytes);
    cb_pop_front(CB_OUT, 2);
  }
#elif BUG == 24 /* one byte count for all formats: reads past the buffer */
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(CB_OUT, 1);
    l1_copy(to + i * bytes, get_read_ptr(CB_OUT), 4096);
    cb_pop_front(CB_OUT, 1);
  }
#elif BUG == 25 /* the output overlaps the other buffers */
  for (uint32_t i = 0; i < tiles; i++) take(0x30000 + i * bytes);
#elif BUG == 26 /* takes one tile too many */
  for (uint32_t i = 0; i <= tiles; i++) take(to + i * bytes);
#elif BUG == 27 /* takes one tile too few */
  for (uint32_t i = 0; i + 1 < tiles; i++) take(to + i * bytes);
#elif BUG == 28 /* pops the reader's buffer as well */
  for (uint32_t i = 0; i < tiles; i++) {
    take(to + i * bytes);
    if (i == 1) cb_pop_front(0, 1);
  }
#else
  for (uint32_t i = 0; i < tiles; i++) {
    take(to + i * bytes);
#if BUG == 15 || BUG == 18
    tt_poll(FLAG, 0xffffffffu, i + 1);
    tt_store(COPY + 4 * i, tt_load(DATA));
    l1_fence(COPY + 4 * i);
    tt_store(FLAG, 0);
#elif BUG == 16 /* sets the flag before it reads */
    tt_poll(FLAG, 0xffffffffu, i + 1);
    tt_store(FLAG, 0);
    tt_store(COPY + 4 * i, tt_load(DATA));
#elif BUG == 17 /* does not wait for the flag */
    tt_store(COPY + 4 * i, tt_load(DATA));
    l1_fence(COPY + 4 * i);
    tt_store(FLAG, 0);
#endif
  }
#endif
}
