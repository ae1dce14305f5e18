/* Ownership of the banks of SrcA and SrcB. Follows SrcASrcB.md, MVMUL.md (release), UNPACR.md and SETDVALID.md (hand-over). */
#include "tensix/regs/src.h"

#include <string.h>

#include "tensix/machine.h"

static const char *const src_names[] = {"SrcA", "SrcB"};

void tx_src_fill(struct tx_src_bank *bank, uint32_t datum) {
  if (!datum) memset(bank->datum, 0, sizeof bank->datum);
  for (unsigned c = 0; datum && c < TX_SRC_COLUMNS; c++) bank->datum[0][c] = datum;
  for (unsigned rows = 1; datum && rows < TX_SRC_ROWS; rows *= 2)
    memcpy(bank->datum[rows], bank->datum[0], rows * sizeof bank->datum[0]);
  bank->version++;
}

/* Effects precede the requests of a cycle: a waiting agent sees the new owner in the same cycle. */
static void wake_waiters(struct tx_tile *t) { sim_signal(&t->engine, TX_CH(TX_CH_BANK), tx_now(t)); }

void tx_src_hand_over(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format) {
  unsigned bank_index = t->src.unpack_bank[which];
  struct tx_src_bank *bank = &t->src.bank[which][bank_index];
  tx_assert(which <= TX_SRCB && bank_index < 2 && bank->owner <= TX_CLIENT_MATRIX);
  if (bank->owner == TX_CLIENT_MATRIX) tx_diag(t, TX_DIAG_BANK_SET_VALID, "%s bank %u", src_names[which], bank_index);
  bank->owner = TX_CLIENT_MATRIX;
  if (record_format) {
    bank->format = (uint8_t)(format & 15u);
    bank->filled = 1;
  }
  t->src.unpack_bank[which] ^= 1u;
  t->src.filled[which] = tx_trail_now(t);
  tx_emit(t, TX_EVENT_BANK, t->current.agent, which, bank_index, TX_CLIENT_MATRIX);
  wake_waiters(t);
}

void tx_src_hand_over_next(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format) {
  uint32_t w[SIM_EFFECT_WORDS] = {which, format, record_format};
  tx_later(t, 1, TX_EFFECT_BANK_HAND_OVER, w);
}

void tx_src_release_after(struct tx_tile *t, enum tx_src_which which, uint32_t cycles, unsigned how) {
  unsigned bank_index = t->src.matrix_bank[which];
  tx_assert(which <= TX_SRCB && bank_index < 2 && how <= (TX_RELEASE_FLIP | TX_RELEASE_GIVE));
  if ((how & TX_RELEASE_GIVE) && t->src.bank[which][bank_index].owner != TX_CLIENT_MATRIX)
    tx_diag_after(t, TX_DIAG_BANK_RELEASE_INVALID, &t->src.released[which], "%s bank %u", src_names[which], bank_index);
  uint32_t w[SIM_EFFECT_WORDS] = {which, bank_index, how};
  tx_later(t, cycles, TX_EFFECT_BANK_RELEASE, w);
}

void tx_src_release_now(struct tx_tile *t, enum tx_src_which which, unsigned bank, unsigned how) {
  tx_assert(which <= TX_SRCB && bank < 2 && t->engine.in_effects);
  if (how & TX_RELEASE_GIVE) {
    t->src.bank[which][bank].owner = TX_CLIENT_UNPACKERS;
    t->src.released[which] = tx_trail_now(t);
    tx_emit(t, TX_EVENT_BANK, t->current.agent, which, bank, TX_CLIENT_UNPACKERS);
  }
  if (how & TX_RELEASE_FLIP) t->src.matrix_bank[which] ^= 1u;
  wake_waiters(t);
}

/* ISA: MVMUL.md, "Possibly flip source banks": with CLR_DVALID_Src?_Disable the bank is kept and the pointer still flips. */
unsigned tx_src_release_mode(const struct tx_tile *t, unsigned thread, enum tx_src_which which) {
  bool keep = which == TX_SRCA ? TX_THREAD_CFG_GET(t, thread, CLR_DVALID_SrcA_Disable)
                               : TX_THREAD_CFG_GET(t, thread, CLR_DVALID_SrcB_Disable);
  return keep ? TX_RELEASE_FLIP : TX_RELEASE_FLIP | TX_RELEASE_GIVE;
}

void tx_src_release(struct tx_tile *t, unsigned thread, enum tx_src_which which) {
  tx_src_release_after(t, which, 1, tx_src_release_mode(t, thread, which));
}
