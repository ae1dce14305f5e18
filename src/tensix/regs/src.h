/* SrcA and SrcB: two banks each of 64 rows x 16 columns x 19 bits, passed back and forth between unpackers and matrix unit.
 *
 *    18  17        8 7         0
 *   +---+-----------+-----------+
 *   | s | mantissa  | exponent  |      a datum as the hardware stores it
 *   +---+-----------+-----------+
 *
 * ISA: SrcASrcB.md. Implied formats are Blackhole's: recorded per bank when the unpacker hands it over. */
#ifndef TESSERA_TENSIX_SRC_H
#define TESSERA_TENSIX_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/assert.h"
#include "tensix/state/src.h"

struct tx_tile;

/* Writes one datum to all places of a bank. */
void tx_src_fill(struct tx_src_bank *bank, uint32_t datum);

static inline bool tx_src_matrix_owns(const struct tx_src *src, enum tx_src_which which) {
  sim_assert(src->matrix_bank[which] < 2);
  return src->bank[which][src->matrix_bank[which]].owner == TX_CLIENT_MATRIX;
}
static inline bool tx_src_unpack_owns(const struct tx_src *src, enum tx_src_which which) {
  sim_assert(src->unpack_bank[which] < 2);
  return src->bank[which][src->unpack_bank[which]].owner == TX_CLIENT_UNPACKERS;
}
/* Unpacker side: the bank goes to the matrix unit, its format is recorded, the unpacker's pointer flips. Reports a bank
 * that the unpackers do not own. For effect handlers: visible to the gates in this cycle. A body uses the second function:
 * visible in the next cycle. The effects are applied by the unpackers (unpack.h), whose jobs wait for a bank. */
void tx_src_hand_over(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format);
void tx_src_hand_over_next(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format);

/* Matrix side (clear_dvalid): back to the unpackers unless CLR_DVALID_Src?_Disable; the pointer flips in either case. Both
 * take effect in the next cycle; the second function has arguments for the time and for which of the two (CLEARDVALID). */
enum { TX_RELEASE_FLIP = 1, TX_RELEASE_GIVE = 2 };
void tx_src_release(struct tx_tile *t, unsigned thread, enum tx_src_which which);
void tx_src_release_after(struct tx_tile *t, enum tx_src_which which, uint32_t cycles, unsigned how);
unsigned tx_src_release_mode(const struct tx_tile *t, unsigned thread, enum tx_src_which which);
/* The release takes effect. `bank` is the bank that the matrix unit used. */
void tx_src_release_now(struct tx_tile *t, enum tx_src_which which, unsigned bank, unsigned how);

#endif
