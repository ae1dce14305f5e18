/* RWCs: the row counters of the matrix and vector units, one set per thread, and the address modes that step them.
 *
 * Follows RWCs.md, SETRWC.md, INCRWC.md (Wormhole pages, shared text) with the Blackhole corrections: three-bit address mode,
 * ExtraAddrModBit kept but without effect, SFPU stack pointer Sp set by SETRWC bit 4. */
#ifndef TESSERA_TENSIX_RWC_H
#define TESSERA_TENSIX_RWC_H

#include <stdbool.h>

#include "sim/keep.h"
#include "tensix/machine.h"

#define TX_RWC_SRC_MASK 0x3fu
#define TX_RWC_DST_MASK 0x3ffu

/* Counters that clear, return to a checkpoint or set one. Out of line: keeps the steps of the common case short. */
void tx_rwc_apply_rarely(struct tx_tile *t, unsigned thread, unsigned addr_mode, bool with_fidelity);

/* Steps the counters of a thread after an instruction. SFPLOAD and SFPSTORE do not change the fidelity phase. */
static inline void tx_rwc_apply(struct tx_tile *t, unsigned thread, unsigned addr_mode, bool with_fidelity) {
  struct tx_rwc *r = sim_keep(&t->rwc[thread]);
  const uint16_t *cfg = sim_keep(&t->config.thread_words[thread][addr_mode]);
  tx_assert(thread < TX_THREADS && addr_mode < 8);
  uint32_t ab = cfg[TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR];
  uint32_t dst = cfg[TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR];
  const uint32_t rare = 1u << 10 | 1u << 11 | 1u << 12 | 1u << 15;
  if ((ab & 0xc0c0u) | cfg[TX_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR] | (dst & rare)) {
    tx_rwc_apply_rarely(t, thread, addr_mode, with_fidelity);
    return;
  }
  r->srca = (uint8_t)((r->srca + ab) & TX_RWC_SRC_MASK);
  r->srcb = (uint8_t)((r->srcb + (ab >> 8)) & TX_RWC_SRC_MASK);
  r->dst = (uint16_t)((r->dst + dst) & TX_RWC_DST_MASK);
  if (with_fidelity) r->fidelity = (uint8_t)((r->fidelity + (dst >> 13)) & 3u);
}

#endif
