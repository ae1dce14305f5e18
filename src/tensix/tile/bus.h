/* The tile's address map as cores and the scalar unit see it. A request has an issuer, an address and a size; the answer
 * says what happened: done, wait for an event, or a fault.
 *
 * Here now: L1, GPRs, backend configuration, TDMA-RISC, semaphores, TTSync, MOP configuration, instruction push, stream
 * registers. The rest of the map comes with the cores. ISA: BabyRISCV/README.md, MemoryOrdering.md and the pages of each
 * region. */
#ifndef TESSERA_TENSIX_BUS_H
#define TESSERA_TENSIX_BUS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine.h"

#define TX_ADDR_MOP_CFG 0xFFB80000u
#define TX_ADDR_GPR 0xFFE00000u
#define TX_ADDR_PUSH 0xFFE40000u
#define TX_ADDR_PC_BUF 0xFFE80000u
#define TX_ADDR_TTSYNC (TX_ADDR_PC_BUF + 4u)
#define TX_ADDR_MOPSYNC (TX_ADDR_PC_BUF + 8u)
#define TX_ADDR_SEMAPHORE (TX_ADDR_PC_BUF + 0x20u)
#define TX_ADDR_CONFIG 0xFFEF0000u
#define TX_ADDR_TDMA 0xFFB11000u

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

struct tx_tile;

/* 32-bit accesses by a core (agent TRISC0..2, BRISC, NCRISC). A store that is accepted takes effect when it is processed,
 * some cycles later; an instruction push is processed when it is in the FIFO. */
struct tx_bus_answer tx_bus_load(struct tx_tile *t, unsigned agent, uint32_t address);
struct tx_bus_answer tx_bus_store(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value);

/* The same with a size: 1, 2 or 4 bytes at a multiple of it. Loads give the bytes in the low bits, not extended. */
struct tx_bus_answer tx_bus_load_sized(struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes);
struct tx_bus_answer tx_bus_store_sized(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value, unsigned bytes);

/* Registers behind 0xFFB11000 and up as the coprocessor sees them (LOADREG, STOREREG, STOREIND): stream registers.
 * TDMA-RISC is not mapped for it on Blackhole. false: no such register, or it is not modelled. A write with byte_mask 0
 * changes nothing and only tells that. */
bool tx_mmio_read(struct tx_tile *t, unsigned thread, uint32_t address, uint32_t *value);
bool tx_mmio_write(struct tx_tile *t, unsigned thread, uint32_t address, uint32_t value, uint32_t byte_mask);

/* What an access by this core counts as for Auto TTSync: resources, 0 when it is not tracked. ISA: AutoTTSync.md */
uint32_t tx_bus_resources(const struct tx_tile *t, unsigned agent, uint32_t address);

const char *tx_bus_region_name(uint32_t address); /* "tile control and debug registers"; NULL outside the map */

void tx_effect_CORE_REQUEST(struct tx_tile *t, const struct sim_effect *e);

#endif
