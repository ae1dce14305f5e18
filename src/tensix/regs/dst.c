/* Row maps of Dst and datum-wise access to it. Follows Dst.md (Blackhole). Not modelled: DBG_FEATURE_DISABLE bit 11. */
#include "tensix/regs/dst.h"

#include <string.h>

#include "tensix/machine.h"

/* The register lies above GLOBAL_CFGREG_BASE: both banks of Config hold the same value. */
unsigned tx_dst_adj16(const struct tx_tile *t, unsigned row) { return tx_dst_map16(tx_dst_map(t), row); }
unsigned tx_dst_adj32(const struct tx_tile *t, unsigned row) { return tx_dst_map32(tx_dst_map(t), row); }

bool tx_dst_row_valid(const struct tx_tile *t, unsigned row, bool wide) {
  return t->dst.valid[wide ? tx_dst_adj32(t, row) : tx_dst_adj16(t, row)];
}

void tx_dst_reset(struct tx_tile *t) { memset(t->dst.valid, TX_DST_POWER_ON, sizeof t->dst.valid); }
