/* The two unpackers. Plain data; the functions are in unit/unpack/unpack.h. */
#ifndef TESSERA_TENSIX_STATE_UNPACK_H
#define TESSERA_TENSIX_STATE_UNPACK_H

#include <stdint.h>

#include "sim/time.h"
#include "tensix/agents.h"
#include "tensix/num/format.h"

#define TX_UNPACK_JOBS 4u   /* job slots of an unpacker; the parameter unpack_queue gives the number in use */
#define TX_UNPACK_RANGES 3u /* ranges of L1: datums, datums after a wrap, exponents */

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
  TX_UNPACK_TILIZE = 8,       /* rows of L1 are row_stride apart */
  TX_UNPACK_TRANSPOSE = 16,   /* swap row and column within 16 rows of SrcA */
  TX_UNPACK_INTERLEAVE = 32,  /* upsampling skips positions instead of writing zeros */
  TX_UNPACK_BROADCAST = 64,   /* the row is written to eight rows of SrcB */
  TX_UNPACK_FORCE_EXP = 128,  /* one exponent for all */
  TX_UNPACK_BOTH_BANKS = 256, /* UNPACR_NOP: clear both */
  TX_UNPACK_WAIT_MATRIX = 512 /* UNPACR_NOP: waits for the matrix unit's bank instead of the unpacker's */
};

struct tx_unpack_job {
  sim_time ready_at; /* address phase over */
  /* time at which the last byte has left L1; SIM_NEVER: not started (waits for its bank or for the job before) */
  sim_time stream_end;
  sim_time done_at;
  uint32_t word, pc;
  uint8_t thread;
  uint8_t kind; /* enum tx_unpack_kind */
  uint16_t flags;
  struct num_unpack how;
  uint8_t forced_exponent;
  uint8_t upsample_zeros; /* positions skipped after each datum */
  uint8_t column_shift;
  uint32_t count;         /* datums to read from L1 */
  uint32_t write_max;     /* compressed: datums to write, UINT32_MAX: no bound */
  uint32_t drop;          /* compressed: datums skipped at the start */
  uint32_t data_bit;      /* address of the first datum, in bits */
  uint32_t exponent_16th; /* address of its exponent, in sixteenths of a byte */
  uint32_t delta_nibble;  /* compressed: address of its counter, in half bytes */
  uint32_t row_stride;    /* bytes */
  uint32_t row_datums;    /* datums read before stepping by row_stride */
  uint32_t limit, wrap;   /* bytes: an address above limit is reduced by wrap */
  uint32_t out;           /* output position: row * 16 + column, before unpacker 0 subtracts four rows */
  uint32_t row_base;      /* added to the row in a Src bank */
  uint32_t clear_value;   /* TX_UNPACK_CLEAR: the datum. TX_UNPACK_STREAM: the value */
  uint32_t address;       /* TX_UNPACK_STREAM: the register */
  uint32_t bytes;         /* to be fetched */
  uint32_t rate;          /* bytes per cycle */
  uint8_t format;         /* implied format to record */
  uint8_t range[TX_UNPACK_RANGES];
  uint8_t pad[4];
};

/* An UNPACR of whole rows that follow each other in L1, into a Src bank or Dst: what its word, thread and context and the configuration without the
 * base addresses decide. The next equal one uses it again, as does one with another set_dat_valid (unit/unpack/plan.h). */
struct tx_unpack_plan {
  uint64_t version;    /* writes to configuration for which this is valid, + 1; 0: none */
  uint64_t key;        /* word without set_dat_valid, thread, context */
  uint8_t adc;         /* set of counters of X and Y */
  uint8_t speed;       /* the rate is unpack_x1_bytes shifted by this; TX_UNPACK_WIDE: unpack_wide_bytes */
  uint8_t datum_bytes; /* in L1 */
  uint8_t out_shift;   /* bytes of a datum in the register file as a power of two */
  uint8_t align;       /* bits of the address in L1 that are 0: tilize, transpose */
  uint8_t burst;       /* bits of the first of several rows that are 0: SrcA */
  uint8_t adds_row;    /* the Src row is added */
  uint8_t ydim, zdim;  /* of the tile in L1 */
  uint8_t row_end;     /* rows of a Src bank that can be written */
  uint16_t xdim;
  uint16_t most;     /* datums */
  uint16_t own;      /* the context's output position */
  uint32_t out_mask; /* 0: only the context's output position is used; else all bits */
  uint32_t out_base;
  uint16_t y_stride, z_stride, w_stride;
  /* as in the job: */
  uint16_t flags; /* without TX_UNPACK_HAND_OVER */
  struct num_unpack how;
  uint8_t forced_exponent;
  uint8_t format;
  uint8_t less;  /* rows of the output position before the first of a Src bank */
  uint16_t base; /* word of Config that holds the base address, counted through both banks */
  uint8_t low;   /* bits of the output address that are 0 */
  uint8_t pad;
  uint32_t header; /* from the base address to the first datum, in 16-byte units */
  uint32_t row_stride, row_datums, limit;
};
#define TX_UNPACK_WIDE 0xffu

struct tx_unpack {
  struct tx_unpack_job job[2][TX_UNPACK_JOBS]; /* oldest first */
  uint8_t jobs[2];
  uint8_t inside[2][TX_THREADS];          /* jobs by issuing thread: C1, C2 */
  uint8_t context_counter[2][TX_THREADS]; /* 3 bits */
  uint8_t src_row[2][TX_THREADS];         /* SrcRow, 6 bits */
  uint8_t pad[4];
  sim_time stream_end[2];             /* of the newest job that has begun */
  sim_time drained_at[2][TX_THREADS]; /* time at which its last job completed */
  uint64_t datums[2], bytes[2], bank_wait_cycles[2];
};

#endif
