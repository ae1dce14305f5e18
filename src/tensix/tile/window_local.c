/* The windows on the cores' local data RAMs: a core's own, and the slow path to all of them. */
#include "tensix/machine.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/outside.h"
#include "tensix/tile/windows.h"

/* A core's own RAM; cores that model their pipeline access it themselves. */
struct tx_bus_answer tx_access_local(struct tx_tile *t, const struct tx_request *r) {
  unsigned core = tx_core_of(r->agent);
  uint32_t at = r->address - TX_LOCAL_BASE;
  if (at >= tx_core_local_bytes(core)) return tx_bus_unmapped();
  if (!r->store) return tx_bus_done(tx_from_bytes(&t->core[core].local[at], r->bytes), 2);
  uint8_t raw[4];
  tx_to_bytes(r->value, raw);
  tx_local_write(t, core, at, raw, r->bytes);
  return tx_bus_done(0, 1);
}

struct tx_bus_answer tx_access_local_slow(struct tx_tile *t, const struct tx_request *r) {
  unsigned core;
  uint32_t at, there = t->params.l1_request_cycles;
  struct tx_bus_answer answer;
  if (!tx_local_find(r->address, &core, &at)) return tx_bus_unmapped();
  if (r->store) return tx_bus_emit(t, r, TX_REGION_LOCAL);
  if (tx_bus_behind_stores(t, r, TX_REGION_LOCAL, &answer)) return answer;
  answer = tx_bus_finish_load(t, r, tx_from_bytes(&t->core[core].local[at], r->bytes), there, 2 * there);
  answer.moves = 1; /* the owner's own stores wake no agent */
  return answer;
}

bool tx_arrive_local_slow(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned core;
  uint32_t at;
  uint8_t raw[4];
  (void)e;
  tx_to_bytes(r->value, raw);
  if (tx_local_find(r->address, &core, &at)) tx_local_write(t, core, at, raw, r->bytes);
  return true;
}
