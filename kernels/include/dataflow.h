/* The API of reader and writer kernels (NCRISC, BRISC): circular buffers, arguments, and copies within L1. */
#ifndef TENSIX_DATAFLOW_H
#define TENSIX_DATAFLOW_H

#include "circular_buffer.h"

/* 16-aligned bytes from L1 to L1: eight loads in flight, then eight stores of two lines. ISA: MemoryOrdering.md */
TT_INLINE void l1_copy(uint32_t to, uint32_t from, uint32_t bytes) {
  KERNEL_CHECK(((to | from | bytes) & 15) == 0, "l1_copy: addresses and length are multiples of 16");
  uint32_t end = from + (bytes & ~31u);
  for (; from < end; from += 32, to += 32) {
    uint32_t w0 = tt_load(from), w1 = tt_load(from + 4), w2 = tt_load(from + 8), w3 = tt_load(from + 12);
    uint32_t w4 = tt_load(from + 16), w5 = tt_load(from + 20), w6 = tt_load(from + 24), w7 = tt_load(from + 28);
    tt_store(to, w0), tt_store(to + 4, w1), tt_store(to + 8, w2), tt_store(to + 12, w3);
    tt_store(to + 16, w4), tt_store(to + 20, w5), tt_store(to + 24, w6), tt_store(to + 28, w7);
  }
  for (uint32_t i = 0; i < (bytes & 16); i += 4) tt_store(to + i, tt_load(from + i));
}

#endif
