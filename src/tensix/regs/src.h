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

#include "sim/time.h"
#include "tensix/trail.h"

#define TX_SRC_ROWS 64u
#define TX_SRC_COLUMNS 16u

enum tx_src_which { TX_SRCA, TX_SRCB };
enum tx_client { TX_CLIENT_UNPACKERS, TX_CLIENT_MATRIX };

struct tx_src_bank {
  uint32_t datum[TX_SRC_ROWS][TX_SRC_COLUMNS];
  uint64_t version; /* counts writes, of whomever: decoded copies are kept by it */
  uint8_t owner;    /* enum tx_client; "dvalid" means owned by the matrix unit */
  uint8_t format;   /* implied format code */
  uint8_t filled;   /* a format was recorded since reset */
  uint8_t pad[5];
};

struct tx_src {
  struct tx_src_bank bank[2][2]; /* [SrcA, SrcB][bank] */
  uint8_t matrix_bank[2];        /* which bank of SrcA, SrcB the matrix unit looks at */
  uint8_t unpack_bank[2];        /* which bank unpacker 0, 1 fills */
  uint8_t pad[4];
  struct tx_trail filled[2], released[2]; /* SrcA, SrcB: the last hand-over in each direction */
  sim_time clear_at[2];                   /* 1 + cycle of the last UNPACR_NOP that cleared a bank of SrcA, SrcB: F.3 race */
};

struct tx_tile;
struct sim_effect;

bool tx_src_matrix_owns(const struct tx_src *src, enum tx_src_which which);
bool tx_src_unpack_owns(const struct tx_src *src, enum tx_src_which which);
/* Unpacker side: the bank goes to the matrix unit, its format is recorded, the unpacker's pointer flips. Diagnoses F.3.
 * For effect handlers: the gates see it in this cycle. A body uses the second one: they see it in the next. */
void tx_src_hand_over(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format);
void tx_src_hand_over_next(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format);

/* Matrix side (clear_dvalid): back to the unpackers unless CLR_DVALID_Src?_Disable; the pointer flips in either case. Both
 * happen in the next cycle; the second one says when, and which of the two (CLEARDVALID). */
enum { TX_RELEASE_FLIP = 1, TX_RELEASE_GIVE = 2 };
void tx_src_release(struct tx_tile *t, unsigned thread, enum tx_src_which which);
void tx_src_release_after(struct tx_tile *t, enum tx_src_which which, uint32_t cycles, unsigned how);
unsigned tx_src_release_mode(const struct tx_tile *t, unsigned thread, enum tx_src_which which);

void tx_effect_BANK_HAND_OVER(struct tx_tile *t, const struct sim_effect *e);
void tx_effect_BANK_RELEASE(struct tx_tile *t, const struct sim_effect *e);

#endif
