/* Auto TTSync (autosync.h) for the windows that it tracks: GPRs, backend configuration, TDMA-RISC. ISA: AutoTTSync.md */
#include "tensix/tile/bus_order.h"

#include "tensix/frontend/autosync_access.h"
#include "tensix/machine.h"
#include "tensix/tile/bus_region.h"

struct tx_bus_answer tx_bus_in_order(struct tx_tile *t, const struct tx_request *r, tx_region_fn *access) {
  struct tx_request tracked = *r;
  unsigned thread = tx_core_of(r->agent);
  tx_assert(thread < TX_CORES);
  tracked.resources = tx_autosync_resources(t, r->agent, r->address);
  if (!tracked.resources) {
    if (tx_is_trisc(r->agent) && !r->store) tx_autosync_end_load(t, thread); /* tracking may have been turned off */
    return access(t, r);
  }
  uint32_t held = r->store ? tx_autosync_store_waits(t, thread, tracked.resources)
                           : tx_autosync_load_waits(t, thread, tracked.resources, r->address);
  struct tx_bus_answer answer;
  if (held) {
    sim_time at = t->timing && t->frontend[thread].moving == TX_MOVING ? t->engine.now + 1 : 0;
    answer = r->store ? tx_bus_wait(TX_CH(TX_CH_FIFO + thread), at, TX_BLOCKED_TRACKED, thread)
                      : tx_bus_wait_load(t, r, TX_CH(TX_CH_FIFO + thread), at, TX_BLOCKED_TRACKED, thread);
    answer.wait.detail = held;
  } else {
    answer = access(t, &tracked);
  }
  if (!r->store && answer.result == TX_BUS_WAIT) tx_autosync_note_load(t, thread, tracked.resources, r->address);
  else if (!r->store) tx_autosync_end_load(t, thread);
  /* cppcheck-suppress returnDanglingLifetime ; an answer holds no pointers */
  return answer;
}
