/* Shared by the regions of the address map: a request, its answers, and the path of a store to its target. For bus.c and the
 * files of the regions; all others use bus.h. */
#ifndef TESSERA_TENSIX_BUS_REGION_H
#define TESSERA_TENSIX_BUS_REGION_H

#include "tensix/machine.h"

/* A request of a core. Values are those of the addressed bytes, in the low bits. */
struct tx_request {
  unsigned agent;
  uint32_t address, value;
  uint32_t bytes; /* 1, 2 or 4; the address is a multiple of it */
  bool store;
  uint32_t resources; /* resources of Auto TTSync that it uses (tx_autosync_resources) */
};

typedef struct tx_bus_answer tx_region_fn(struct tx_tile *t, const struct tx_request *r);
/* A store has arrived. false: not accepted now; the function has called tx_bus_again. */
typedef bool tx_arrive_fn(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e);

struct tx_bus_row {
  uint32_t first, last;
  const char *name;
  uint8_t region;     /* enum tx_bus_region: defines order and latency */
  uint8_t cores;      /* bit per core that can access it: T0, T1, T2, BRISC, NCRISC */
  uint8_t load_bytes; /* sizes allowed, as a sum of 1, 2, 4 */
  uint8_t store_bytes;
  tx_region_fn *access; /* loads and stores at emission */
  tx_arrive_fn *arrive; /* stores that tx_bus_emit sent */
};

static inline bool tx_is_trisc(unsigned agent) { return agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_TRISC2; }
static inline unsigned tx_core_of(unsigned agent) { return agent - TX_AGENT_TRISC0; }

static inline struct tx_core_port *tx_bus_port(struct tx_tile *t, unsigned agent) {
  tx_assert(tx_core_of(agent) < TX_CORES);
  return &t->port[tx_core_of(agent)];
}

static inline void tx_to_bytes(uint32_t value, uint8_t raw[4]) {
  for (unsigned i = 0; i < 4; i++) raw[i] = (uint8_t)(value >> (8 * i));
}

static inline uint32_t tx_from_bytes(const uint8_t *raw, unsigned bytes) {
  uint32_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value |= (uint32_t)raw[i] << (8 * i);
  return value;
}

struct tx_bus_answer tx_bus_done(uint32_t value, uint32_t cycles);
struct tx_bus_answer tx_bus_wait(uint64_t channels, sim_time retry_at, uint32_t kind, uint32_t object);
/* Faults that name core, pc, address and size. */
struct tx_bus_answer tx_bus_refuse(struct tx_tile *t, const struct tx_request *r, enum sim_fault_kind kind,
                                   const char *document, const char *why);
/* No such register, or not mapped for this core: the bus records a fault that names the nearest region. */
static inline struct tx_bus_answer tx_bus_unmapped(void) { return (struct tx_bus_answer){.result = TX_BUS_UNMAPPED}; }
const char *tx_request_words(const struct tx_request *r); /* "load of 4 bytes from" */

/* Sends a store: it arrives after the region's cycles, in order. */
struct tx_bus_answer tx_bus_emit(struct tx_tile *t, const struct tx_request *r, enum tx_bus_region region);
/* Repeats the request in the next cycle, before any that was emitted later. */
void tx_bus_again(struct tx_tile *t, const struct sim_effect *e);
/* A store has been processed. */
void tx_bus_processed(struct tx_tile *t, unsigned agent, enum tx_bus_region region);

/* Loads: waits for this core's own stores to the region; not ready; done. */
bool tx_bus_behind_stores(struct tx_tile *t, const struct tx_request *r, enum tx_bus_region region,
                          struct tx_bus_answer *answer);
struct tx_bus_answer tx_bus_wait_load(struct tx_tile *t, const struct tx_request *r, uint64_t channels, sim_time retry_at,
                                      uint32_t kind, uint32_t object);
struct tx_bus_answer tx_bus_finish_load(struct tx_tile *t, const struct tx_request *r, uint32_t value, uint32_t there,
                                        uint32_t round_trip);

/* The thread of a T core must be idle first. true: it is not, and the answer holds the wait. */
bool tx_bus_wait_until_idle(struct tx_tile *t, const struct tx_request *r, struct tx_bus_answer *answer);
uint64_t tx_bus_idle_channels(void);

#endif
