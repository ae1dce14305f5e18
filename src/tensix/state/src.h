/* SrcA and SrcB. Plain data; the functions are in regs/src.h. */
#ifndef TESSERA_TENSIX_STATE_SRC_H
#define TESSERA_TENSIX_STATE_SRC_H

#include <stdint.h>

#include "sim/time.h"
#include "tensix/trail.h"

#define TX_SRC_ROWS 64u
#define TX_SRC_COLUMNS 16u

enum tx_src_which { TX_SRCA, TX_SRCB };
enum tx_client { TX_CLIENT_UNPACKERS, TX_CLIENT_MATRIX };

struct tx_src_bank {
  uint32_t datum[TX_SRC_ROWS][TX_SRC_COLUMNS];
  uint64_t version; /* counts writes by all agents: decoded copies are keyed by it */
  uint8_t owner;    /* enum tx_client; "dvalid" means owned by the matrix unit */
  uint8_t format;   /* implied format code */
  uint8_t filled;   /* a format was recorded since reset */
  uint8_t pad[5];
};

struct tx_src {
  struct tx_src_bank bank[2][2]; /* [SrcA, SrcB][bank] */
  uint8_t matrix_bank[2];        /* the bank of SrcA, SrcB that the matrix unit uses */
  uint8_t unpack_bank[2];        /* the bank that unpacker 0, 1 fills */
  uint8_t pad[4];
  struct tx_trail filled[2], released[2]; /* SrcA, SrcB: the last hand-over in each direction */
  sim_time clear_at[2]; /* 1 + cycle of the last UNPACR_NOP that cleared a bank of SrcA, SrcB: ZEROSRC_STEAL */
};

#endif
