/* One row of the 32-bit (wide) or 16-bit view of Dst, as stored. An undefined row reads as `undefined` in every column; a write makes it
 * valid. */
#ifndef TESSERA_TESTS_DST_ROWS_H
#define TESSERA_TESTS_DST_ROWS_H

#include "tensix/regs/dst.h"
#include "tensix/state.h"

static inline void dst_read_row(const struct tx_tile *t, unsigned row, bool wide, uint32_t undefined,
                                uint32_t out[TX_DST_COLUMNS]) {
  unsigned high = wide ? tx_dst_adj32(t, row) : tx_dst_adj16(t, row);
  for (unsigned c = 0; c < TX_DST_COLUMNS; c++) {
    if (!t->dst.valid[high]) out[c] = undefined;
    else out[c] = wide ? (uint32_t)t->dst.bits[high][c] << 16 | t->dst.bits[high + 8][c] : t->dst.bits[high][c];
  }
}

static inline void dst_write_row(struct tx_tile *t, unsigned row, bool wide, const uint32_t in[TX_DST_COLUMNS]) {
  unsigned high = wide ? tx_dst_adj32(t, row) : tx_dst_adj16(t, row);
  for (unsigned c = 0; c < TX_DST_COLUMNS; c++) {
    t->dst.bits[high][c] = (uint16_t)(wide ? in[c] >> 16 : in[c]);
    if (wide) t->dst.bits[high + 8][c] = (uint16_t)in[c];
  }
  t->dst.valid[high] = wide ? TX_DST_VALID32 : TX_DST_VALID16;
}

#endif
