/* The port of noc.h between a tile and its NIUs. */
#include "tensix/tile/noc.h"

#include <string.h>

#include "noc/node.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/mem/memo.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

/* --- the NIUs in the tile --- */

void tx_noc_reset(struct tx_tile *t) {
  struct noc_times times = t->timing ? noc_times_default() : noc_times_off();
  if (t->timing) times.loop = t->params.noc_loop_cycles;
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    uint32_t x = noc == 0 ? TX_NOC_X : NOC_GRID_X - 1 - TX_NOC_X, y = noc == 0 ? TX_NOC_Y : NOC_GRID_Y - 1 - TX_NOC_Y;
    noc_niu_reset(&t->niu[noc], noc, noc_node_id(noc, x, y), noc_endpoint_id(noc, NOC_ENDPOINT_TENSIX, 0), NULL, &times);
  }
}

void tx_noc_attach(struct tx_tile *t, struct tx_network network) { t->unsaved.network = network; }

void tx_effect_NOC_EVENT(struct tx_tile *t, const struct sim_effect *e) {
  t->current = (struct tx_current){.agent = e->agent, .pc = e->pc, .unit = TX_UNIT_FRONTEND};
  noc_niu_due(&t->niu[e->w[0]], t->unsaved.ports->noc, t, e->w[1]);
  tx_perf_touch(t);
}

/* An atomic, and a write of less than a line, read, modify and write: they occupy the banks of those lines. ISA: L1.md */
static void hold_banks(struct tx_tile *t, const struct noc_packet *p) {
  if (!t->timing || (p->kind != NOC_ATOMIC && p->kind != NOC_WRITE && p->kind != NOC_READ_ANSWER)) return;
  uint32_t bytes = p->kind == NOC_ATOMIC ? 4 : p->length, hold = t->params.l1_narrow_write_cycles;
  if (!bytes || p->address >= t->l1_bytes || bytes > t->l1_bytes - p->address) return;
  const uint32_t first = (uint32_t)p->address, end = first + bytes;
  const bool head = first % 16, tail = end % 16, apart = (end - 1) / 16 != first / 16;
  if (head || (tail && !apart)) tx_l1_request_of_unit(t, TX_L1_PORTS, first, hold);
  if (tail && apart) tx_l1_request_of_unit(t, TX_L1_PORTS, end - 1, hold);
}

void tx_noc_arrive(struct tx_tile *t, const struct noc_packet *packet, uint64_t at) {
  if (t->fault.kind) return;
  t->engine.now = at;
  t->engine.in_effects = 1;
  t->current = (struct tx_current){.agent = TX_AGENT_NETWORK, .unit = TX_UNIT_FRONTEND};
  t->unsaved.memo.arriving = (struct tx_memo_source){packet->pc, (uint16_t)(packet->tile + 1), packet->agent};
  if (t->unsaved.ports->noc_arrives) t->unsaved.ports->noc_arrives(t, packet);
  hold_banks(t, packet);
  noc_niu_arrive(&t->niu[packet->noc], t->unsaved.ports->noc, t, packet);
  tx_perf_touch(t);
  t->engine.in_effects = 0;
}

bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  return noc_niu_read(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], t->unsaved.ports->noc, t, address % TX_NOC_BYTES,
                      value);
}

bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  bool done = noc_niu_write(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], t->unsaved.ports->noc, t,
                            address % TX_NOC_BYTES, value);
  tx_perf_touch(t);
  return done && !t->fault.kind;
}

/* --- accesses by cores --- */

struct tx_bus_answer tx_access_noc(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.mmio_request_cycles;
  if (r->store) return noc_niu_writable(r->address % TX_NOC_BYTES) ? tx_bus_emit(t, r, TX_REGION_NOC) : tx_bus_unmapped();
  if (tx_bus_behind_stores(t, r, TX_REGION_NOC, &answer)) return answer;
  if (!tx_noc_read(t, r->address & ~3u, &value)) return tx_bus_unmapped();
  answer = tx_bus_finish_load(t, r, value, there, 2 * there + 1);
  answer.moves = r->address % TX_NOC_BYTES == NOC_REG_RTZ_NUM; /* the load itself changes it */
  return answer;
}

bool tx_arrive_noc(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_noc_write(t, r->address, r->value);
  return true;
}
