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
  if (mop->word >> 23 & 1u) {
    const uint32_t inner = (mop->cfg[1] & 127u) << (mop->cfg[6] >> 24 != TX_NOP);
    if (mop->outer_left > 1 && (mop->outer_left - 1) * inner >= words) return true;
    if (mop->outer_left && mop->step == TX_MOP_LOOP_BODY && mop->inner_done + words <= inner) return true;
  }
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

/* --- timing off: several words without an exact state between them (turn.c) --- */

/* Template 1 as places in its outer iteration: -1 the start op, then the loop ops, then up to two end ops. */
struct tx_mop_loop {
  uint32_t pairs;              /* 1: the loop ops alternate */
  int32_t first, last, behind; /* the first place; that of the last loop op; the place after all */
  int32_t at;                  /* of the next word */
};

/* false: registers that changed during the expansion, or no loop ops: use tx_mop_next. */
static inline bool tx_mop_loop_enter(const struct tx_mop *mop, struct tx_mop_loop *l) {
  l->pairs = mop->cfg[6] >> 24 != TX_NOP;
  l->last = (int32_t)((mop->cfg[1] & 127u) << l->pairs) - 1;
  l->first = mop->cfg[2] >> 24 == TX_NOP ? 0 : -1;
  l->behind = l->last + 1;
  if (mop->cfg[3] >> 24 != TX_NOP) l->behind += 1 + (mop->cfg[4] >> 24 != TX_NOP);
  if (mop->step == TX_MOP_LOOP_BODY) l->at = (int32_t)mop->inner_done;
  else l->at = mop->step < TX_MOP_LOOP_BODY ? l->first : l->last + 2;
  const uint32_t odd = mop->step == TX_MOP_LOOP_BODY ? mop->inner_done & l->pairs : 0;
  return l->last >= 0 && l->at <= l->behind && mop->inner_done <= (uint32_t)l->last + 1 && mop->odd == odd &&
         mop->outer_left;
}
/* After the last place: the next iteration. false: there is none, and the expander becomes inactive. */
static inline bool tx_mop_loop_again(struct tx_mop *mop, struct tx_mop_loop *l) {
  l->at = l->first;
  if (--mop->outer_left) return true;
  mop->inner_done = (uint32_t)l->last + 1;
  mop->active = mop->step = mop->odd = 0;
  return false;
}
/* The word at this place. */
static inline uint32_t tx_mop_loop_word(const struct tx_mop *mop, const struct tx_mop_loop *l) {
  if ((uint32_t)l->at < (uint32_t)l->last) return mop->cfg[5 + ((uint32_t)l->at & l->pairs)];
  if (l->at == l->last) return mop->cfg[mop->outer_left > 1 ? 8 : 7];
  return mop->cfg[l->at < 0 ? 2 : 2 + l->at - l->last];
}
/* The state after the words before this place, as tx_mop_next leaves it. */
void tx_mop_loop_leave(struct tx_mop *mop, struct tx_mop_loop l);

/* Template 0: the next word, which tx_mop_masked_skip consumes; false: there is none, and the expander becomes inactive. */
bool tx_mop_masked_word(struct tx_mop *mop, uint32_t *word);
void tx_mop_masked_skip(struct tx_mop *mop);
/* Does this MOP start without a finding? */
bool tx_mop_starts_well(const struct tx_mop *mop, uint32_t word);

#endif
