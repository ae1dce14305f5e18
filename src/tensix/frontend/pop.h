/* The gate consumes the head of FIFO 3 and the stages move, in one function without calls: for words in the middle of a plain stream or of
 * a MOP. Everything else is in frontend.c. */
#ifndef TESSERA_TENSIX_FRONTEND_POP_H
#define TESSERA_TENSIX_FRONTEND_POP_H

#include "tensix/frontend/fifo.h"
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"

#define TX_POP_INLINE static inline __attribute__((always_inline))

/* tx_mop_has by fast tests. */
static inline bool tx_frontend_expands_on(const struct tx_mop *mop, uint32_t words) {
  const uint32_t inner = mop->cfg[1] & 127u;
  if (mop->outer_left > 1) return ((mop->outer_left - 1) * inner << (mop->cfg[6] >> 24 != TX_NOP)) >= words;
  return mop->step == TX_MOP_LOOP_BODY && mop->inner_done + 1 < inner;
}

/* Only the expander is active. Does a word of it follow the one that leaves FIFO 3? */
static inline bool tx_frontend_refills(const struct tx_tile *t, const struct tx_frontend *fe) {
  const struct tx_fifo *fifo2 = &fe->fifo2, *fifo3 = &fe->fifo3;
  if (fifo2->count > t->params.fifo2_capacity || !tx_mop_goes_on(&fe->mop)) return false;
  if (fifo2->count && fifo2->slot[fifo2->head].word >> 24 == TX_REPLAY) return false;
  return !(fifo3->slot[fifo3->head].flags >> TX_SYNC_ENTRY_SHIFT);
}

/* In the middle of an expansion FIFO 2 and FIFO 3 keep their lengths, and no agent waits for what the gate consumes (note_taken). */
static inline bool tx_frontend_frees_none(const struct tx_tile *t, unsigned thread, const struct tx_frontend *fe) {
  const uint32_t words = fe->fifo2.count < t->params.fifo2_capacity ? 2 : 1;
  if (!tx_frontend_expands_on(&fe->mop, words) && !tx_mop_has(&fe->mop, words)) return false;
  return !tx_frontend_may_record(fe) && !tx_frontend_others_wait(t, thread);
}

/* tx_frontend_pop and step_expanding in that case. */
static inline void tx_frontend_pop_and_refill(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  struct tx_fifo *fifo2 = &fe->fifo2, *fifo3 = &fe->fifo3;
  uint32_t word;
  if (!tx_frontend_frees_none(t, thread, fe)) tx_frontend_signal_taken(t, thread, false, false);
  if (tx_fifo_head(fifo3)->flags & TX_WORD_PLAIN) fe->plain_behind--;
  tx_fifo_pop(fifo3);
  if (fifo2->count) tx_fifo_move(fifo2, fifo3);
  const bool more = tx_mop_next(&fe->mop, &word);
  tx_assert(more);
  (void)more;
  fe->expanded++;
  tx_fifo_push(fifo2, word, fe->mop.pc, fe->mop.entry << TX_SYNC_ENTRY_SHIFT);
  const bool full = fifo2->count >= t->params.fifo2_capacity && fifo3->count >= t->params.fifo3_capacity;
  fe->moving = !full || tx_fifo_head(fifo2)->word >> 24 == TX_REPLAY ? TX_MOVING : 0;
  fe->stepped++;
}

/* tx_frontend_pop and step_plain for a plain stream. false: no change; the general path has to do it. */
TX_POP_INLINE bool tx_frontend_pop_and_step_plain(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  struct tx_fifo *fifo1 = &fe->fifo1, *fifo2 = &fe->fifo2, *fifo3 = &fe->fifo3;
  const sim_time now = t->engine.now;
  const uint32_t flags = tx_fifo_head(fifo3)->flags;
  const bool from2 = fifo2->count, from1 = fifo1->count && fe->pushed_at[fifo1->head] < now;
  if (flags >> TX_SYNC_ENTRY_SHIFT || fifo3->count > t->params.fifo3_capacity) return false;
  if (from2 && tx_is_frontend_opcode(tx_fifo_head(fifo2)->word)) return false;
  if (from1 && tx_is_frontend_opcode(tx_fifo_head(fifo1)->word)) return false;
  fe->plain_behind -= flags & TX_WORD_PLAIN;
  tx_fifo_pop(fifo3);
  const bool idle = !from2 && !fifo3->count && tx_frontend_empty(t, thread); /* as in note_taken */
  if (from2) tx_fifo_move(fifo2, fifo3);
  const bool frees = from1 && fifo2->count < t->params.fifo2_capacity && fe->plain_behind < t->params.plain_behind_max;
  fe->moving = from2 ? TX_MOVING : fifo1->count ? TX_MOVING_LATER : 0;
  if (from1) {
    if (frees) {
      tx_fifo_head(fifo1)->flags &= ~TX_WORD_QUEUED;
      tx_fifo_move(fifo1, fifo2);
      fe->plain_behind++;
      if (fifo1->count <= t->params.fifo1_accept_max) fe->refusing = 0;
      fe->moving = TX_MOVING;
    } else if (!from2) {
      fe->moving = 0;
    }
  }
  fe->stepped = now;
  tx_frontend_signal_taken(t, thread, idle, frees);
  return true;
}

/* tx_frontend_pop; in the common case it also steps the stages for this cycle. */
TX_POP_INLINE void tx_frontend_pop_and_step(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  if (fe->stepped == t->engine.now - 1 && !(fe->replay.playing | fe->replay.loading | fe->brisc_count | fe->mop.dead)) {
    if (!fe->mop.active) {
      if (tx_frontend_pop_and_step_plain(t, thread, fe)) return;
    } else if (tx_frontend_refills(t, fe)) {
      tx_frontend_pop_and_refill(t, thread, fe);
      return;
    }
  }
  tx_frontend_pop_and_step_slowly(t, thread);
}

#endif
