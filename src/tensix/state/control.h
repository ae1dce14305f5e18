/* The tile control, debug and status registers. Plain data; the functions are in tile/control.h. */
#ifndef TESSERA_TENSIX_STATE_CONTROL_H
#define TESSERA_TENSIX_STATE_CONTROL_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "sim/time.h"

#define TX_CONTROL_WORDS (TX_CONTROL_BYTES / 4u)

enum tx_control_register {
#define CONTROL(offset, name, kind) TX_CONTROL_##name = offset,
#include "chips/blackhole/control.def"
#undef CONTROL
};

/* Destination of timestamp events: units of 16 bytes in L1. */
struct tx_timestamp_buffer {
  uint32_t position;
  uint8_t invalid, full, overflow, pad; /* invalid: CNTL has its bit clear */
};

struct tx_control {
  uint32_t word[TX_CONTROL_WORDS]; /* values that are read back */
  uint32_t wall_high;              /* WALL_CLOCK_1_AT */
  struct tx_timestamp_buffer buffer[2];
  uint32_t event[4]; /* the timestamp event being put together */
  uint32_t event_position, event_bits;
  uint32_t timestamps_held; /* bit 31 of TIMESTAMP_DUMP_CNTL */
  sim_time watchdog_since;  /* time at which WATCHDOG_TIMER was written */
  /* per bit of SOFT_RESET_0: the number of accepted instructions when the block was put into reset */
  uint64_t accepted_at_hold[24];
};

#endif
