/* The tile control, debug and status registers. Plain data; the functions are in tile/control.h. */
#ifndef TESSERA_TENSIX_STATE_CONTROL_H
#define TESSERA_TENSIX_STATE_CONTROL_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "sim/time.h"

#define TX_CONTROL_WORDS (TX_CONTROL_BYTES / 4u)
#define TX_PERF_GROUPS 5u /* INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU: the order of the output registers */

#define TX_SOFT_RESET_CORES 0x47800u /* BRISC 11, T0..T2 12..14, NCRISC 18 */

enum tx_control_register {
#define CONTROL(offset, name, kind) TX_CONTROL_##name = offset,
#include "chips/blackhole/control.def"
#undef CONTROL
};

/* Where timestamp events go: units of 16 bytes in L1. */
struct tx_timestamp_buffer {
  uint32_t position;
  uint8_t invalid, full, overflow, pad; /* invalid: CNTL has its bit clear */
};

/* What the performance counters of the model count. */
enum tx_perf_count {
  TX_PERF_ISSUED0,
  TX_PERF_ISSUED1,
  TX_PERF_ISSUED2,
  TX_PERF_STALLED0, /* cycles */
  TX_PERF_STALLED1,
  TX_PERF_STALLED2,
  TX_PERF_SRCA_VALID, /* cycles in which a thread waited for a bank, summed over the threads */
  TX_PERF_SRCB_VALID,
  TX_PERF_MATRIX, /* instructions */
  TX_PERF_VECTOR,
  TX_PERF_COUNTS
};

struct tx_perf_group {
  sim_time started_at; /* plus 1; 0: never started */
  sim_time stopped_at; /* plus 1; 0: counting */
  uint64_t at_start[TX_PERF_COUNTS], at_stop[TX_PERF_COUNTS];
};

struct tx_control {
  uint32_t word[TX_CONTROL_WORDS]; /* what is read back */
  uint32_t wall_high;              /* WALL_CLOCK_1_AT */
  struct tx_timestamp_buffer buffer[2];
  uint32_t event[4]; /* the timestamp event being put together */
  uint32_t event_position, event_bits;
  uint32_t timestamps_held; /* bit 31 of TIMESTAMP_DUMP_CNTL */
  struct tx_perf_group perf[TX_PERF_GROUPS];
  uint64_t accepted_at_hold[24]; /* per bit of SOFT_RESET_0: what the block had accepted when it was put into reset */
};

#endif
