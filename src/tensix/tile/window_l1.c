/* The window on L1. */
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

struct tx_bus_answer tx_access_l1(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  tx_inflight_touch(t, r->address, r->bytes, r->store);
  if (r->store) return tx_bus_emit(t, r, TX_REGION_L1);
  if (tx_bus_behind_stores(t, r, TX_REGION_L1, &answer)) return answer;
  uint32_t there = t->params.l1_request_cycles;
  return tx_bus_finish_load(t, r, tx_l1_read(t, r->address, r->bytes), there, 2 * there);
}

bool tx_arrive_l1(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  uint8_t raw[4];
  (void)e;
  tx_to_bytes(r->value, raw);
  tx_l1_write(t, r->address, raw, r->bytes);
  return true;
}
