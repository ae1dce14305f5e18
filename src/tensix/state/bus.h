/* Requests of the cores under way. Plain data; the functions are in tile/bus.h. */
#ifndef TESSERA_TENSIX_STATE_BUS_H
#define TESSERA_TENSIX_STATE_BUS_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "sim/engine.h"

/* Memory regions: requests of one core to one region are processed in the order in which they were emitted; between regions
 * there is no order. */
enum tx_bus_region {
  TX_REGION_L1,
  TX_REGION_GPR,
  TX_REGION_CONFIG,
  TX_REGION_TDMA,
  TX_REGION_SYNC,
  TX_REGION_MMIO,    /* stream registers */
  TX_REGION_CONTROL, /* tile control, PIC, pc snapshots */
  TX_REGION_NOC,
  TX_REGION_LOCAL, /* slow path to local RAMs */
  TX_REGION_MAILBOX,
  TX_REGION_PCBUF,
  TX_REGION_DST,
  TX_REGIONS
};

/* A core's requests under way. */
struct tx_core_port {
  uint32_t outstanding;         /* to GPRs, configuration or TDMA-RISC, emitted and not yet processed (STALLWAIT C10) */
  uint32_t load_address;        /* of the load that waits, when load_since is not 0 */
  uint32_t pending[TX_REGIONS]; /* stores emitted and not yet processed */
  sim_time held_at[TX_REGIONS]; /* the cycle in which a request was last put off: later ones to the region are put off too */
  uint64_t stores;              /* accepted, ever: how a run sees that a core makes progress */
  sim_time load_since;          /* when the load that waits was first asked for, plus 1 */
};

enum tx_bus_result {
  TX_BUS_DONE,
  TX_BUS_WAIT,  /* not now: `wait` says on what, `channels` and `retry_at` when to ask again */
  TX_BUS_FAULT, /* recorded in the tile */
};

struct tx_bus_answer {
  enum tx_bus_result result;
  uint32_t value;  /* loads */
  uint32_t cycles; /* timing on: when the value is there, counted from now */
  uint64_t channels;
  sim_time retry_at; /* 0: only when signalled */
  struct sim_wait wait;
  uint32_t moves; /* 1: the value changes by itself (wall clock, counters): a core that polls it must not be parked */
};

#endif
