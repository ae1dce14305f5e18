/* Requests of the cores in progress. Plain data; the functions are in tile/bus.h. */
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

#define TX_BUS_PENDING_MAX 8u /* stores of a core to one region in flight; inferred: a store queue of four and the path */

/* The requests of a core in progress. */
struct tx_core_port {
  /* requests to GPRs, configuration or TDMA-RISC that are emitted and not yet processed (STALLWAIT C10) */
  uint32_t outstanding;
  uint32_t load_address;        /* of the waiting load, if load_since is not 0 */
  uint32_t pending[TX_REGIONS]; /* stores emitted and not yet processed */
  /* the last cycle in which a request was postponed: later ones to the region are postponed too */
  sim_time held_at[TX_REGIONS];
  uint64_t stores;     /* number of accepted stores: an indication of progress */
  sim_time load_since; /* 1 + the cycle of the waiting load's first request */
};

enum tx_bus_result {
  TX_BUS_DONE,
  TX_BUS_WAIT,     /* not accepted: `wait` is the reason, `channels` and `retry_at` the time to repeat the request */
  TX_BUS_FAULT,    /* recorded in the tile */
  TX_BUS_UNMAPPED, /* between a region and the bus: nothing is mapped there */
};

struct tx_bus_answer {
  enum tx_bus_result result;
  uint32_t value;  /* loads */
  uint32_t cycles; /* timing on: cycles until the value is available */
  uint64_t channels;
  sim_time retry_at; /* 0: only when signalled */
  struct sim_wait wait;
  uint32_t moves; /* 1: the value changes by itself (wall clock, counters): a core that polls it must not be parked */
};

#endif
