/* The two unpackers: L1 to SrcA or Dst (unpacker 0), L1 to SrcB (unpacker 1).
 *
 *            address phase            waits for its bank         streams                 fills
 *   gate ---> 2 cycles, holds ------> in order, the thread ----> rate by mode and -----> hand-over, data
 *             thread and unit         goes on                    datum size              there, counters free
 *             job is decoded here     (STALLWAIT C1, C2 see it)
 *
 * An instruction becomes a job when it is accepted: configuration and address counters are read then, and the counters are
 * stepped. Jobs of one unpacker run in order. L1 is read and the bank or Dst is written when the job completes; the bank
 * changes hands in the same moment. Until then the job's ranges of L1 are listed as in flight.
 *
 * Follows UNPACR_Regular.md (the page shared by Wormhole and Blackhole), UNPACR_*.md, UNPACR_NOP_*.md, Unpackers/README.md;
 * the golden model decides where the page says it does not know Blackhole. Not modelled: the row start cache (data is always
 * fresh), L1 port contention, the rows of SrcA that unpacking to Dst clobbers. */
#ifndef TESSERA_TENSIX_UNPACK_H
#define TESSERA_TENSIX_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/num/format.h"
#include "sim/time.h"
#include "tensix/agents.h"

#define TX_UNPACK_JOBS 4u   /* places in an unpacker; the parameter unpack_queue says how many are used */
#define TX_UNPACK_RANGES 3u /* of L1: datums, datums after a wrap, exponents */

enum tx_unpack_kind {
  TX_UNPACK_NOTHING,   /* occupies the unpacker for a cycle */
  TX_UNPACK_DATUMS,    /* UNPACR */
  TX_UNPACK_CLEAR,     /* UNPACR_NOP: fill the bank with one datum */
  TX_UNPACK_SET_VALID, /* UNPACR_NOP: only hand the bank over */
  TX_UNPACK_STREAM,    /* UNPACR_NOP: write a register of the NoC overlay */
};

enum tx_unpack_flags {
  TX_UNPACK_HAND_OVER = 1,    /* set_dat_valid, Set_Dvalid */
  TX_UNPACK_ZERO = 2,         /* zero_write2 */
  TX_UNPACK_COMPRESSED = 4,   /* datums with counters of the zeros after them */
  TX_UNPACK_TILIZE = 8,       /* rows of L1 lie row_stride apart */
  TX_UNPACK_TRANSPOSE = 16,   /* swap row and column within 16 rows of SrcA */
  TX_UNPACK_INTERLEAVE = 32,  /* upsampling skips places instead of writing zeros */
  TX_UNPACK_BROADCAST = 64,   /* the row goes into eight rows of SrcB */
  TX_UNPACK_FORCE_EXP = 128,  /* one exponent for all */
  TX_UNPACK_BOTH_BANKS = 256, /* UNPACR_NOP: clear both */
  TX_UNPACK_WAIT_MATRIX = 512 /* UNPACR_NOP: waits for the matrix unit's bank instead of its own */
};

struct tx_unpack_job {
  sim_time ready_at;   /* address phase over */
  sim_time stream_end; /* last byte has left L1; SIM_NEVER: has not begun (waits for its bank or for the job before) */
  sim_time done_at;
  uint32_t word, pc;
  uint8_t thread;
  uint8_t kind; /* enum tx_unpack_kind */
  uint16_t flags;
  struct num_unpack how;
  uint8_t forced_exponent;
  uint8_t upsample_zeros; /* places after each datum */
  uint8_t column_shift;
  uint32_t count;         /* datums to read from L1 */
  uint32_t write_max;     /* compressed: datums to write, UINT32_MAX: no bound */
  uint32_t drop;          /* compressed: datums not written first */
  uint32_t data_bit;      /* address of the first datum, in bits */
  uint32_t exponent_16th; /* address of its exponent, in sixteenths of a byte */
  uint32_t delta_nibble;  /* compressed: address of its counter, in half bytes */
  uint32_t row_stride;    /* bytes */
  uint32_t row_datums;    /* datums read before stepping by row_stride */
  uint32_t limit, wrap;   /* bytes: an address above limit goes back by wrap */
  uint32_t out;           /* output place: row * 16 + column, before the four rows unpacker 0 takes off */
  uint32_t row_base;      /* added to the row in a Src bank */
  uint32_t clear_value;   /* TX_UNPACK_CLEAR: the datum. TX_UNPACK_STREAM: the value */
  uint32_t address;       /* TX_UNPACK_STREAM: the register */
  uint32_t bytes;         /* to be fetched */
  uint32_t rate;          /* bytes a cycle */
  uint8_t format;         /* implied format to record */
  uint8_t range[TX_UNPACK_RANGES];
  uint8_t pad[4];
};

struct tx_unpack {
  struct tx_unpack_job job[2][TX_UNPACK_JOBS]; /* oldest first */
  uint8_t jobs[2];
  uint8_t inside[2][TX_THREADS];          /* jobs by issuing thread: C1, C2 */
  uint8_t context_counter[2][TX_THREADS]; /* 3 bits */
  uint8_t src_row[2][TX_THREADS];         /* SrcRow, 6 bits */
  uint8_t pad[4];
  sim_time stream_end[2];             /* of the newest job that has begun */
  sim_time drained_at[2][TX_THREADS]; /* when its last job completed */
  uint64_t datums[2], bytes[2], bank_wait_cycles[2];
};

struct tx_tile;
struct sim_effect;

/* UNPACR's fields, configuration and counters become a job; steps the address counters. false: a fault was recorded. */
bool tx_unpack_decode(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_unpack_job *job, unsigned *context);
/* Moves the job's datums. */
void tx_unpack_move(struct tx_tile *t, unsigned unpacker, const struct tx_unpack_job *job);
/* An owner or pointer of a Src bank changed: a waiting job may begin. */
void tx_unpack_banks_changed(struct tx_tile *t);
/* SETC16 wrote UNPACK_MISC_CFG: resets or steps context counters. */
void tx_unpack_misc_written(struct tx_tile *t, unsigned thread, uint32_t value);
/* The job of an unpacker that waits for a bank, for the hang report; NULL when none does. */
const struct tx_unpack_job *tx_unpack_waiting(const struct tx_tile *t, unsigned unpacker);
void tx_effect_UNPACK_DONE(struct tx_tile *t, const struct sim_effect *e);

#endif
