/* Dst: 1024 rows x 16 columns x 16 bits, or 512 rows x 32 bits over the same storage; a valid bit per physical row.
 *
 *   16-bit storage     BF16  s | mantissa 7 | exponent 8          FP16  s | mantissa 10 | exponent 5
 *   32-bit datum       high half in the row Adj32(r), in the BF16 form; low half (mantissa bits 15:0) eight rows further
 *
 * Row maps (ISA: Dst.md, Blackhole):   Adj16(r)  r, or with remap_addrs (r & 0x3C7) ^ ((r & 0x30) >> 1) ^ ((r & 8) << 2)
 * Adj32(r)  Adj16, then with swizzle_32b (r & 0x3F3) ^ ((r & 0x18) >> 1) ^ ((r & 4) << 1), then ((r & 0x1F8) << 1) | (r &
 * 0x207) / */
#ifndef TESSERA_TENSIX_DST_H
#define TESSERA_TENSIX_DST_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/machine.h"

/* Row of the 16-bit view to physical row; row of the 32-bit view to the physical row of the high halves. */
unsigned tx_dst_adj16(const struct tx_tile *t, unsigned row);
unsigned tx_dst_adj32(const struct tx_tile *t, unsigned row);
static inline struct tx_dst_map tx_dst_map(const struct tx_tile *t) {
  uint32_t access = t->config.words[0][TX_CFG_DEST_ACCESS_CFG_remap_addrs_ADDR];
  return (struct tx_dst_map){.remap = (access >> TX_CFG_DEST_ACCESS_CFG_remap_addrs_SHIFT) & 1u,
                             .swizzle = (access >> TX_CFG_DEST_ACCESS_CFG_swizzle_32b_SHIFT) & 1u};
}

/* One row of the 32-bit (wide) or 16-bit view. */
bool tx_dst_row_valid(const struct tx_tile *t, unsigned row, bool wide);

/* After power-on every row is valid. ISA: Dst.md */
void tx_dst_reset(struct tx_tile *t);

#endif
