/* The performance counters of a tile. Plain data; the functions are in tile/perf.h. */
#ifndef TESSERA_TENSIX_STATE_PERF_H
#define TESSERA_TENSIX_STATE_PERF_H

#include <stdint.h>

#include "sim/time.h"
#include "tensix/agents.h"
#include "tensix/state/unpack.h"

#define TX_PERF_GROUPS 5u /* INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU: the order of the output registers */

/* The counted signals. A name that ends in 0 represents three, one per thread, unless a range follows. A counter of
 * perf.def shows one of these. */
#define TX_PERF_PER_THREAD(name) name##0, name##1, name##2
enum tx_perf_signal {
  TX_PERF_NO_SIGNAL,
  TX_PERF_CONSTANT_0,
  TX_PERF_PER_THREAD(TX_PERF_ISSUED),
  /* cycles in which a word of this class was at the gate's head, including the cycle in which it passed */
  TX_PERF_PER_THREAD(TX_PERF_CFG_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_SYNC_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_THCON_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_MOVE_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_FPU_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_UNPACK_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_PACK_HEAD),
  TX_PERF_PER_THREAD(TX_PERF_STALLED), /* the head did not pass */
  TX_PERF_ANY_STALLED,
  TX_PERF_SRCA_CLEAR, /* a thread or an unpacker waits for a bank that the matrix unit owns */
  TX_PERF_SRCB_CLEAR,
  TX_PERF_SRCA_VALID, /* a thread waits for a bank that the unpackers own */
  TX_PERF_SRCB_VALID,
  /* the unit holds an instruction of this thread: the condition of STALLWAIT */
  TX_PERF_PER_THREAD(TX_PERF_THCON_BUSY),
  TX_PERF_PER_THREAD(TX_PERF_UNPACK_BUSY),
  TX_PERF_PER_THREAD(TX_PERF_PACK_BUSY),
  TX_PERF_PER_THREAD(TX_PERF_MATH_BUSY),
  TX_PERF_PER_THREAD(TX_PERF_SEM_ZERO), /* the latched SEMWAIT waits for a semaphore that is zero */
  TX_PERF_PER_THREAD(TX_PERF_SEM_FULL),
  TX_PERF_PER_THREAD(TX_PERF_MOVE_BUSY),
  TX_PERF_PER_THREAD(TX_PERF_MMIO_BUSY),
  TX_PERF_PER_THREAD(TX_PERF_SFPU_BUSY),
  TX_PERF_FPU, /* the unit executes an instruction */
  TX_PERF_SFPU,
  TX_PERF_FPU_OR_SFPU,
  TX_PERF_MATH_AVAILABLE,     /* a word of the matrix unit is in it, or waits only for the unit and its operands */
  TX_PERF_MATH_SOURCE_READY,  /* ... and its banks are ready */
  TX_PERF_MATH_NO_HAZARD,     /* ... and no move from Dst to Src blocks it */
  TX_PERF_MATH_NO_SCOREBOARD, /* ... and no write to its rows of Dst is in progress */
  TX_PERF_MATH_STARTED,
  TX_PERF_MATH_PHASE_1, /* instructions of fidelity phase 0 */
  TX_PERF_MATH_PHASE_2, /* 1 */
  TX_PERF_MATH_PHASE_4, /* 2, 3 */
  TX_PERF_SRCA_WANTED,  /* an unpacker has datums for the bank */
  TX_PERF_SRCB_WANTED,
  TX_PERF_SRCA_WRITTEN, /* they are written to the bank */
  TX_PERF_SRCB_WRITTEN,
  TX_PERF_SRCA_WRITTEN_0, /* ... by a job of thread 0, 1 */
  TX_PERF_SRCA_WRITTEN_1,
  TX_PERF_SRCB_WRITTEN_0,
  TX_PERF_SRCB_WRITTEN_1,
  TX_PERF_UNPACK0_THREAD0, /* the unpacker has a job of this thread */
  TX_PERF_UNPACK0_THREAD1,
  TX_PERF_UNPACK1_THREAD0,
  TX_PERF_UNPACK1_THREAD1,
  TX_PERF_PACKER, /* the packer has an instruction inside */
  TX_PERF_DST_READ,
  TX_PERF_L1_UNPACKER, /* cycles with a request at the port; _GRANTED: requests granted */
  TX_PERF_L1_UNPACKER_GRANTED,
  TX_PERF_L1_PACKER,
  TX_PERF_L1_PACKER_GRANTED,
  TX_PERF_L1_PORT_2,
  TX_PERF_L1_PORT_2_GRANTED,
  TX_PERF_L1_PORT_3,
  TX_PERF_L1_PORT_3_GRANTED,
  TX_PERF_NOC0_OUT, /* flits of 64 bytes between L1 and the NIU */
  TX_PERF_NOC0_IN,
  TX_PERF_NOC1_OUT,
  TX_PERF_NOC1_IN,
  TX_PERF_SIGNALS
};
#define TX_PERF_MASKS ((TX_PERF_SIGNALS + 63u) / 64u)

struct tx_perf_span {
  sim_time from, until;
};

/* Signals whose end is known in advance. */
enum tx_perf_span_name {
  TX_PERF_SPAN_THCON, /* three, one per thread */
  TX_PERF_SPAN_PACK = TX_PERF_SPAN_THCON + 3,
  TX_PERF_SPAN_MATH = TX_PERF_SPAN_PACK + 3,
  TX_PERF_SPAN_SFPU = TX_PERF_SPAN_MATH + 3,
  TX_PERF_SPAN_PACKER = TX_PERF_SPAN_SFPU + 3,
  TX_PERF_SPAN_DST_READ,
  TX_PERF_SPAN_FPU_RUNS,
  TX_PERF_SPAN_SFPU_RUNS,
  TX_PERF_SPAN_MATH_INSIDE, /* accepted, until it starts */
  TX_PERF_SPAN_MATH_HELD,   /* accepted, and blocked by the scoreboard */
  TX_PERF_SPANS
};

enum { TX_PERF_READS_L1 = 1, TX_PERF_WRITES_SRC = 2 };
struct tx_perf_job {
  struct tx_perf_span streams;
  uint32_t thread, flags;
};

struct tx_perf_group {
  uint32_t started; /* 0: never */
  uint32_t mode;    /* at the start */
  uint32_t mux;     /* PERF_CNT_MUX_CTRL[6:4] at the start */
  uint32_t pad;
  sim_time started_at,
      stopped_at; /* counts the cycles from the first and before the second; SIM_NEVER: until it is stopped */
  uint32_t base[TX_PERF_SIGNALS]; /* while counting: the sums at its start; afterwards: its counts */
};

struct tx_perf {
  uint32_t counting;             /* bit per group */
  uint32_t sum[TX_PERF_SIGNALS]; /* up to sampled_at */
  uint32_t noc_seen[4];          /* flits: NOC0_OUT .. NOC1_IN as of sampled_at */
  uint32_t pad;
  sim_time sampled_at;           /* the following is valid from this cycle on */
  uint64_t pulse[TX_PERF_MASKS]; /* signals that are high in this cycle only */
  uint64_t first[TX_PERF_MASKS]; /* ... in this cycle */
  uint64_t rest[TX_PERF_MASKS];  /* ... and after it */
  struct tx_perf_span span[TX_PERF_SPANS];
  struct tx_perf_job job[2][TX_UNPACK_JOBS];
  struct tx_perf_span wait[2]; /* an unpacker waits for its bank */
  struct tx_perf_group group[TX_PERF_GROUPS];
};

#endif
