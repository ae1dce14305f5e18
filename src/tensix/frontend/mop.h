/* The MOP expander: turns one MOP word into a double loop or a masked sequence of up to 32,639 words, one per cycle.
 *
 * The nine registers are read during the expansion, not at its start: a store to one of them in the middle of an expansion changes
 * the remaining words, as in hardware. ISA: MOPExpander.md. */
#ifndef TESSERA_TENSIX_MOP_H
#define TESSERA_TENSIX_MOP_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/isa/isa.h"
#include "tensix/state/mop.h"

/* Findings at the start of a MOP. */
enum tx_mop_note { TX_MOP_FINE, TX_MOP_OUTER_129, TX_MOP_LOW_BITS };

enum tx_mop_note tx_mop_start(struct tx_mop *mop, uint32_t word, uint32_t pc);
/* A lower bound of the remaining words (with the present MopCfg): no word after the MOP moves for that many cycles. */
uint32_t tx_mop_left(const struct tx_mop *mop);
/* Are at least `words` left? Fast in the common case. */
static inline bool tx_mop_has(const struct tx_mop *mop, uint32_t words) {
  if ((mop->word >> 23 & 1u) && mop->outer_left > 1 && (mop->outer_left - 1) * (mop->cfg[1] & 127u) >= words) return true;
  return tx_mop_left(mop) >= words;
}
/* The next word of the expansion; false: there is none, and the expander becomes inactive. */
bool tx_mop_next_slowly(struct tx_mop *mop, uint32_t *word);
static inline bool tx_mop_next(struct tx_mop *mop, uint32_t *word) {
  bool in_loop = (mop->word >> 23 & 1u) && mop->step == TX_MOP_LOOP_BODY;
  if (!in_loop || mop->inner_done + 1 >= (mop->cfg[1] & 127u)) return tx_mop_next_slowly(mop, word);
  *word = mop->cfg[5 + mop->odd]; /* not the last of an inner loop */
  mop->inner_done++;
  mop->odd ^= (mop->cfg[6] >> 24) != TX_NOP;
  return true;
}

#endif
