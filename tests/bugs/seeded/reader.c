/* NCRISC of the seeded bugs: tiles of A and B from L1 into buffers 0 and 1. BUG 0 is correct; every other number is one mistake.
 * Arguments: 0 tiles; 8 address of A, 9 of B. */
#include "dataflow.h"

enum { FLAG = 0x3f000, DATA = 0x3f040 };

/* Copies in plain C: the fence and the push are the caller's. */
static void fill(uint32_t cb, uint32_t to, uint32_t i) {
  uint32_t bytes = get_tile_size(cb);
#if BUG == 1 /* half of the page: the unpacker reads bytes that no agent has written */
  bytes /= 2;
#elif BUG == 2 /* one line too long: into the next page */
  bytes += 16;
#endif
  l1_copy(to, get_arg_val(8 + cb) + i * get_tile_size(cb), bytes);
#if BUG != 3 /* the stores may arrive after the push */
  l1_fence(to + bytes - 4);
#endif
}

#if BUG == 4 /* a table that is only partly initialised, on the stack */
static uint32_t pick(uint32_t i) {
  volatile uint32_t table[8];
  for (uint32_t k = 0; k < 4; k++) table[k] = 0x3f803f80u;
  return table[4 + (i & 3u)];
}
#endif
#if BUG == 5 /* recursion that leaves the stack */
static uint32_t deep(uint32_t n) {
  volatile uint32_t room[64];
  room[n & 63u] = n;
  return n ? deep(n - 1) + room[n & 63u] : 0;
}
#endif

static void deliver(uint32_t i) {
  for (uint32_t cb = 0; cb < 2; cb++) {
#if BUG == 6 /* reserves the page after the fill */
    fill(cb, get_write_ptr(cb), i);
    cb_reserve_back(cb, 1);
#elif BUG == 7 /* pushes the page before it fills it */
    uint32_t to = get_write_ptr(cb);
    cb_reserve_back(cb, 1);
    cb_push_back(cb, 1);
    fill(cb, to, i);
    continue;
#elif BUG == 8 /* room for B only, for a page of each */
    if (cb) cb_reserve_back(1, 1);
    fill(cb, get_write_ptr(cb), i);
#else
    cb_reserve_back(cb, 1);
    fill(cb, get_write_ptr(cb), i);
#endif
    cb_push_back(cb, 1);
  }
}

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0);
#if BUG == 9 /* uses the pointer of the first page for all pages */
  uint32_t to[2] = {get_write_ptr(0), get_write_ptr(1)};
  for (uint32_t i = 0; i < tiles; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      fill(cb, to[cb], i);
      cb_push_back(cb, 1);
    }
#elif BUG == 10 /* reserves one page and fills two */
  for (uint32_t i = 0; i < tiles; i += 2)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      fill(cb, get_write_ptr(cb), i);
      fill(cb, get_write_ptr(cb) + get_tile_size(cb), i + 1);
      cb_push_back(cb, 2);
    }
#elif BUG == 11 /* omits the first push */
  for (uint32_t i = 0; i < tiles; i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      fill(cb, get_write_ptr(cb), i);
      if (i || cb) cb_push_back(cb, 1);
    }
#elif BUG == 12 /* changes a page that it has already pushed */
  for (uint32_t i = 0; i < tiles; i++) {
    uint32_t page = get_write_ptr(0);
    deliver(i);
    tt_store(page, tt_load(page) | 1u);
  }
#elif BUG == 13 /* a word of the launch block */
  for (uint32_t i = 0; i < tiles; i++) deliver(i);
  tt_store(0x88 + 16 * 16, 0x50000);
#elif BUG == 14 /* into the program of a core */
  for (uint32_t i = 0; i < tiles; i++) deliver(i);
  tt_store(0x2000 + 3 * 0x6000 + 0x40, 0);
#else
  for (uint32_t i = 0; i < tiles; i++) {
    deliver(i);
#if BUG == 4
    tt_store(DATA + 4 * i, pick(i));
#elif BUG == 5
    tt_store(DATA, deep(40));
#elif BUG == 15              /* the flag before the data */
    tt_store(FLAG, i + 1);
    tt_store(DATA, i + 100);
    tt_poll(FLAG, 0xffffffffu, 0);
#elif BUG == 18              /* correct: stores to L1 arrive in order, the flag needs no fence */
    tt_store(DATA, i + 100);
    tt_store(FLAG, i + 1);
    tt_poll(FLAG, 0xffffffffu, 0);
#elif BUG == 16 || BUG == 17 /* the writer has the mistake with the flag; this side is correct */
    tt_store(DATA, i + 100);
    l1_fence(DATA);
    tt_store(FLAG, i + 1);
    tt_poll(FLAG, 0xffffffffu, 0);
#endif
  }
#endif
}
