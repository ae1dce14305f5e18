/* Tile control, debug and status registers, 0xFFB12000: soft reset, reset vectors, wall clock, timestamps, performance counters.
 *
 * Cores are held by SOFT_RESET_0 after power-on and start, when their bit is cleared, from their reset vector. The other bits of
 * SOFT_RESET_0 reset coprocessor blocks: what happens on entering and leaving is modelled for those that only set state; a block that
 * is given work while it is held, or that is reset while it works, faults. Bits 15 to 17 and 19 to 22 act when they are set; that
 * writes to those registers are lost while they stay set is not modelled.
 *
 * ISA: SoftReset.md (Blackhole), DebugTimestamper.md, TileControlDebugStatus.md (Wormhole pages, the same on Blackhole). No page
 * describes the performance counters: their registers follow the vendor's counters.h, and a selection that the model does not count
 * faults when it is read. The cores' debug interface is in core_debug.h. Not modelled, and refused: the debug daisychain, the debug array
 * port, the watchdog. */
#ifndef TESSERA_TENSIX_CONTROL_H
#define TESSERA_TENSIX_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

#define TX_ADDR_CONTROL 0xFFB12000u
#define TX_CONTROL_BYTES 0x24Cu
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

struct tx_tile;

/* Power-on: all cores held. */
void tx_control_reset(struct tx_tile *t);
/* Aligned 32-bit accesses by anybody; `address` in the region. false: a fault is recorded. */
bool tx_control_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_control_write(struct tx_tile *t, uint32_t address, uint32_t value);
bool tx_control_exists(uint32_t address);
bool tx_control_moves(uint32_t address);       /* reads differ without a write: wall clock, counters */
const char *tx_control_name(uint32_t address); /* "SOFT_RESET_0"; NULL when there is no such register */
uint32_t tx_control_reset_pc(const struct tx_tile *t, unsigned core); /* core: T0, T1, T2, BRISC, NCRISC */

/* The parts of the region that have a file of their own. */
void tx_perf_write(struct tx_tile *t, uint32_t offset, uint32_t value);
bool tx_perf_read(struct tx_tile *t, uint32_t offset, uint32_t *value);
uint32_t tx_wall_clock_read(struct tx_tile *t, uint32_t offset);
void tx_timestamp_write(struct tx_tile *t, uint32_t offset, uint32_t value);
uint32_t tx_timestamp_read(const struct tx_tile *t, uint32_t offset);

static inline unsigned tx_control_reset_bit(unsigned core) { return core < 3 ? 12 + core : core == 3 ? 11 : 18; }

#endif
