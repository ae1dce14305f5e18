/* Row counters and address modes of rwc.h. Additions wrap in the counters' own widths, so that cr+48 steps back. */
#include "tensix/regs/rwc.h"

#include "tensix/body.h"
#include "tensix/regs/src.h"

/* ThreadConfig layout of one address mode:
 *
 *          15      14    13    8  7       6     5    0            15     14 13     12     11      10   9      0
 *   AB   | BClear | BCR | BIncr | AClear | ACR | AIncr |   DST  | FClear | FIncr | CToCR | DClear | DCR | DIncr |  */
static uint8_t step_src(uint8_t counter, uint8_t *checkpoint, uint32_t mode) {
  uint32_t increment = mode & 0x3fu;
  if (mode & 0x80u) {
    *checkpoint = 0;
    return 0;
  }
  if (mode & 0x40u) {
    *checkpoint = (uint8_t)((*checkpoint + increment) & TX_RWC_SRC_MASK);
    return *checkpoint;
  }
  return (uint8_t)((counter + increment) & TX_RWC_SRC_MASK);
}

static void step_dst(struct tx_rwc *r, uint32_t mode) {
  uint32_t increment = mode & 0x3ffu;
  if (mode & 1u << 11) {
    r->dst = r->dst_cr = 0;
  } else if (mode & 1u << 12) {
    r->dst = r->dst_cr = (uint16_t)((r->dst + increment) & TX_RWC_DST_MASK);
  } else if (mode & 1u << 10) {
    r->dst = r->dst_cr = (uint16_t)((r->dst_cr + increment) & TX_RWC_DST_MASK);
  } else {
    r->dst = (uint16_t)((r->dst + increment) & TX_RWC_DST_MASK);
  }
}

static void step_fidelity(struct tx_rwc *r, uint32_t mode) {
  if (mode & 1u << 15) r->fidelity = 0;
  else r->fidelity = (uint8_t)((r->fidelity + (mode >> 13)) & 3u);
}

/* Kept because SFPU stack code could read it; selects nothing on Blackhole (docs/evidence/errata.md A10, A11). */
static void step_bias(struct tx_tile *t, struct tx_rwc *r, uint32_t mode) {
  if (mode == 0) return;
  tx_diag(t, TX_DIAG_ADDR_MOD_BIAS, "bias section 0x%x", mode);
  if (mode & 0x10u) r->extra_addr_mod = 0;
  else if (mode & 3u) r->extra_addr_mod ^= 1u;
}

void tx_rwc_apply_rarely(struct tx_tile *t, unsigned thread, unsigned addr_mode, bool with_fidelity) {
  struct tx_rwc *r = sim_keep(&t->rwc[thread]);
  const uint16_t *cfg = t->config.thread_words[thread];
  uint32_t ab = cfg[TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + addr_mode];
  uint32_t dst = cfg[TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + addr_mode];
  r->srca = step_src(r->srca, &r->srca_cr, ab & 0xffu);
  r->srcb = step_src(r->srcb, &r->srcb_cr, ab >> 8);
  if ((dst & 1u << 12) && (dst & (1u << 10 | 1u << 11)))
    tx_diag(t, TX_DIAG_ADDR_MOD_COMBINATION, "section %u: 0x%04x", addr_mode, dst);
  step_dst(r, dst);
  if (with_fidelity) step_fidelity(r, dst);
  tx_assert(r->srca <= TX_RWC_SRC_MASK && r->srcb <= TX_RWC_SRC_MASK && r->dst <= TX_RWC_DST_MASK && r->fidelity <= 3);
  step_bias(t, r, cfg[TX_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr_ADDR + addr_mode]);
}

/* --- SETRWC, INCRWC --- */

enum { SET_A = 1, SET_B = 2, SET_D = 4, SET_F = 8, SET_SP = 16 };
enum { CR_A = 1, CR_B = 2, CR_D = 4, C_TO_CR = 8 };

void tx_exec_SETRWC(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  struct tx_rwc *r = sim_keep(&t->rwc[thread]);
  uint32_t a = TX_FIELD(word, SETRWC, rwc_a), b = TX_FIELD(word, SETRWC, rwc_b), d = TX_FIELD(word, SETRWC, rwc_d);
  uint32_t cr = TX_FIELD(word, SETRWC, rwc_cr), set = TX_FIELD(word, SETRWC, bit_mask);
  uint32_t clear = TX_FIELD(word, SETRWC, clear_ab_vld);
  if (set & SET_A) r->srca = r->srca_cr = (uint8_t)((a + (cr & CR_A ? r->srca_cr : 0u)) & TX_RWC_SRC_MASK);
  if (set & SET_B) r->srcb = r->srcb_cr = (uint8_t)((b + (cr & CR_B ? r->srcb_cr : 0u)) & TX_RWC_SRC_MASK);
  if ((set & SET_D) || (cr & C_TO_CR)) {
    uint32_t base = cr & C_TO_CR ? r->dst : cr & CR_D ? r->dst_cr : 0u;
    r->dst = r->dst_cr = (uint16_t)((d + base) & TX_RWC_DST_MASK);
  }
  if (set & SET_F) r->fidelity = 0;
  if (set & SET_SP)
    r->sp = (uint16_t)((d << 8 | b << 4 | a) & TX_RWC_DST_MASK); /* assembly.yaml only (docs/evidence/errata.md A20) */
  if (clear & 1u) tx_src_release(t, thread, TX_SRCA);
  if (clear & 2u) tx_src_release(t, thread, TX_SRCB);
}

static uint8_t increment_src(uint8_t counter, uint8_t *checkpoint, uint32_t by, bool from_checkpoint) {
  if (!from_checkpoint) return (uint8_t)((counter + by) & TX_RWC_SRC_MASK);
  *checkpoint = (uint8_t)((*checkpoint + by) & TX_RWC_SRC_MASK);
  return *checkpoint;
}

void tx_exec_INCRWC(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  struct tx_rwc *r = sim_keep(&t->rwc[thread]);
  uint32_t cr = TX_FIELD(word, INCRWC, rwc_cr), d = TX_FIELD(word, INCRWC, rwc_d);
  r->srca = increment_src(r->srca, &r->srca_cr, TX_FIELD(word, INCRWC, rwc_a), cr & CR_A);
  r->srcb = increment_src(r->srcb, &r->srcb_cr, TX_FIELD(word, INCRWC, rwc_b), cr & CR_B);
  if (cr & CR_D) r->dst = r->dst_cr = (uint16_t)((r->dst_cr + d) & TX_RWC_DST_MASK);
  else r->dst = (uint16_t)((r->dst + d) & TX_RWC_DST_MASK);
}
