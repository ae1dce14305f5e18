/* BRISC: adds the rows in L1 and writes the sum to C. Arguments: C, number of rows. */
#include "noc.h"

enum { CB_A = 0, ROW = 256, SUM = 0x44000, STOP = 0x45000 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), ROW};
  for (uint32_t k = 0; k < ROW; k += 4) tt_store(SUM + k, 0);
  tt_store(STOP, 0);
  for (uint32_t i = 0, rows = get_arg_val(1); i < rows; i++) {
    cb_wait_front(CB_A, 1);
    uint32_t row = get_read_ptr(CB_A);
    for (uint32_t k = 0; k < ROW; k += 4) tt_store(SUM + k, tt_load(SUM + k) + tt_load(row + k));
    cb_pop_front(CB_A, 1);
    if (tt_load(STOP)) return;
  }
  l1_fence(SUM + ROW - 4);
  noc_async_write_page(0, &c, SUM);
  noc_async_write_barrier();
}
