/* The window on the semaphores and TTSync, and on the PC buffers between them. ISA: SyncUnit.md, PCBufs.md */
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/mailbox.h"
#include "tensix/tile/windows.h"
#include "tensix/unit/sync.h"

static struct tx_bus_answer load_sync(struct tx_tile *t, const struct tx_request *r) {
  unsigned thread = tx_core_of(r->agent);
  uint32_t there = t->params.sync_request_cycles, round_trip = 2 * there + 1;
  struct tx_bus_answer answer;
  if (tx_bus_behind_stores(t, r, TX_REGION_SYNC, &answer)) return answer;
  bool override = (tx_pcbuf_override(t, thread) & 3u) == (TX_PCBUF_OVERRIDE_EN | TX_PCBUF_OVERRIDE_BUSY);
  if (override && r->address < TX_ADDR_SEMAPHORE) return tx_bus_finish_load(t, r, 0, there, round_trip);
  if (r->address == TX_ADDR_TTSYNC) {
    if (tx_bus_wait_until_idle(t, r, &answer)) return answer;
    return tx_bus_finish_load(t, r, 0, there, round_trip); /* the value is undefined */
  }
  if (r->address == TX_ADDR_MOPSYNC) {
    tx_frontend_settle(t, thread, t->engine.now);
    if (!tx_frontend_mop_idle(t, thread))
      return tx_bus_wait_load(t, r, TX_CH(TX_CH_FIFO + thread), tx_frontend_drains_at(t, thread), TX_BLOCKED_MOPSYNC,
                              thread);
    return tx_bus_finish_load(t, r, 0, there, round_trip);
  }
  return tx_bus_finish_load(t, r, t->sync.sem[(r->address - TX_ADDR_SEMAPHORE) / 4].value, there, round_trip);
}

/* 0xFFE80000 and up. BRISC's view is its ends of the three PC buffers. */
struct tx_bus_answer tx_access_sync(struct tx_tile *t, const struct tx_request *r) {
  bool ttsync = r->address == TX_ADDR_TTSYNC || r->address == TX_ADDR_MOPSYNC;
  bool semaphore = r->address >= TX_ADDR_SEMAPHORE && r->address < TX_ADDR_SEMAPHORE + 4 * TX_SEMAPHORES;
  if (r->agent == TX_AGENT_BRISC || (tx_is_trisc(r->agent) && r->address == TX_ADDR_PC_BUF)) return tx_access_pcbuf(t, r);
  if (!tx_is_trisc(r->agent))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "SyncUnit.md", "semaphores and TTSync are mapped for the T cores only");
  if (!ttsync && !semaphore) return tx_bus_unmapped();
  if (!r->store) return load_sync(t, r);
  if (ttsync) return tx_bus_done(0, 1); /* discarded; the program is responsible for its order after earlier stores */
  return tx_bus_emit(t, r, TX_REGION_SYNC);
}

/* One semaphore operation per cycle for the whole unit; this one precedes those of the threads. */
static bool arrive_semaphore(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned index = (r->address - TX_ADDR_SEMAPHORE) / 4;
  tx_assert(index < TX_SEMAPHORES);
  if (t->arbiter.sync_taken_at == t->engine.now) {
    tx_bus_again(t, e);
    return false;
  }
  t->arbiter.sync_taken_at = t->engine.now;
  if (r->value & 1u) tx_sem_get(t, index);
  else tx_sem_post(t, index);
  sim_signal(&t->engine, TX_CH(TX_CH_SEM), t->engine.now); /* an effect: visible to the gates in this cycle */
  return true;
}

bool tx_arrive_sync(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  return tx_is_trisc(r->agent) ? arrive_semaphore(t, r, e) : tx_arrive_pcbuf(t, r, e);
}
