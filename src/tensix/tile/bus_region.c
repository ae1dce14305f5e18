/* The answers of regions and the path of a store to its target (bus_region.h). */
#include "tensix/tile/bus_region.h"

#include "tensix/frontend/autosync_access.h"
#include "tensix/lap_notes.h"
#include "tensix/machine.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/idle.h"

struct tx_bus_answer tx_bus_done(uint32_t value, uint32_t cycles) {
  return (struct tx_bus_answer){.result = TX_BUS_DONE, .value = value, .cycles = cycles};
}

struct tx_bus_answer tx_bus_wait(uint64_t channels, sim_time retry_at, uint32_t kind, uint32_t object) {
  return (struct tx_bus_answer){
      .result = TX_BUS_WAIT, .channels = channels, .retry_at = retry_at, .wait = {.kind = kind, .object = object}};
}

const char *tx_request_words(const struct tx_request *r) {
  static const char *const words[2][5] = {{"", "load of 1 byte from", "load of 2 bytes from", "", "load of 4 bytes from"},
                                          {"", "store of 1 byte to", "store of 2 bytes to", "", "store of 4 bytes to"}};
  return words[r->store][r->bytes];
}

struct tx_bus_answer tx_bus_refuse(struct tx_tile *t, const struct tx_request *r, enum sim_fault_kind kind,
                                   const char *document, const char *why) {
  t->current.agent = r->agent;
  tx_fault(t, kind, document, "%s: %s 0x%08x: %s", tx_core_name_in(t, tx_core_of(r->agent)), tx_request_words(r), r->address,
           why);
  return (struct tx_bus_answer){.result = TX_BUS_FAULT};
}

static uint32_t request_cycles(const struct tx_tile *t, enum tx_bus_region region) {
  switch (region) {
    case TX_REGION_LOCAL:
    case TX_REGION_L1: return t->params.l1_request_cycles;
    case TX_REGION_GPR: return t->params.gpr_request_cycles;
    case TX_REGION_DST:
    case TX_REGION_CONFIG:
    case TX_REGION_TDMA: return t->params.cfg_request_cycles;
    case TX_REGION_MAILBOX:
    case TX_REGION_PCBUF:
    case TX_REGION_SYNC: return t->params.sync_request_cycles;
    default: return t->params.mmio_request_cycles;
  }
}

static bool counts_for_c10(enum tx_bus_region region) {
  return region == TX_REGION_GPR || region == TX_REGION_CONFIG || region == TX_REGION_TDMA;
}

struct tx_bus_answer tx_bus_emit(struct tx_tile *t, const struct tx_request *r, enum tx_bus_region region) {
  struct tx_core_port *port = tx_bus_port(t, r->agent);
  if (port->pending[region] >= TX_BUS_PENDING_MAX) return tx_bus_wait(TX_CH(TX_CH_CORE), 0, TX_BLOCKED_LOAD, r->address);
  uint32_t cycles = t->timing ? request_cycles(t, region) : 1;
  struct sim_effect effect = {.at = t->engine.now + (cycles ? cycles : 1),
                              .kind = TX_EFFECT_CORE_REQUEST,
                              .agent = (uint16_t)r->agent,
                              .pc = t->current.pc,
                              .w = {(uint32_t)region, r->address, r->value, 0, r->bytes | r->resources << 8}};
  if (!sim_effect_at(&t->engine, effect))
    return tx_bus_refuse(t, r, SIM_FAULT_CAPACITY, "engine.h", "too many effects pending at once");
  tx_assert(region < TX_REGIONS && port->pending[region] < TX_BUS_PENDING_MAX);
  port->pending[region]++;
  if (counts_for_c10(region)) {
    port->outstanding++;
    tx_perf_touch(t);
  }
  if (r->resources) tx_autosync_store_begins(t, tx_core_of(r->agent), r->resources);
  if (tx_lap_noting(t)) tx_lap_note_sent(t, tx_core_of(r->agent), region, r->address, r->value, r->bytes);
  return tx_bus_done(0, 1);
}

void tx_bus_again(struct tx_tile *t, const struct sim_effect *e) {
  tx_bus_port(t, e->agent)->held_at[e->w[0]] = t->engine.now;
  sim_effect_retry(&t->engine, *e, t->engine.now + 1);
}

void tx_bus_processed(struct tx_tile *t, unsigned agent, enum tx_bus_region region) {
  struct tx_core_port *port = tx_bus_port(t, agent);
  tx_assert(region < TX_REGIONS && port->pending[region] > 0);
  port->pending[region]--;
  tx_assert(!counts_for_c10(region) || port->outstanding > 0);
  if (counts_for_c10(region)) {
    port->outstanding--;
    tx_perf_touch(t);
  }
  sim_signal(&t->engine, TX_CH(TX_CH_CORE), t->engine.now);
}

/* A waiting load keeps the time of its request: the part of the latency that the wait hides is not paid twice. */
static void note_waiting_load(struct tx_tile *t, const struct tx_request *r) {
  struct tx_core_port *port = tx_bus_port(t, r->agent);
  if (port->load_since && port->load_address == r->address) return;
  port->load_since = t->engine.now + 1;
  port->load_address = r->address;
}

struct tx_bus_answer tx_bus_finish_load(struct tx_tile *t, const struct tx_request *r, uint32_t value, uint32_t there,
                                        uint32_t round_trip) {
  struct tx_core_port *port = tx_bus_port(t, r->agent);
  uint32_t waited = 0;
  if (port->load_since && port->load_address == r->address) waited = (uint32_t)(t->engine.now + 1 - port->load_since);
  port->load_since = 0;
  port->load_address = 0;
  tx_assert(round_trip >= there);
  uint32_t back = round_trip - there, left = waited < there ? round_trip - waited : back;
  return tx_bus_done(value, left ? left : 1);
}

struct tx_bus_answer tx_bus_wait_load(struct tx_tile *t, const struct tx_request *r, uint64_t channels, sim_time retry_at,
                                      uint32_t kind, uint32_t object) {
  note_waiting_load(t, r);
  return tx_bus_wait(channels, retry_at, kind, object);
}

/* Earlier stores of this core to the region take precedence (MemoryOrdering.md). */
bool tx_bus_behind_stores(struct tx_tile *t, const struct tx_request *r, enum tx_bus_region region,
                          struct tx_bus_answer *answer) {
  if (!tx_bus_port(t, r->agent)->pending[region]) return false;
  *answer = tx_bus_wait_load(t, r, TX_CH(TX_CH_CORE), 0, TX_BLOCKED_LOAD, r->address);
  return true;
}

/* Every condition that can end the work of a thread. */
uint64_t tx_bus_idle_channels(void) {
  return TX_CH(TX_CH_IDLE) | TX_CH(TX_CH_MEMORY) | TX_CH(TX_CH_UNIT + TX_UNIT_SCALAR) | TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK) |
         TX_CH(TX_CH_UNIT + TX_UNIT_PACK) | TX_CH(TX_CH_UNIT + TX_UNIT_MOVER);
}

bool tx_bus_wait_until_idle(struct tx_tile *t, const struct tx_request *r, struct tx_bus_answer *answer) {
  unsigned thread = tx_core_of(r->agent);
  sim_time at = tx_tile_idle_at(t, thread);
  if (at <= t->engine.now) return false;
  *answer = tx_bus_wait_load(t, r, tx_bus_idle_channels(), at == SIM_NEVER ? 0 : at, TX_BLOCKED_TTSYNC, thread);
  return true;
}
