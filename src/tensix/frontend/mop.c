/* The MOP expander of mop.h: two generators that read the registers for each word. */
#include "tensix/frontend/mop.h"

#include "sim/assert.h"

enum { MASKED_A0, MASKED_A1, MASKED_A2, MASKED_A3, MASKED_B };           /* template 0: positions inside an iteration */
enum { LOOP_START, LOOP_BODY = TX_MOP_LOOP_BODY, LOOP_END0, LOOP_END1 }; /* template 1 */

/* Only the plain NOP matters, not DMANOP or SFPNOP. */
static bool is_nop(uint32_t word) { return (word >> 24) == TX_NOP; }

static uint32_t inner_count(const struct tx_mop *mop) {
  uint32_t inner = mop->cfg[1] & 127u;
  return is_nop(mop->cfg[6]) ? inner : 2 * inner;
}

static enum tx_mop_note start_loop(struct tx_mop *mop) {
  mop->step = LOOP_START;
  mop->inner_done = 0;
  mop->odd = 0;
  mop->outer_left = mop->cfg[0] & 127u;
  if (mop->outer_left == 1 && is_nop(mop->cfg[2]) && inner_count(mop) == 0 && !is_nop(mop->cfg[3])) {
    mop->outer_left += 128; /* a hardware bug */
    return TX_MOP_OUTER_129;
  }
  return (mop->word & 0x7fffffu) ? TX_MOP_LOW_BITS : TX_MOP_FINE;
}

static enum tx_mop_note start_masked(struct tx_mop *mop) {
  mop->step = MASKED_A0;
  mop->outer_left = TX_FIELD(mop->word, MOP, loop_count) + 1;
  sim_assert(mop->mask_hi <= 0xffffu && mop->outer_left <= 128);
  mop->mask = (mop->mask_hi << 16) | TX_FIELD(mop->word, MOP, zmask_lo16);
  return TX_MOP_FINE;
}

enum tx_mop_note tx_mop_start(struct tx_mop *mop, uint32_t word, uint32_t pc) {
  mop->active = 1;
  mop->word = word;
  mop->pc = pc;
  return TX_FIELD(word, MOP, mop_type) ? start_loop(mop) : start_masked(mop);
}

bool tx_mop_starts_well(const struct tx_mop *mop, uint32_t word) {
  return !TX_FIELD(word, MOP, mop_type) || (!(word & 0x7fffffu) && inner_count(mop));
}

static void end_masked_iteration(struct tx_mop *mop) {
  mop->step = MASKED_A0;
  mop->outer_left--;
  mop->mask >>= 1; /* after 32 iterations the mask is zero: no word is skipped */
}

bool tx_mop_masked_word(struct tx_mop *mop, uint32_t *word) {
  if (mop->outer_left && mop->step == MASKED_B && !(mop->cfg[1] & 1u)) end_masked_iteration(mop);
  const bool skip = mop->mask & 1u;
  if (!mop->outer_left) mop->active = 0;
  else if (mop->step == MASKED_A0) *word = skip ? mop->cfg[7] : mop->cfg[3];
  else if (mop->step < MASKED_B) *word = mop->cfg[3 + mop->step];
  else *word = skip ? mop->cfg[8] : mop->cfg[2];
  return mop->active;
}

void tx_mop_masked_skip(struct tx_mop *mop) {
  if (mop->step == MASKED_B) end_masked_iteration(mop);
  else if (mop->step == MASKED_A0) mop->step = (mop->mask & 1u) || !(mop->cfg[1] & 2u) ? MASKED_B : MASKED_A1;
  else mop->step++;
}

static bool next_masked(struct tx_mop *mop, uint32_t *word) {
  if (!tx_mop_masked_word(mop, word)) return false;
  tx_mop_masked_skip(mop);
  return true;
}

static uint32_t loop_body(struct tx_mop *mop, uint32_t inner) {
  sim_assert(mop->inner_done < inner && mop->odd <= 1 && mop->outer_left > 0);
  uint32_t word = mop->odd ? mop->cfg[6] : mop->cfg[5];
  if (mop->inner_done == inner - 1) word = mop->outer_left > 1 ? mop->cfg[8] : mop->cfg[7];
  mop->inner_done++;
  if (!is_nop(mop->cfg[6])) mop->odd ^= 1u;
  return word;
}

static bool next_loop(struct tx_mop *mop, uint32_t *word) {
  while (mop->outer_left) {
    switch (mop->step) {
      case LOOP_START:
        mop->step = LOOP_BODY;
        mop->inner_done = 0;
        if (is_nop(mop->cfg[2])) break;
        *word = mop->cfg[2];
        return true;
      case LOOP_BODY: {
        uint32_t inner = inner_count(mop);
        if (mop->inner_done < inner) {
          *word = loop_body(mop, inner);
          return true;
        }
        mop->step = LOOP_END0;
        break;
      }
      case LOOP_END0:
        mop->step = LOOP_END1;
        if (!is_nop(mop->cfg[3])) {
          *word = mop->cfg[3];
          return true;
        }
        mop->step = LOOP_START; /* without EndOp0 there is no EndOp1 */
        mop->outer_left--;
        break;
      default:
        mop->step = LOOP_START;
        mop->outer_left--;
        if (is_nop(mop->cfg[4])) break;
        *word = mop->cfg[4];
        return true;
    }
  }
  return false;
}

void tx_mop_loop_leave(struct tx_mop *mop, struct tx_mop_loop l) {
  const int32_t inner = l.last + 1;
  mop->step = LOOP_BODY;
  if (l.at == l.first) {
    mop->step = LOOP_START;
  } else if (l.at <= inner) {
    mop->inner_done = (uint32_t)l.at;
  } else {
    mop->inner_done = (uint32_t)inner;
    mop->step = l.at == inner + 1 ? LOOP_END1 : LOOP_START;
    if (mop->step == LOOP_START) mop->outer_left--;
  }
  mop->odd = mop->step == LOOP_BODY ? mop->inner_done & l.pairs : 0;
}

uint32_t tx_mop_left(const struct tx_mop *mop) {
  if (!mop->active || mop->outer_left == 0) return 0;
  if (!TX_FIELD(mop->word, MOP, mop_type)) return mop->outer_left - (mop->step != MASKED_A0);
  uint32_t inner = inner_count(mop), left = (mop->outer_left - 1) * inner;
  if (mop->step <= LOOP_BODY && inner > mop->inner_done) left += inner - (mop->step == LOOP_BODY ? mop->inner_done : 0);
  return left;
}

bool tx_mop_next_slowly(struct tx_mop *mop, uint32_t *word) {
  sim_assert(mop->active);
  bool more = TX_FIELD(mop->word, MOP, mop_type) ? next_loop(mop, word) : next_masked(mop, word);
  if (!more) mop->active = 0;
  return more;
}
